// What is known of all skills of the workspace: kept for the trees and the panel, and asked for anew when it may have changed.
import * as vscode from 'vscode';
import type {Clients, ClientOutcome, SkillOutcome} from '../shared/protocol';
import type {Server} from './server';

export interface Skill { file: string; name: string; by: {client: ClientOutcome; outcome: SkillOutcome}[] }

/**
 * Long enough for a burst of changes to be over, and for a user to pause: looking at all skills takes both the server and the
 * editor longer than a key may. Short enough to be seen as an answer.
 */
const quiet = 700;

export class Model implements vscode.Disposable {
  readonly #server: Server;
  readonly #stale = new vscode.EventEmitter<void>();
  /** Fires when what is known may have changed. */
  readonly onStale = this.#stale.event;
  /** What diagnostics say of each document, wherever in it. */
  readonly #said = new Map<string, string>();
  readonly #parts: vscode.Disposable[];
  #timer?: NodeJS.Timeout;
  #skills?: Promise<Skill[]>;
  #clients?: Promise<ClientOutcome[]>;

  constructor(server: Server) {
    this.#server = server;
    this.#parts = [
      this.#stale,
      server.onState((state) => { if (state === 'running') this.refresh(); }),
      vscode.languages.onDidChangeDiagnostics(({uris}) => { if (uris.filter((uri) => this.#saysOther(uri)).length > 0) this.#soon(); }),
      server.onText(() => { if (this.#timer) this.#soon(); }),
      vscode.workspace.onDidSaveTextDocument(() => this.#soon()),
      vscode.workspace.onDidChangeConfiguration((e) => { if (e.affectsConfiguration('skilllint')) this.#soon(); }),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    vscode.Disposable.from(...this.#parts).dispose();
  }

  refresh(): void {
    this.#skills = this.#clients = undefined;
    this.#stale.fire();
  }

  /** Reports whether the diagnostics of a document say something else than before. Whatever becomes of a skill, they tell. */
  #saysOther(uri: vscode.Uri): boolean {
    const words = vscode.languages.getDiagnostics(uri).filter((d) => d.source === 'skilllint').map((d) => d.message).join('\n');
    const before = this.#said.get(uri.toString()) ?? '';
    this.#said.set(uri.toString(), words);
    return words !== before;
  }

  #soon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.refresh();
    }, quiet);
  }

  /** All skills, each with what the clients that judge it make of it. */
  skills(): Promise<Skill[]> {
    return this.#skills ??= this.#server.clients().then(bySkill);
  }

  /** All clients that can be played. A skill must be there to ask for them. */
  clients(): Promise<ClientOutcome[]> {
    return this.#clients ??= this.skills().then(async ([first]) =>
      first ? (await this.#server.clients({textDocument: {uri: first.file}, clients: ['all']})).clients : []);
  }

  /** The skill that a document is, or is part of. */
  async skillOf(uri: vscode.Uri | undefined): Promise<Skill | undefined> {
    const skills = await this.skills();
    if (!uri) return undefined;
    const file = uri.toString();
    return skills.find((s) => same(s.file, file)) ?? skills.find((s) => file.startsWith(s.file.replace(/[^/]*$/, '')));
  }
}

/** Compares URIs that may be spelt in different ways. */
export const same = (a: string, b: string) => a === b || vscode.Uri.parse(a).toString() === vscode.Uri.parse(b).toString();

function bySkill(all: Clients): Skill[] {
  const skills = new Map<string, Skill>();
  for (const client of all.clients) {
    for (const outcome of client.skills) {
      const folder = decodeURIComponent(outcome.file.split('/').at(-2) ?? '');
      const skill = skills.get(outcome.file) ?? {file: outcome.file, name: folder, by: []};
      const loaded = outcome.loaded as typeof outcome.loaded | undefined; // absent when the client came to nothing
      skill.name = loaded?.name || outcome.name || skill.name;
      skill.by.push({client, outcome});
      skills.set(outcome.file, skill);
    }
  }
  return [...skills.values()].sort((a, b) => a.name.localeCompare(b.name) || a.file.localeCompare(b.file));
}
