// Feeds the Simulate panel from the program in the page.
import type {Clients, Route, Simulation} from '../editors/vscode/shared/protocol';
import type {Answer, Asked, Setup, Source, Tab} from '../editors/vscode/page/source';
import type {Engine} from './engine';

/** What the page knows and the panel chooses from. */
export interface Known {
  clients: {name: string; version: string; evidence: string}[];
  roster: Clients | undefined;
  textOf(file: string): string;
}

export class PlaygroundSource implements Source {
  readonly live = true;
  readonly without: Tab[] = ['replay'];
  readonly #engine: Engine;
  readonly #known: Known;
  readonly #first: Partial<Setup>;
  #listener: (setup?: Partial<Setup>) => void = () => {};
  #asked: Asked | undefined;

  constructor(engine: Engine, known: Known, first: Partial<Setup>) {
    this.#engine = engine;
    this.#known = known;
    this.#first = first;
  }

  /** What the user has chosen in the panel. */
  get chosen() {
    const a = this.#asked;
    return {client: a?.clients[0] ?? '', other: a?.clients[1] ?? '', skill: a?.skill ?? '', tab: a?.tab ?? '', args: a?.args ?? '', query: a?.query ?? ''};
  }

  /** Shows anew what is chosen; a skill that is named is chosen, too. */
  changed(skill?: string): void { this.#listener({skills: this.#skills(), ...(skill === undefined ? {} : {skill})}); }

  async setup(): Promise<Setup> { return {skills: this.#skills(), clients: this.#known.clients, ...this.#first}; }

  #skills() {
    return (this.#known.roster?.clients[0]?.skills ?? []).map(({file}) => ({file, name: folderOf(file), place: file}));
  }

  async show(asked: Asked): Promise<Answer> {
    this.#asked = asked;
    if (asked.tab === 'routing') {
      if (!asked.query) return {routes: []};
      const routes = await Promise.all(asked.clients.map((client) => this.#engine.ask<Route>('route', {client, query: asked.query})));
      return {routes: routes.map((r) => r.queries[0])};
    }
    const {skill, args, tab: about} = asked;
    const simulations = await Promise.all(asked.clients.map((client) => this.#engine.ask<Simulation>('simulate', {client, skill, args, about})));
    return {simulations, written: asked.skill && this.#known.textOf(asked.skill)};
  }

  async choose(): Promise<void> {}
  async open(): Promise<void> {}
  async copy(asked: Asked): Promise<void> { await navigator.clipboard.writeText(await this.#markdown(asked)); }

  async save(asked: Asked): Promise<boolean> {
    download('simulation.md', new Blob([await this.#markdown(asked)], {type: 'text/markdown'}));
    return true;
  }

  onChange(listener: (setup?: Partial<Setup>) => void): void { this.#listener = listener; }

  async #markdown({clients, skill, args}: Asked): Promise<string> {
    return (await Promise.all(clients.map((client) => this.#engine.ask<string>('simulate', {client, skill, args, format: 'markdown'})))).join('\n');
  }
}

/** The name of the folder that a file lies in; of one that lies in none, its own. */
export function folderOf(file: string): string {
  const parts = file.split('/');
  return parts[parts.length - 2] ?? file;
}

export function download(name: string, data: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(data);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
