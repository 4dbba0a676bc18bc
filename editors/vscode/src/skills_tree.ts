import * as vscode from 'vscode';
import type {Model, Skill} from './model';
import {Tree} from './tree';

type Outcome = Skill['by'][number];
type Node = {skill: Skill; outcome?: Outcome};

const icons: Record<string, [string, string]> = {
  listed: ['pass', 'testing.iconPassed'], changed: ['warning', 'list.warningForeground'], hidden: ['eye-closed', 'descriptionForeground'],
  dropped: ['error', 'list.errorForeground'], 'root-lost': ['error', 'list.errorForeground'], 'client-crash': ['flame', 'list.errorForeground'],
};

/** Skills, and below each what every client makes of it. */
export class SkillsTree extends Tree<Node> {
  readonly #model: Model;

  constructor(model: Model) {
    super('skilllint.skills', model.onStale, {showCollapseAll: true});
    this.#model = model;
  }

  protected async roots(): Promise<Node[]> {
    const skills = await this.#model.skills().catch(() => []);
    const lost = skills.filter((s) => worst(s) !== 'listed').length;
    this.view.badge = lost > 0 ? {value: lost, tooltip: `${lost} of ${skills.length} skills are not seen as written by all of their clients`} : undefined;
    return skills.map((skill) => ({skill}));
  }

  protected below({skill, outcome}: Node): Node[] {
    return outcome ? [] : skill.by.map((outcome) => ({skill, outcome}));
  }

  protected told(roots: Node[]): string {
    return JSON.stringify(roots, ['skill', 'file', 'name', 'by', 'client', 'version', 'evidence', 'outcome', 'listed', 'status', 'reason', 'description']);
  }

  getTreeItem({skill, outcome}: Node): vscode.TreeItem {
    return outcome ? clientItem(skill, outcome) : skillItem(skill);
  }
}

function skillItem(skill: Skill): vscode.TreeItem {
  const uri = vscode.Uri.parse(skill.file);
  const listed = skill.by.filter((b) => b.outcome.listed).length;
  const item = new vscode.TreeItem(skill.name, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = skill.file;
  item.contextValue = 'skill';
  item.description = `${listed} of ${skill.by.length} · ${vscode.workspace.asRelativePath(vscode.Uri.joinPath(uri, '..'))}`;
  item.tooltip = `Listed by ${listed} of ${skill.by.length} clients`;
  item.iconPath = icon(worst(skill));
  item.command = open(uri);
  return item;
}

function clientItem(skill: Skill, {client, outcome}: Outcome): vscode.TreeItem {
  const item = new vscode.TreeItem(client.name);
  item.id = `${skill.file} ${client.name}`;
  item.description = outcome.reason ? `${outcome.status}: ${outcome.reason}` : outcome.status;
  item.tooltip = new vscode.MarkdownString().appendText(`${client.name} ${client.version}, ${client.evidence}\n${outcome.description}`);
  item.iconPath = icon(outcome.status);
  item.command = open(vscode.Uri.parse(skill.file));
  return item;
}

function icon(status: string): vscode.ThemeIcon {
  const [name, color] = icons[status] ?? ['question', 'foreground'];
  return new vscode.ThemeIcon(name, new vscode.ThemeColor(color));
}

function worst(skill: Skill): string {
  const order = ['client-crash', 'root-lost', 'dropped', 'changed', 'hidden', 'listed'];
  return order.find((status) => skill.by.some((b) => b.outcome.status === status)) ?? 'listed';
}

const open = (uri: vscode.Uri): vscode.Command => ({command: 'vscode.open', title: 'Open', arguments: [uri]});
