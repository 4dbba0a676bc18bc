// The playground: an editor over files in memory, and what the program makes of them. Nothing leaves the page.
import {fill, h} from '../editors/vscode/page/dom';
import {Panel} from '../editors/vscode/page/panel';
import type {Setup} from '../editors/vscode/page/source';
import type {Clients} from '../editors/vscode/shared/protocol';
import {clients} from './clients';
import {Engine} from './engine';
import {chosen, dropped, type Files, filesOf, parameters} from './files';
import {type Finding, findings, fixed, indexOf, type Report} from './findings';
import {opened, sample} from './sample';
import {fragment, type State, stateOf} from './share';
import {PlaygroundSource} from './source_playground';

interface About { version: string; rules: number; clients: {name: string; label: string; version: string; evidence: string; usual: boolean}[] }

/** The values of the choice of clients besides their names. */
const usual = '', everyone = 'all';

class Playground {
  readonly #engine: Engine;
  readonly #source: PlaygroundSource;
  readonly #editor = h('textarea', {'aria-label': 'Text of the file', spellcheck: 'false', oninput: () => this.#typed()});
  readonly #file = h('select', {onchange: () => this.#open(this.#file.value)});
  readonly #judges = h('select', {onchange: () => this.#changed()});
  readonly #findings = h('div');
  readonly #table = h('div');
  readonly #panel = h('section', {'aria-label': 'Simulate'});
  readonly #status = h('p', {class: 'state', role: 'status'});
  readonly #labels: Map<string, string>;
  #files: Files;
  #roster: Clients | undefined;
  #running = false;
  #again = false;

  constructor(engine: Engine, about: About, state: Partial<State>) {
    this.#engine = engine;
    this.#labels = new Map(about.clients.map((c) => [c.name, c.label]));
    this.#files = filesOf({files: state.files ?? sample, bytes: state.bytes});
    const self = this;
    const known = {
      clients: about.clients,
      get roster() { return self.#roster; },
      textOf: (file: string) => String(self.#files.get(file) ?? ''),
    };
    this.#source = new PlaygroundSource(engine, known, (state.panel as Partial<Setup>) ?? {skill: opened});
    fill(this.#judges, [h('option', {value: usual}, 'the usual clients'), h('option', {value: everyone}, `all ${about.clients.length} clients`),
      ...about.clients.map((c) => h('option', {value: c.name}, `${c.label} ${c.version}`))]);
    this.#judges.value = state.judges ?? usual;
    this.#list(state.open ?? opened);
  }

  async start(): Promise<void> {
    const folder = h('input', {type: 'file', webkitdirectory: true, hidden: true, onchange: () => void this.#take(chosen(folder.files!)).then(() => { folder.value = ''; })});
    const main = h('main', {},
      h('section', {class: 'editor', 'aria-label': 'Files'},
        h('div', {class: 'tools'},
          h('label', {}, h('span', {}, 'File'), this.#file),
          h('button', {onclick: () => this.#add()}, 'New file…'), h('button', {onclick: () => this.#remove()}, 'Delete'),
          h('button', {onclick: () => folder.click()}, 'Open folder…'), folder, h('button', {onclick: () => void this.#share()}, 'Copy link')),
        this.#editor, this.#status,
        h('p', {class: 'placeholder'}, 'Type, paste, or drop a folder. Nothing leaves this page: a link holds the files themselves, behind the #.')),
      h('section', {class: 'found', 'aria-label': 'Results'},
        h('div', {class: 'tools'}, h('h2', {}, 'Findings'), h('label', {}, h('span', {}, 'Skills are for'), this.#judges)), this.#findings,
        h('h2', {}, 'Clients'), this.#table),
      this.#panel);
    fill(document.getElementById('app')!, [main]);
    this.#dropping();
    await this.#update();
    await new Panel(this.#source, this.#panel).start();
    document.documentElement.dataset.ready = 'true';
  }

  /** Takes files that are dropped anywhere. */
  #dropping(): void {
    document.addEventListener('dragover', (e) => {
      e.preventDefault();
      document.body.classList.add('dropping');
    });
    document.addEventListener('dragleave', (e) => { if (!e.relatedTarget) document.body.classList.remove('dropping'); });
    document.addEventListener('drop', (e) => {
      e.preventDefault();
      document.body.classList.remove('dropping');
      if (e.dataTransfer && e.dataTransfer.items.length > 0) void this.#take(dropped(e.dataTransfer.items));
    });
  }

  async #take(read: Promise<Files>): Promise<void> {
    try {
      const files = await read;
      if (files.size === 0) return this.#say('There are no files in it.');
      this.#files = files;
      this.#list([...files.keys()].sort().find((p) => p.toLowerCase().endsWith('skill.md')));
      this.#say('');
      this.#changed(this.#file.value);
    } catch (e) {
      this.#say(e);
    }
  }

  #say(words: unknown): void { fill(this.#status, [words instanceof Error ? words.message : String(words)]); }

  /** Fills the list of files, and opens one. */
  #list(open?: string): void {
    const paths = [...this.#files.keys()].sort();
    fill(this.#file, paths.map((p) => h('option', {value: p}, p)));
    this.#open(open !== undefined && this.#files.has(open) ? open : paths[0] ?? '');
  }

  #open(file: string): void {
    const text = this.#files.get(file);
    this.#file.value = file;
    this.#editor.value = typeof text === 'string' ? text : '';
    this.#editor.disabled = typeof text !== 'string';
    this.#editor.placeholder = text === undefined || typeof text === 'string' ? '' : 'This file is no text in UTF-8.';
  }

  #typed(): void {
    this.#files.set(this.#file.value, this.#editor.value);
    this.#changed();
  }

  #add(): void {
    const path = window.prompt('Path of the new file', 'skills/new-skill/SKILL.md')?.trim();
    if (!path) return;
    if (!this.#files.has(path)) this.#files.set(path, '');
    this.#list(path);
    this.#changed();
  }

  #remove(): void {
    this.#files.delete(this.#file.value);
    this.#list();
    this.#changed();
  }

  async #share(): Promise<void> {
    try {
      const state: State = {...parameters(this.#files), open: this.#file.value, judges: this.#judges.value, panel: this.#source.chosen};
      history.replaceState(null, '', await fragment(state));
      this.#say('The link is in the address bar.');
      await navigator.clipboard.writeText(location.href);
      this.#say('The link is copied.');
    } catch (e) {
      if (!(e instanceof DOMException)) this.#say(e); // no clipboard: it stands in the address bar
    }
  }

  /** Works everything out anew. While that is under way, only the last of all changes is remembered. */
  #changed(skill?: string): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = true;
    void this.#update(skill).finally(() => {
      this.#running = false;
      if (!this.#again) return;
      this.#again = false;
      this.#changed();
    });
  }

  async #update(skill?: string): Promise<void> {
    const names = this.#judges.value === usual ? [] : [this.#judges.value];
    try {
      await this.#engine.ask('files', parameters(this.#files));
      const [report, roster] = await Promise.all([this.#engine.ask<Report>('lint', {clients: names}), this.#engine.ask<Clients>('clients', {clients: names})]);
      this.#roster = roster;
      this.#draw(report, roster);
      this.#source.changed(skill);
    } catch (e) {
      this.#say(e);
    }
    document.documentElement.dataset.updated = String(Date.now());
  }

  #draw(report: Report, roster: Clients): void {
    fill(this.#findings, findings(report, {
      open: (f) => this.#goTo(f),
      fix: (fixes) => this.#put(fixed(this.#files, fixes)),
      explain: (rule) => this.#engine.ask<string>('explain', {rule}),
    }));
    fill(this.#table, clients(roster, this.#labels, (file) => {
      this.#open(file);
      this.#source.changed(file);
    }));
  }

  #goTo(f: Finding): void {
    if (!this.#files.has(f.file)) return;
    this.#open(f.file);
    const text = this.#editor.value;
    this.#editor.focus();
    this.#editor.setSelectionRange(indexOf(text, f.range.start), indexOf(text, f.range.end));
  }

  #put(texts: Files): void {
    for (const [file, text] of texts) this.#files.set(file, text);
    this.#open(this.#file.value);
    this.#changed();
  }
}

async function start(): Promise<void> {
  const loading = document.getElementById('app')!;
  try {
    const engine = await Engine.start('skilllint.wasm.gz');
    const about = await engine.ask<About>('about', {});
    let state: State | undefined, broken: unknown;
    try {
      state = await stateOf(location.hash);
    } catch (e) {
      broken = e;
    }
    document.getElementById('version')!.textContent = `skilllint ${about.version}, ${about.rules} rules, ${about.clients.length} clients`;
    await new Playground(engine, about, state ?? {}).start();
    if (broken) throw broken;
  } catch (e) {
    loading.prepend(h('p', {class: 'status off', role: 'alert'}, e instanceof Error ? e.message : String(e)));
  }
}

window.addEventListener('hashchange', () => location.reload());
void start();
