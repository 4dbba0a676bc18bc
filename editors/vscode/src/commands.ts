// The commands of the palette.
import {isAbsolute, join} from 'node:path';
import * as vscode from 'vscode';
import {type Pages, skilllint} from './cli';
import type {Model, Skill} from './model';
import type {Panel} from './panel';
import type {Server} from './server';

export interface Parts { extension: vscode.Uri; server: Server; model: Model; panel: Panel; pages: Pages }

/** What a command may be called with: nothing, a URI, the URI as a text, or what a tree shows. */
export type Target = vscode.Uri | string | {skill?: Skill; server?: {server: string; file: string}} | {textDocument?: {uri: string}; servers?: string[]} | undefined;

type Command = (parts: Parts, target: Target) => unknown;

export const commands: Record<string, Command> = {
  simulate: ({panel}, target) => panel.show(uriOf(target)),
  clients: whichClients,
  route: whichSkill,
  probe,
  replay: ({panel}, target) => panel.showTranscript(target instanceof vscode.Uri ? target : undefined),
  capture,
  new: newSkill,
  fixAll: () => vscode.commands.executeCommand('editor.action.codeAction', {kind: 'source.fixAll.skilllint', apply: 'first'}),
  rule: showRule,
  refresh: ({model}) => model.refresh(),
  restart: ({server}) => server.restart(),
  log: ({server}) => server.channel.show(),
};

/** Registers all commands. What goes wrong in one is shown. */
export function register(parts: Parts): vscode.Disposable {
  return vscode.Disposable.from(...Object.entries(commands).map(([name, run]) =>
    vscode.commands.registerCommand(`skilllint.${name}`, async (target?: Target) => {
      try {
        return await run(parts, target);
      } catch (e) {
        void vscode.window.showErrorMessage(e instanceof Error ? e.message : String(e));
      }
    })));
}

function uriOf(target: Target): vscode.Uri | undefined {
  if (target instanceof vscode.Uri) return target;
  if (typeof target === 'string') return vscode.Uri.parse(target);
  if (target && 'skill' in target && target.skill) return vscode.Uri.parse(target.skill.file);
  if (target && 'textDocument' in target && target.textDocument) return vscode.Uri.parse(target.textDocument.uri);
  return vscode.window.activeTextEditor?.document.uri;
}

async function whichClients({server, pages}: Parts, target: Target): Promise<void> {
  const uri = uriOf(target);
  if (!uri) throw new Error('Open a skill to see which clients list it.');
  const {clients} = await server.clients({textDocument: {uri: uri.toString()}, clients: ['all']});
  const rows = clients.map((c) => {
    const o = c.skills[0];
    return `| ${c.name} ${c.version} | ${o?.status ?? ''} | ${cell(o?.reason ?? '')} | ${cell(o?.description ?? '')} |`;
  });
  await pages.show(`Clients of ${uri.path.split('/').at(-2)}`,
    ['| client | the skill is | because | description in the prompt |', '|---|---|---|---|', ...rows].join('\n'));
}

/** Makes a text fit for one cell of a table, and keeps markup in it from being any. */
const cell = (text: string) => text.replace(/[\\`*_{}[\]<>|&#!~]/g, '\\$&').replace(/\s+/g, ' ');

/** Ranks the skills while the user types a query. */
async function whichSkill({server, panel}: Parts, target: Target): Promise<void> {
  const uri = uriOf(target);
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & {file?: string}>();
  picker.title = 'Which skill would answer…';
  picker.placeholder = 'Type what a user would say';
  let last = 0;
  picker.onDidChangeValue(async (value) => {
    const run = ++last;
    const query = value.trim();
    const about = uri ? {textDocument: {uri: uri.toString()}} : {};
    const answer = query === '' ? undefined : await server.route({...about, queries: [query]}).catch(() => server.route({queries: [query]})).catch(() => undefined);
    if (run !== last) return;
    const q = answer?.queries[0];
    picker.items = (q?.ranking ?? []).map((r, i) => ({
      label: r.name, description: r.score.toFixed(2), file: r.skill, alwaysShow: true,
      detail: i === 0 && q ? q.words.map((w) => `${w.word} ${Math.round(w.share * 100)} %`).join(', ') : undefined,
    }));
  });
  picker.onDidAccept(() => {
    picker.hide();
    void panel.show(uri, 'routing');
  });
  picker.onDidHide(() => picker.dispose());
  picker.show();
}

/** Has the server ask for consent and start MCP servers: never in a workspace that the user does not trust. */
async function probe({server, model, pages}: Parts, target: Target): Promise<void> {
  if (!vscode.workspace.isTrusted) {
    const manage = 'Manage Workspace Trust';
    const answer = await vscode.window.showWarningMessage('MCP servers are not started: this workspace is not trusted.', manage);
    if (answer === manage) await vscode.commands.executeCommand('workbench.trust.manage');
    return;
  }
  const result = await server.probe(probeParams(target));
  model.refresh();
  if (result.markdown) await pages.show('MCP servers', result.markdown);
}

function probeParams(target: Target): {textDocument?: {uri: string}; servers?: string[]} {
  if (!target || target instanceof vscode.Uri) return {};
  if (typeof target === 'string') return {textDocument: {uri: target}};
  if ('server' in target && target.server) return {textDocument: {uri: target.server.file}, servers: [target.server.server]};
  if ('textDocument' in target) return target;
  return {};
}

/** Runs an installed client against a model on this machine and shows the prompt that it really sends. */
async function capture({extension, pages}: Parts): Promise<void> {
  if (!vscode.workspace.isTrusted) throw new Error('No client is started: this workspace is not trusted.');
  const client = await vscode.window.showQuickPick(await installed(extension),
    {title: 'Capture real prompt', placeHolder: 'The client, installed on this machine, that is run once against a model on this machine'});
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!client || !folder) return;
  const markdown = await vscode.window.withProgress({location: vscode.ProgressLocation.Notification, title: `Running ${client.label}`},
    () => skilllint(extension, ['capture', '--client', client.label, '--format', 'markdown'], folder.uri.fsPath));
  await pages.show(`Prompt of ${client.label}`, markdown);
}

interface Installation { client: string; installed: boolean; program?: string }

/** The clients that can be run: those that are known to let themselves be led to another model, and are installed. */
async function installed(extension: vscode.Uri): Promise<vscode.QuickPickItem[]> {
  const {clients} = JSON.parse(await skilllint(extension, ['capture', '--list', '--format', 'json'])) as {clients: Installation[]};
  const there = clients.filter((c) => c.installed);
  if (there.length === 0) throw new Error(`None of the clients that can be run is in PATH: ${clients.map((c) => c.client).join(', ')}.`);
  return there.map((c) => ({label: c.client, description: c.program}));
}

const folders = ['.agents/skills', '.claude/skills', '.github/skills', 'skills'];

async function newSkill({extension, model}: Parts): Promise<void> {
  const root = (await pickFolder())?.uri.fsPath;
  if (!root) throw new Error('Open a folder to create a skill in.');
  const known = (await model.skills()).map((s) => join(vscode.Uri.parse(s.file).fsPath, '..', '..'));
  const there = [...new Set(known)].filter((f) => f.startsWith(root)).map((f) => f.slice(root.length + 1) || '.');
  const place = await vscode.window.showQuickPick([...new Set([...there, ...folders])], {title: 'New skill', placeHolder: 'The folder of skills'});
  if (place === undefined) return;
  const name = await vscode.window.showInputBox({
    title: 'New skill', prompt: 'Its name', placeHolder: 'release-notes',
    validateInput: (v) => /^[a-z0-9]+(-[a-z0-9]+)*$/.test(v) && v.length <= 64 ? undefined : 'Use lower-case letters, digits and single hyphens, at most 64.',
  });
  if (!name) return;
  await skilllint(extension, ['new', join(place, name)], root);
  model.refresh();
  const folder = isAbsolute(place) ? place : join(root, place);
  await vscode.window.showTextDocument(vscode.Uri.file(join(folder, name, 'SKILL.md')));
}

function pickFolder(): Thenable<vscode.WorkspaceFolder | undefined> {
  const all = vscode.workspace.workspaceFolders ?? [];
  return all.length > 1 ? vscode.window.showWorkspaceFolderPick() : Promise.resolve(all[0]);
}

interface Rule { name: string; severity: string; what: string }

/** Shows the page of a rule: of one that has found something where the cursor stands, else of one the user picks. */
async function showRule({extension, pages}: Parts, target: Target): Promise<void> {
  const name = (typeof target === 'string' ? target : undefined) ?? await pickRule(extension);
  if (name) await pages.show(name.replace('/', ' '), await skilllint(extension, ['explain', name, '--format', 'markdown']));
}

async function pickRule(extension: vscode.Uri): Promise<string | undefined> {
  const here = rulesHere();
  if (here.length === 1) return here[0];
  const {rules} = JSON.parse(await skilllint(extension, ['rules', '--format', 'json'])) as {rules: Rule[]};
  const shown = here.length > 0 ? rules.filter((r) => here.includes(r.name)) : rules;
  const picked = await vscode.window.showQuickPick(shown.map((r) => ({label: r.name, description: r.severity, detail: r.what})), {title: 'Show rule', matchOnDetail: true});
  return picked?.label;
}

function rulesHere(): string[] {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return [];
  const found = vscode.languages.getDiagnostics(editor.document.uri).filter((d) => d.source === 'skilllint' && d.range.contains(editor.selection.active));
  return [...new Set(found.map((d) => String(typeof d.code === 'object' ? d.code.value : d.code)))];
}
