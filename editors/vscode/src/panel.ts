// The Simulate panel: shows the page and answers what it asks.
import {readFileSync} from 'node:fs';
import * as vscode from 'vscode';
import {type Replay, replayOf} from '../shared/replay';
import {type Asked, type Setup, shownOf} from '../page/source';
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
  /** What each client was last asked about. It stays here: it is long, and the page shows none of it. */
  readonly #markdown = new Map<string, string>();

  constructor(extension: vscode.Uri, server: Server, model: Model) {
    this.#page = vscode.Uri.joinPath(extension, 'dist', 'simulate.html');
    this.#server = server;
    this.#model = model;
    this.#parts.push(
      vscode.workspace.onDidChangeTextDocument((e) => { if (e.contentChanges.length > 0 && e.document.uri.scheme === 'file') this.#post({changed: {}}); }),
      model.onChange(() => void this.#offer()),
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
      this.#post({changed: {setup: {skill: file, tab}}}); // what is not named stays as the user has chosen it
      return;
    }
    const view = this.#view = vscode.window.createWebviewPanel('skilllint.simulate', 'Simulate Agent',
      {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true}, {enableScripts: true, localResourceRoots: [], retainContextWhenHidden: true, enableFindWidget: true});
    view.onDidDispose(() => { this.#view = undefined; });
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

  #post(message: unknown): void { void this.#view?.webview.postMessage(message); }

  async #offer(): Promise<void> {
    if (!this.#view) return;
    const setup = await this.#choices().catch(() => undefined);
    const offered = JSON.stringify(setup);
    if (setup && offered !== this.#offered) this.#post({changed: {setup}});
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
    simulate: async (p: Asked) => {
      const s = await this.#server.simulate({...about(p.skill), client: p.client, activate: p.about === 'activation' ? undefined : '', args: p.args});
      this.#markdown.set(p.client, s.markdown ?? '');
      return shownOf(s, p);
    },
    route: async (p: {client: string; query: string; skill?: string}) => {
      const r = await this.#server.route({...about(p.skill), client: p.client, queries: [p.query]});
      this.#markdown.set(p.client, r.markdown ?? '');
      return r;
    },
    text: async (p: {file: string}) => (await vscode.workspace.openTextDocument(vscode.Uri.parse(p.file))).getText(),
    replay: async (p: {choose: boolean}) => {
      if (p.choose) await this.showTranscript();
      return this.#replay;
    },
    open: async (p: {file: string; line?: number}) => {
      const at = Math.max(0, (p.line ?? 1) - 1);
      await vscode.window.showTextDocument(vscode.Uri.parse(p.file), {viewColumn: vscode.ViewColumn.One, selection: new vscode.Range(at, 0, at, 0)});
    },
    copy: (p: {clients: string[]}) => vscode.env.clipboard.writeText(this.#asMarkdown(p.clients)),
    save: async (p: {clients: string[]}) => {
      const to = await vscode.window.showSaveDialog({filters: {Markdown: ['md']}});
      if (to) await vscode.workspace.fs.writeFile(to, Buffer.from(this.#asMarkdown(p.clients)));
    },
  };

  /** The page names no client when it shows the replay. */
  #asMarkdown(clients: string[]): string {
    if (clients.length === 0) return this.#replay?.markdown ?? '';
    return clients.map((c) => this.#markdown.get(c) ?? '').join('\n');
  }
}

const about = (skill: string | undefined) => skill ? {textDocument: {uri: skill}} : {};
