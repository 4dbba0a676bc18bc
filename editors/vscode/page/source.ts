// Where the page gets its data from: the language server by way of the extension, or data that stands in the page.
import type {Route, Simulation} from '../shared/protocol';
import type {Replay} from '../shared/replay';

export interface Skill { file: string; name: string; place: string }
export interface Client { name: string; version: string; evidence: string }

/** What the page shows first, and what it can choose from. */
export interface Setup {
  skills: Skill[];
  clients: Client[];
  skill?: string; // its file
  client?: string;
  tab?: string;
}

export interface Asked {
  client: string;
  skill?: string; // its file
  about: 'listing' | 'activation' | 'tools';
  args?: string;
}

/** What is shown of a simulation: of its skills only the one that was asked about. */
export function shownOf(s: Simulation, {skill, about}: Asked): Simulation {
  return {
    ...s, skills: s.skills.filter((k) => k.file === skill), prompt: about === 'listing' ? s.prompt : [], tools: about === 'tools' ? s.tools : [],
    activation: about === 'activation' ? s.activation : undefined, markdown: undefined,
  };
}

export interface Source {
  /** Whether a user can ask new things: other arguments, other queries. */
  readonly live: boolean;
  setup(): Promise<Setup>;
  simulate(asked: Asked): Promise<Simulation>;
  route(client: string, query: string, skill?: string): Promise<Route>;
  /** The text of a skill's file as it is written. */
  text(file: string): Promise<string>;
  /** The last replay; with `choose` the user picks a transcript first. */
  replay(choose: boolean): Promise<Replay | undefined>;
  open(file: string, line?: number): void;
  /** Copies what the clients were last asked about as Markdown, or saves it where the user says. */
  copy(clients: string[]): void;
  save(clients: string[]): void;
  /** Calls back when something that is shown may have changed; setup tells that the choices may have, too. */
  onChange(listener: (change: {setup?: Partial<Setup>}) => void): void;
}
