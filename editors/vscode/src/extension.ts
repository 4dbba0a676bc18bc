// Agent Skills for VS Code: a language server for skills, two trees, and the Simulate panel.
import * as vscode from 'vscode';
import {Pages} from './cli';
import {commands, type Parts, register, type Target} from './commands';
import {Model} from './model';
import {Panel} from './panel';
import {lookAtEditor, Server} from './server';
import {ServersTree} from './servers_tree';
import {SkillsTree} from './skills_tree';
import {Status} from './status';

/** What others, and the tests, may know of the extension. */
export interface Api {
  /** Settles when the server runs, or cannot be started. */
  readonly started: Promise<void>;
  /** Milliseconds from the call of activate to its end: all but the start of the server. */
  readonly activation: number;
  /** The process of the server; undefined while there is none. */
  serverPid(): number | undefined;
  /** How often the server was asked by a method of its own. */
  asked(method: string): number;
}

let server: Server | undefined;

export function activate(context: vscode.ExtensionContext): Api {
  const begun = performance.now();
  const extension = context.extensionUri;
  // A code lens of the server names a command of the server; here its answer is shown in a panel or as a page.
  const shown = new Map(['simulate', 'clients', 'route', 'probe', 'replay'].map((name) =>
    [`skill.${name}`, (argument: unknown) => commands[name]!(parts, argument as Target)]));
  server = new Server(extension, shown);
  const model = new Model(server);
  const panel = new Panel(extension, server, model);
  const parts: Parts = {extension, server, model, panel, pages: new Pages()};
  context.subscriptions.push(
    new Status(server), model, panel, parts.pages, new SkillsTree(model), new ServersTree(server, model), register(parts), server,
    // The server was told that nothing may be started, for as long as it runs.
    vscode.workspace.onDidGrantWorkspaceTrust(() => server?.restart()),
    vscode.workspace.onDidChangeConfiguration((e) => { if (e.affectsConfiguration('skilllint.server.path')) void server?.restart(); }),
  );
  const started = lookAtEditor().then(() => server?.start());
  return {started, activation: performance.now() - begun, serverPid: () => server?.pid, asked: (method) => server?.asked.get(method) ?? 0};
}

export async function deactivate(): Promise<void> { await server?.stop(); }
