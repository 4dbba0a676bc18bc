import type {Activation, Simulation} from '../shared/protocol';
import type {Answer, Asked, Setup, Source, Tab} from './source';

/** What `skilllint simulate --html` puts into the page. */
export interface Embedded {
  setup: Setup;
  simulations: Record<string, Simulation>; // by client
  activations: Record<string, Record<string, Activation>>; // by client and file of the skill
  texts: Record<string, string>; // by file
}

/** Answers from what stands in the page. */
export class EmbeddedSource implements Source {
  readonly live = false;
  readonly without: Tab[] = ['replay', 'routing'];
  readonly #data: Embedded;

  constructor(data: Embedded) { this.#data = data; }

  async setup(): Promise<Setup> { return this.#data.setup; }

  async show({clients, skill}: Asked): Promise<Answer> {
    return {simulations: clients.map((c) => this.#simulation(c, skill)), written: skill && this.#data.texts[skill]};
  }

  #simulation(client: string, skill: string | undefined): Simulation {
    const s = this.#data.simulations[client];
    if (!s) throw new Error(`This page holds nothing about ${client}.`);
    const activation = skill === undefined ? undefined : this.#data.activations[client]?.[skill];
    const tokens = activation?.parts.reduce((sum, p) => sum + p.tokens, 0) ?? 0;
    return {...s, activation, tokens: {...s.tokens, activation: tokens}};
  }

  async choose(): Promise<void> {}
  async open(): Promise<void> {}
  async copy(asked: Asked): Promise<void> { await navigator.clipboard.writeText(this.#markdown(asked)); }

  async save(asked: Asked): Promise<boolean> {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([this.#markdown(asked)], {type: 'text/markdown'}));
    link.download = 'simulation.md';
    link.click();
    URL.revokeObjectURL(link.href);
    return true;
  }

  onChange(): void {}

  #markdown({clients}: Asked): string {
    return clients.map((c) => this.#data.simulations[c]?.markdown ?? '').join('\n');
  }
}
