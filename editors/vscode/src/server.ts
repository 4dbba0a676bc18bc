// The language server: starts it, starts it again when it ends by itself, and asks it things.
import * as vscode from 'vscode';
import {
  CloseAction, type CloseHandlerResult, ErrorAction, type ErrorHandler, type ErrorHandlerResult, LanguageClient, type LanguageClientOptions,
  type ServerOptions, ShowMessageRequest, type ShowMessageRequestParams, type StaticFeature, TransportKind,
} from 'vscode-languageclient/node';
import type {Simulated} from '../page/source';
import type {Clients, Probe, Route, Servers, Simulation} from '../shared/protocol';
import type {ReplayReport} from '../shared/replay';
import {programs} from './locate';

export type State = 'starting' | 'running' | 'stopped';

/** How often the server may end by itself within this time before it stays down. */
const mostCrashes = 4;
const crashPeriod = 3 * 60_000;

/** What is about: a document, or the first folder of the workspace. */
export interface Subject { textDocument?: {uri: string}; folder?: string }

export class Server implements vscode.Disposable {
  readonly channel = vscode.window.createOutputChannel('Agent Skills', {log: true});
  readonly #extension: vscode.Uri;
  readonly #commands: Map<string, (argument: unknown) => unknown>;
  readonly #changed = new vscode.EventEmitter<State>();
  /** Fires when the server starts or ends. */
  readonly onState = this.#changed.event;
  readonly #told = new vscode.EventEmitter<void>();
  /** Fires when the server has been told of a new text. */
  readonly onText = this.#told.event;
  /** How often it was asked what. */
  readonly asked = new Map<string, number>();
  #client?: LanguageClient;
  #crashes: number[] = [];
  state: State = 'stopped';

  /** @param commands what to do here when a code lens of the server calls one of its commands */
  constructor(extension: vscode.Uri, commands: Map<string, (argument: unknown) => unknown>) {
    this.#extension = extension;
    this.#commands = commands;
  }

  /** Starts the server. Faults are shown; nothing is thrown. */
  async start(): Promise<void> {
    this.#set('starting');
    const client = this.#client = new LanguageClient('skilllint', 'Agent Skills', this.#program(), await this.#options());
    client.registerFeature(completedHere);
    try {
      // Ours instead of the client's own: consent to start a program is asked for in a dialogue that shows all of it.
      client.onRequest(ShowMessageRequest.type, ask);
      await client.start();
      this.#set('running');
    } catch (e) {
      this.#set('stopped');
      this.channel.error(e instanceof Error ? e : String(e));
      void this.#tell(`The language server for skills does not start: ${e instanceof Error ? e.message : String(e)}`);
    }
  }

  /** Stops the server and starts it with the settings of now. */
  async restart(): Promise<void> {
    this.#crashes = [];
    await this.stop();
    await this.start();
  }

  async stop(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client?.needsStop()) await client.stop().catch((e: unknown) => this.channel.warn(String(e)));
    await client?.dispose().catch((e: unknown) => this.channel.warn(String(e)));
  }

  /** The server's process, while there is one. */
  get pid(): number | undefined { return this.#client?.serverProcess?.pid; }

  dispose(): void {
    void this.stop();
    this.channel.dispose();
    this.#changed.dispose();
    this.#told.dispose();
  }

  simulate = (p: Subject & {client?: string; activate?: string; args?: string; about?: Simulated}) => this.#request<Simulation>('skill/simulate', p);
  clients = (p: Subject & {clients?: string[]} = {}) => this.#request<Clients>('skill/clients', p);
  route = (p: Subject & {client?: string; queries: string[]}) => this.#request<Route>('skill/route', p);
  probe = (p: Subject & {servers?: string[]}) => this.#request<Probe>('skill/probe', p);
  servers = (p: Subject = {}) => this.#request<Servers>('skill/servers', p);
  replay = (p: Subject & {recordings: string[]; all: boolean}) => this.#request<ReplayReport>('skill/replay', p);

  async #request<T>(method: string, params: object): Promise<T> {
    if (!this.#client) throw new Error('The language server for skills does not run.');
    this.asked.set(method, (this.asked.get(method) ?? 0) + 1);
    return this.#client.sendRequest<T>(method, params);
  }

  #set(state: State): void {
    this.state = state;
    this.#changed.fire(state);
  }

  #program(): ServerOptions {
    return {command: programs(this.#extension).server, transport: TransportKind.stdio};
  }

  async #options(): Promise<LanguageClientOptions> {
    return {
      documentSelector: [
        {scheme: 'file', language: 'skill'}, {scheme: 'file', language: 'markdown'}, {scheme: 'untitled', language: 'skill'},
        // Configurations of MCP servers and of the linter, and what skills bring along.
        {scheme: 'file', pattern: '**/{.mcp,mcp,mcp-config,mcp_config,settings,settings.local,plugin,opencode,gemini-extension,devcontainer,.devcontainer,evals}.{json,jsonc}'},
        {scheme: 'file', pattern: '**/*.code-workspace'},
        {scheme: 'file', pattern: '**/.codex/config.toml'},
        {scheme: 'file', pattern: '**/.skilllint.{yaml,yml,json}'},
      ],
      outputChannel: this.channel,
      initializationOptions: {panels: true, trusted: vscode.workspace.isTrusted},
      diagnosticPullOptions: {onChange: true, onSave: true, onFocus: true},
      errorHandler: this.#errors(),
      middleware: {
        didChange: async (change, next) => {
          await next(change);
          this.#told.fire();
        },
        executeCommand: (command, args, next) => this.#commands.get(command)?.(args[0]) ?? next(command, args),
      },
    };
  }

  #errors(): ErrorHandler {
    return {
      error: (): ErrorHandlerResult => ({action: ErrorAction.Continue, handled: true}),
      closed: (): CloseHandlerResult => {
        const now = Date.now();
        this.#crashes = [...this.#crashes.filter((at) => now - at < crashPeriod), now];
        if (this.#crashes.length > mostCrashes) {
          this.#set('stopped');
          void this.#tell(`The language server for skills has ended ${this.#crashes.length} times in a short while and stays down.`);
          return {action: CloseAction.DoNotRestart, handled: true};
        }
        this.#set('starting');
        void this.#tell('The language server for skills has ended and is started again.');
        this.#watchRestart();
        return {action: CloseAction.Restart, handled: true};
      },
    };
  }

  /** The client restarts the server by itself; this tells when it runs. */
  #watchRestart(): void {
    const client = this.#client;
    const listener = client?.onDidChangeState(() => {
      if (!client.isRunning()) return;
      listener?.dispose();
      this.#set('running');
    });
  }

  async #tell(message: string): Promise<void> {
    const log = 'Show Log', restart = 'Restart';
    const answer = await vscode.window.showWarningMessage(message, ...(this.state === 'stopped' ? [restart, log] : [log]));
    if (answer === log) this.channel.show();
    if (answer === restart) await this.restart();
  }
}

/** Tells the server that this editor completes the keys of a SKILL.md by itself, so that none is offered twice. */
const completedHere: StaticFeature = {
  fillClientCapabilities: (capabilities) => {
    capabilities.experimental = {...(capabilities.experimental as object | undefined), completesSkillKeys: completesSkillKeys};
  },
  initialize: () => {},
  getState: () => ({kind: 'static'}),
  clear: () => {},
};

let completesSkillKeys = false;

/** Finds out what the editor does for skills without us: those that know the language complete its keys. */
export async function lookAtEditor(): Promise<void> {
  completesSkillKeys = (await vscode.languages.getLanguages()).includes('skill');
}

/** Asks what the server has to ask in a dialogue that no other work hides. */
async function ask(p: ShowMessageRequestParams) {
  const [question = '', ...rest] = p.message.split('\n\n');
  const items = (p.actions ?? []).map((a) => ({...a, isCloseAffordance: a.title === 'No'}));
  return await vscode.window.showWarningMessage(question, {modal: true, detail: rest.join('\n\n')}, ...items) ?? null;
}
