import * as vscode from 'vscode';
import type {ConfiguredServer} from '../shared/protocol';
import type {Model} from './model';
import type {Server} from './server';
import {Tree} from './tree';

type Node = {server: ConfiguredServer; tool?: {name: string; tokens: number}};

/** MCP servers that the workspace configures, whether they may be started, and what their tools cost. */
export class ServersTree extends Tree<Node> {
  readonly #server: Server;

  constructor(server: Server, model: Model) {
    super('skilllint.servers', model.onStale);
    this.#server = server;
  }

  protected async roots(): Promise<Node[]> {
    const {servers} = await this.#server.servers().catch(() => ({servers: []}));
    return servers.map((server) => ({server}));
  }

  protected below({server, tool}: Node): Node[] {
    return tool ? [] : (server.tools ?? []).map((tool) => ({server, tool}));
  }

  protected told(roots: Node[]): string { return JSON.stringify(roots); }

  getTreeItem({server, tool}: Node): vscode.TreeItem {
    return tool ? toolItem(tool) : serverItem(server);
  }
}

function serverItem(s: ConfiguredServer): vscode.TreeItem {
  const tools = s.tools ?? [];
  const tokens = tools.reduce((sum, t) => sum + t.tokens, 0);
  const item = new vscode.TreeItem(s.server, tools.length > 0 ? vscode.TreeItemCollapsibleState.Collapsed : vscode.TreeItemCollapsibleState.None);
  const known = s.tools ? `${tools.length} tools · ${tokens} tokens` : 'not probed';
  item.description = `${known} · ${s.consent ? 'may be started' : 'no consent'}`;
  item.tooltip = `${s.launch}\n${vscode.workspace.asRelativePath(vscode.Uri.parse(s.file))}`;
  item.contextValue = 'server';
  item.iconPath = new vscode.ThemeIcon(s.tools ? 'server-environment' : 'server');
  item.command = {
    command: 'vscode.open', title: 'Open',
    arguments: [vscode.Uri.parse(s.file), {selection: new vscode.Range(s.line - 1, 0, s.line - 1, 0)}],
  };
  return item;
}

function toolItem(tool: {name: string; tokens: number}): vscode.TreeItem {
  const item = new vscode.TreeItem(tool.name);
  item.description = `${tool.tokens} tokens`;
  item.iconPath = new vscode.ThemeIcon('tools');
  return item;
}
