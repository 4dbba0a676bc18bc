import type {Route, Simulation} from '../shared/protocol';
import type {Replay} from '../shared/replay';
import {type Asked, type Setup, shownOf, type Source} from './source';

/** What `skilllint simulate --html` puts into the page. */
export interface Embedded {
  setup: Setup;
  simulations: Record<string, Simulation>; // by client
  activations: Record<string, Record<string, Simulation['activation']>>; // by client and file of the skill
  texts: Record<string, string>; // by file
}

/** Answers from what stands in the page. */
export class EmbeddedSource implements Source {
  readonly live = false;
  readonly #data: Embedded;

  constructor(data: Embedded) { this.#data = data; }

  async setup(): Promise<Setup> { return this.#data.setup; }

  async simulate(asked: Asked): Promise<Simulation> {
    const simulation = this.#data.simulations[asked.client];
    if (!simulation) throw new Error(`This page holds nothing about ${asked.client}.`);
    const activation = asked.skill === undefined ? undefined : this.#data.activations[asked.client]?.[asked.skill];
    const tokens = activation?.parts.reduce((sum, p) => sum + p.tokens, 0) ?? 0;
    return shownOf({...simulation, activation, tokens: {...simulation.tokens, activation: tokens}}, asked);
  }

  async route(): Promise<Route> {
    throw new Error('A query is answered in an editor with skill-ls, or by: skilllint route --query "…"');
  }

  async text(file: string): Promise<string> { return this.#data.texts[file] ?? ''; }
  async replay(): Promise<Replay | undefined> { return undefined; }
  open(): void {}
  copy(clients: string[]): void { void navigator.clipboard.writeText(this.#markdown(clients)); }

  save(clients: string[]): void {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.#markdown(clients)], {type: 'text/markdown'}));
    link.download = 'simulation.md';
    link.click();
    URL.revokeObjectURL(link.href);
  }

  onChange(): void {}

  #markdown(clients: string[]): string {
    return clients.map((c) => this.#data.simulations[c]?.markdown ?? '').join('\n');
  }
}
