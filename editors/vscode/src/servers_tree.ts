import * as vscode from 'vscode';
import type {ConfiguredServer} from '../shared/protocol';
import type {Model} from './model';
import type {Server} from './server';

type Node = {server: ConfiguredServer; tool?: {name: string; tokens: number}};

/** MCP servers that the workspace configures, whether they may be started, and what their tools cost. */
export class ServersTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #server: Server;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<Node>;
  readonly #parts: vscode.Disposable[];

  constructor(server: Server, model: Model) {
    this.#server = server;
    this.#view = vscode.window.createTreeView('skilllint.servers', {treeDataProvider: this});
    this.#parts = [this.#view, this.#changed, model.onChange(() => this.#changed.fire())];
  }

  dispose(): void { vscode.Disposable.from(...this.#parts).dispose(); }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node?.tool) return [];
    if (node) return (node.server.tools ?? []).map((tool) => ({server: node.server, tool}));
    const {servers} = await this.#server.servers().catch(() => ({servers: []}));
    return servers.map((server) => ({server}));
  }

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
