// The Simulate panel: what one or two clients make of a skill.
import type {Simulation} from '../shared/protocol';
import {activation} from './activation';
import {type Child, fill, h, update} from './dom';
import {listing} from './listing';
import {replaying} from './replaying';
import {routing} from './routing';
import type {Answer, Asked, Setup, Source, Tab} from './source';
import {Tabs} from './tabs';
import {tools} from './tools';

const names: Record<Tab, string> = {listing: 'Listing', activation: 'Activation', tools: 'Tools', routing: 'Routing', replay: 'Replay'};

export class Panel {
  readonly #source: Source;
  readonly #client = select('Client', () => this.#changed());
  readonly #other = select('Compare with', () => this.#changed());
  readonly #skill = select('Skill', () => this.#changed());
  readonly #args = input('Arguments', 'what stands behind the name in a call', () => this.#changed());
  readonly #query = input('Query', 'what a user would say', () => this.#changed());
  readonly #choose = h('button', {onclick: () => this.#do(this.#source.choose())}, 'Open transcript…');
  readonly #controls = h('div', {class: 'controls'});
  readonly #output = h('div', {class: 'columns', onclick: (e) => this.#open(e.target)});
  readonly #fault = h('p', {role: 'status', class: 'state'});
  readonly #done = h('span', {role: 'status', class: 'done'});
  readonly #tabs = new Tabs(names, () => this.#changed());
  readonly #main: HTMLElement;
  #setup: Setup = {skills: [], clients: []};
  #running = false;
  #again = false;
  #drawn = '';

  /** Draws into an element that is the panel's own. */
  constructor(source: Source, element: HTMLElement) {
    this.#source = source;
    this.#main = element;
    element.dataset.page = 'simulate';
    this.#args.field.disabled = !source.live;
    const copy = h('button', {onclick: () => this.#do(source.copy(this.#asked()).then(() => 'Copied.'))}, 'Copy as Markdown');
    const save = h('button', {onclick: () => this.#do(source.save(this.#asked()).then((saved) => saved && 'Saved.'))}, 'Save as Markdown…');
    this.#tabs.panel.append(this.#controls, this.#fault, this.#output);
    this.#main.append(
      h('header', {}, this.#client.label, this.#other.label, this.#skill.label, h('span', {class: 'actions'}, this.#done, copy, save)),
      this.#tabs.list, this.#tabs.panel);
  }

  async start(): Promise<void> {
    this.#source.onChange((setup) => {
      if (setup) this.#offer(setup);
      this.#changed();
    });
    this.#offer(await this.#source.setup());
    this.#tabs.hide(...this.#source.without);
    this.#changed();
  }

  /** Fills the choices anew, and chooses what is named. What the user has chosen else stays when it is still there. */
  #offer(setup: Partial<Setup>): void {
    const {skills, clients} = this.#setup = {...this.#setup, ...setup};
    const times = (name: string) => skills.filter((s) => s.name === name).length;
    const client = clients.map((c): [string, string] => [c.name, `${c.name} ${c.version}`]);
    options(this.#client.field, client, setup.client);
    options(this.#other.field, [['', 'no other'], ...client], setup.other);
    options(this.#skill.field, skills.map((s) => [s.file, times(s.name) > 1 ? `${s.name} (${s.place})` : s.name]), setup.skill);
    this.#args.field.value = setup.args ?? this.#args.field.value;
    this.#query.field.value = setup.query ?? this.#query.field.value;
    if (setup.tab && setup.tab in names) this.#tabs.show(setup.tab as Tab);
  }

  /** Shows what is chosen now. While an answer is on its way, only the last of all changes is remembered. */
  #changed(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    void this.#update().finally(() => {
      this.#running = false;
      if (!this.#again) return;
      this.#again = false;
      this.#changed();
    });
  }

  async #update(): Promise<void> {
    const asked = this.#asked();
    const {tab} = asked;
    const controls: Record<Tab, Node[]> = {listing: [], activation: [this.#args.label], tools: [], routing: [this.#query.label], replay: [this.#choose]};
    if (this.#controls.firstChild !== (controls[tab][0] ?? null)) fill(this.#controls, controls[tab]);
    try {
      const answer = await this.#source.show(asked);
      if (tab !== this.#tabs.shown) return;
      this.#show(asked, answer);
      fill(this.#fault, []);
    } catch (e) {
      fill(this.#fault, [said(e)]);
    }
    this.#main.dataset.updated = String(Date.now());
  }

  /** Draws an answer. One about what is shown already is put into its place. */
  #show(asked: Asked, answer: Answer): void {
    const drawn = JSON.stringify([asked.tab, asked.skill, asked.clients]);
    const columns = this.#columns(asked, answer);
    if (drawn === this.#drawn) return update(this.#output, columns);
    this.#drawn = drawn;
    fill(this.#output, columns);
    this.#output.querySelectorAll('pre').forEach(showMark);
  }

  #open(target: EventTarget | null): void {
    const {file, line} = target instanceof Element && target.closest<HTMLElement>('[data-file]')?.dataset || {};
    if (file) this.#do(this.#source.open(file, Number(line)));
  }

  /** Does something besides showing, and tells how it went; read aloud, too. */
  #do(work: Promise<unknown>): void {
    fill(this.#done, []);
    void work.then((words) => fill(this.#done, [words ? String(words) : '']), (e: unknown) => fill(this.#done, [said(e)]));
  }

  /** What is chosen: of the clients each once. */
  #asked(): Asked {
    return {
      tab: this.#tabs.shown, skill: this.#skill.field.value || undefined, args: this.#args.field.value, query: this.#query.field.value.trim(),
      clients: [...new Set([this.#client.field.value, this.#other.field.value])].filter((name) => name !== ''),
    };
  }

  #columns({tab, clients, skill}: Asked, {simulations, written, routes, replay}: Answer): Child[] {
    switch (tab) {
      case 'replay':
        return [h('section', {class: 'column'}, ...replaying(replay))];
      case 'routing':
        return clients.map((c, i) => this.#column(c, c, routing(routes?.[i], this.#setup.skills.find((s) => s.file === skill))));
    }
    const draw = {listing: (s: Simulation) => listing(s, skill), activation: (s: Simulation) => activation(s, written ?? ''), tools}[tab];
    return simulations?.map((s, i) => this.#column(clients[i] ?? s.client, `${s.client} ${s.client_version}`, draw(s))) ?? [];
  }

  #column(client: string, title: string, children: Child[]): HTMLElement {
    const evidence = this.#setup.clients.find((c) => c.name === client)?.evidence;
    return h('section', {class: 'column', 'aria-label': client}, h('h2', {}, title, h('small', {}, ` ${evidence ?? ''}`)), ...children);
  }
}

const said = (e: unknown): string => e instanceof Error ? e.message : String(e);

interface Field<T> { label: HTMLLabelElement; field: T }

function select(name: string, changed: () => void): Field<HTMLSelectElement> {
  const field = h('select', {onchange: changed});
  return {field, label: h('label', {}, h('span', {}, name), field)};
}

function input(name: string, hint: string, changed: () => void): Field<HTMLInputElement> {
  const field = h('input', {type: 'text', placeholder: hint, spellcheck: 'false', oninput: changed});
  return {field, label: h('label', {class: 'wide'}, h('span', {}, name), field)};
}

function options(field: HTMLSelectElement, choices: [value: string, text: string][], chosen = field.value): void {
  fill(field, choices.map(([value, text]) => h('option', {value}, text)));
  field.value = choices.some(([value]) => value === chosen) ? chosen : choices[0]?.[0] ?? '';
}

/** Scrolls a text to its mark. */
function showMark(text: HTMLElement): void {
  const mark = text.querySelector('mark');
  if (mark) text.scrollTop = mark.offsetTop - text.offsetTop - text.clientHeight / 3;
}
