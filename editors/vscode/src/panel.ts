// The Simulate panel: shows the page and answers what it asks.
import {readFileSync} from 'node:fs';
import * as vscode from 'vscode';
import {type Replay, replayOf} from '../shared/replay';
import type {Answer, Asked, Setup, Simulated} from '../page/source';
import type {Changed} from '../page/source_vscode';
import type {Route, Simulation} from '../shared/protocol';
import {beside} from './cli';
import type {Model} from './model';
import type {Server} from './server';

type Question = {id: number; method: string; params: Record<string, unknown>};

export class Panel implements vscode.Disposable {
  readonly #server: Server;
  readonly #model: Model;
  readonly #page: vscode.Uri;
  readonly #parts: vscode.Disposable[] = [];
  #view?: vscode.WebviewPanel;
  #skill?: string;
  #tab?: string;
  #replay?: Replay;
  #offered = '';
  /** What the page asked last: it is answered again, unasked, when the answer may be another. */
  #asked?: Asked;
  #following = false;
  #again = false;

  constructor(extension: vscode.Uri, server: Server, model: Model) {
    this.#page = vscode.Uri.joinPath(extension, 'dist', 'simulate.html');
    this.#server = server;
    this.#model = model;
    this.#parts.push(
      server.onText(() => void this.#follow()),
      model.onStale(() => void this.#offer().then(() => this.#follow())),
    );
  }

  dispose(): void {
    this.#view?.dispose();
    vscode.Disposable.from(...this.#parts).dispose();
  }

  /** Opens the panel beside the editor, on a skill and a tab. */
  async show(skill: vscode.Uri | undefined, tab?: string): Promise<void> {
    const file = (await this.#model.skillOf(skill))?.file;
    this.#skill = file ?? this.#skill;
    this.#tab = tab;
    if (this.#view) {
      this.#view.reveal(undefined, true);
      this.#change({setup: {skill: file, tab}}); // what is not named stays as the user has chosen it
      return;
    }
    const view = this.#view = vscode.window.createWebviewPanel('skilllint.simulate', 'Simulate Agent',
      {viewColumn: beside() ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active, preserveFocus: true}, {enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true, enableFindWidget: true});
    view.onDidDispose(() => { this.#view = this.#asked = undefined; });
    view.webview.onDidReceiveMessage((q: Question) => void this.#answer(q));
    view.webview.html = readFileSync(this.#page.fsPath, 'utf8');
  }

  /** Shows the calls of a transcript, held against the tools of today; the user chooses it unless it is named. */
  async showTranscript(named?: vscode.Uri): Promise<void> {
    const [file] = named ? [named] : await vscode.window.showOpenDialog({
      title: 'Replay transcript', openLabel: 'Replay', filters: {Transcripts: ['jsonl', 'json'], 'All files': ['*']},
    }) ?? [];
    if (!file) return;
    this.#replay = replayOf(await this.#server.replay({recordings: [file.toString()], all: true}));
    await this.show(undefined, 'replay');
  }

  /** Answers again what the page asked last. While an answer is on its way, only the last of all changes is remembered. */
  async #follow(): Promise<void> {
    if (this.#following) {
      this.#again = true;
      return;
    }
    this.#following = true;
    do {
      this.#again = false;
      const asked = this.#asked;
      if (asked) this.#change(await this.#shown(asked).then((answer) => ({asked, answer}), () => ({}))); // the page asks, and shows the fault
    } while (this.#again);
    this.#following = false;
  }

  #change(changed: Changed): void { this.#post({changed}); }
  #post(message: unknown): void { void this.#view?.webview.postMessage(message); }

  async #offer(): Promise<void> {
    if (!this.#view) return;
    const setup = await this.#choices().catch(() => undefined);
    const offered = JSON.stringify(setup);
    if (setup && offered !== this.#offered) this.#change({setup});
    this.#offered = offered;
  }

  async #choices(): Promise<Pick<Setup, 'skills' | 'clients'>> {
    const [skills, clients] = await Promise.all([this.#model.skills(), this.#model.clients()]);
    return {
      skills: skills.map((s) => ({file: s.file, name: s.name, place: vscode.workspace.asRelativePath(vscode.Uri.parse(s.file))})),
      clients: clients.map((c) => ({name: c.name, version: c.version, evidence: c.evidence})),
    };
  }

  async #answer({id, method, params}: Question): Promise<void> {
    try {
      this.#post({id, result: await this.#can[method]?.(params as never)});
    } catch (e) {
      this.#post({id, error: e instanceof Error ? e.message : String(e)});
    }
  }

  /** All that the page may ask for. */
  readonly #can: Record<string, (params: never) => unknown> = {
    setup: async (): Promise<Setup> => {
      const choices = await this.#choices();
      const skill = this.#skill ?? choices.skills[0]?.file;
      const judge = (await this.#model.skills()).find((s) => s.file === skill)?.by[0]?.client.name;
      return {...choices, skill, client: judge, tab: this.#tab};
    },
    show: (p: Asked) => {
      this.#asked = p;
      return this.#shown(p);
    },
    choose: () => this.showTranscript(),
    open: async (p: {file: string; line?: number}) => {
      const at = Math.max(0, (p.line ?? 1) - 1);
      await vscode.window.showTextDocument(vscode.Uri.parse(p.file), {viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, 0, at, 0)});
    },
    copy: async (p: Asked) => vscode.env.clipboard.writeText(await this.#asMarkdown(p)),
    save: async (p: Asked) => {
      const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
      const to = await vscode.window.showSaveDialog({filters: {Markdown: ['md']}, defaultUri: folder && vscode.Uri.joinPath(folder, `${p.tab}.md`)});
      if (to) await vscode.workspace.fs.writeFile(to, Buffer.from(await this.#asMarkdown(p)));
      return to !== undefined;
    },
  };

  async #shown(p: Asked): Promise<Answer> {
    switch (p.tab) {
      case 'replay':
        return {replay: this.#replay};
      case 'routing':
        return {routes: (p.query ? await this.#routes(p) : []).map((r) => r.queries[0])};
    }
    const [simulations, written] = await Promise.all([this.#simulations(p, p.tab), p.tab === 'activation' && p.skill ? textOf(p.skill) : undefined]);
    return {simulations, written};
  }

  /** Returns all that the page shows, and what it has only an excerpt of, as Markdown. */
  async #asMarkdown(p: Asked): Promise<string> {
    if (p.tab === 'replay') return this.#replay?.markdown ?? '';
    if (p.tab === 'routing' && !p.query) return '';
    if (p.tab !== 'routing') return (await this.#simulations(p)).map((s) => s.markdown ?? '').join('\n');
    return (await this.#routes(p)).map((r, i) => `# ${p.clients[i]}\n\n${r.markdown ?? ''}`).join('\n'); // whose clients it does not name
  }

  #simulations(p: Asked, about?: Simulated): Promise<Simulation[]> {
    const activate = p.tab === 'activation' ? undefined : '';
    return Promise.all(p.clients.map((client) => this.#server.simulate({...subject(p), client, activate, args: p.args, about})));
  }

  #routes(p: Asked): Promise<Route[]> {
    return Promise.all(p.clients.map((client) => this.#server.route({...subject(p), client, queries: [p.query]})));
  }
}

const textOf = async (file: string) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(file))).getText();
const subject = ({skill}: Asked) => skill ? {textDocument: {uri: skill}} : {};
