// What skill-ls answers to its own requests, as far as the extension reads it. The forms are those that skilllint
// prints as JSON (schemas/*.schema.json); files are URIs here.

export type Evidence = 'observed' | 'executed' | 'source' | 'documented';
export type Status = 'listed' | 'changed' | 'hidden' | 'dropped' | 'root-lost' | 'client-crash';

export interface Shown { name: string; description: string }

/** What one client makes of one skill. */
export interface SkillOutcome extends Shown {
  file: string;
  listed: boolean;
  location: string;
  loaded: Shown;
  status: Status;
  reason?: string;
  rule?: string;
}

export interface ClientOutcome { name: string; version: string; evidence: Evidence; skills: SkillOutcome[] }
export interface Clients { version: 1; clients: ClientOutcome[]; markdown?: string }

export interface Part {
  role: string;
  text: string;
  tokens: number;
  exact: boolean;
  placeholder?: boolean;
  before?: number; // characters that are left out on this side
  after?: number;
}

export interface SimulatedSkill extends SkillOutcome { entry?: string; characters: number; tokens: number; cumulative: number }

export interface Budget { limit: number; used: number; unit: string; without_description: string[]; omitted: string[] }

export interface Activation { skill: string; file?: string; via: string[]; tool?: string; parts: Part[]; truncated: boolean; notes: string[] }

/** A tool as a client shows it; `original` is as its server offers it, where that differs. */
export interface SimulatedTool {
  server: string;
  tool: string;
  listed: boolean;
  name: string;
  description: string;
  input_schema?: unknown;
  original?: { description: string; input_schema?: unknown };
  reason?: string;
  changes: string[];
  tokens: number;
}

export interface Simulation {
  version: 1;
  client: string;
  client_version: string;
  evidence: Evidence;
  prompt: Part[];
  skills: SimulatedSkill[];
  budget: Budget;
  activation?: Activation;
  tools: SimulatedTool[];
  tokens: { listing: number; activation: number; tools: number };
  tokenizer: string;
  notes: string[];
  markdown?: string;
}

export interface RoutedQuery {
  query: string;
  ranking: { skill: string; name: string; score: number }[];
  margin: number;
  words: { word: string; share: number }[];
  unknown: string[];
}

export interface Route { version: 1; queries: RoutedQuery[]; markdown?: string }

export interface ServerProbe {
  server: string;
  status: 'answered' | 'needs-sign-in' | 'failed' | 'not-probed';
  duration_ms: number;
  problems: { kind: string; severity: string; message: string; detail?: string }[];
  tools: unknown[];
}

export interface Probe { version: 1; servers: ServerProbe[]; markdown?: string }

/** An MCP server that a configuration names. */
export interface ConfiguredServer {
  server: string;
  file: string; // the configuration
  line: number; // from 1
  launch: string; // how it is started, or where it is
  consent: boolean;
  tools: {name: string; tokens: number}[] | null; // null when nothing is known of them
}

export interface Servers { version: 1; servers: ConfiguredServer[] }
