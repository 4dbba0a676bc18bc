// Where the page gets its data from: the language server by way of the extension, or data that stands in the page.
import type {RoutedQuery, SimulatedSkill, Simulation} from '../shared/protocol';
import type {Replay} from '../shared/replay';

export interface Skill { file: string; name: string; place: string }
export interface Client { name: string; version: string; evidence: string }

/** What the page shows first, and what it can choose from. */
export interface Setup {
  skills: Skill[];
  clients: Client[];
  skill?: string; // its file
  client?: string;
  other?: string; // the client to compare with
  tab?: string;
  args?: string;
  query?: string;
}

/** The tabs that show a part of a simulation. */
export type Simulated = 'listing' | 'activation' | 'tools';
export type Tab = Simulated | 'routing' | 'replay';

/** All that the user has chosen. */
export interface Asked {
  tab: Tab;
  clients: string[];
  skill?: string; // its file
  args: string;
  query: string;
}

/** What a tab shows. Lists have an entry for each client that was asked about. */
export interface Answer {
  simulations?: Simulation[];
  written?: string; // the skill's file, for its activation
  routes?: (RoutedQuery | undefined)[];
  replay?: Replay;
}

export interface Source {
  /** Whether a user can ask new things: other arguments, other queries. */
  readonly live: boolean;
  /** The tabs that it has nothing for. */
  readonly without: Tab[];
  setup(): Promise<Setup>;
  show(asked: Asked): Promise<Answer>;
  /** Lets the user pick a transcript, to be shown as a replay. */
  choose(): Promise<void>;
  open(file: string, line?: number): Promise<void>;
  /** Copies all of what is shown as Markdown. */
  copy(asked: Asked): Promise<void>;
  /** Saves it where the user says; false when they say nowhere. */
  save(asked: Asked): Promise<boolean>;
  /** Calls back when something that is shown may have changed; setup tells that the choices may have, too. */
  onChange(listener: (setup?: Partial<Setup>) => void): void;
}

/** What stands for a skill in the listing; "" for one that is not listed. */
export const entryOf = (skill: SimulatedSkill | undefined): string => skill?.listed ? skill.entry || skill.description || skill.name : '';
