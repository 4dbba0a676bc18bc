// What the suites share: they run in VS Code's extension host, and have the browser that shows VS Code do things.
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import type {Api} from '../src/extension';

/** Where the driver listens. */
const given = JSON.parse(readFileSync(__filename.replace(/\.js$/, '.json'), 'utf8')) as {driver: string};

type Call = {do: string} & Record<string, unknown>;

/** Has the browser do something. `inside` means the page in the webview instead of the workbench. */
export async function browser<T = unknown>(call: Call): Promise<T> {
  const response = await fetch(given.driver, {method: 'POST', body: JSON.stringify(call)});
  const {value, error} = await response.json() as {value: T; error?: string};
  if (error) throw new Error(`${call.do}: ${error}`);
  return value;
}

export const say = (text: string) => browser({do: 'say', text});
export const texts = (selector: string, inside = false) => browser<string[]>({do: 'texts', selector, inside});

/** Runs what `define` defines and tells the driver how it went. */
export async function suite(define: () => void): Promise<void> {
  const mocha = new Mocha({timeout: 120_000, ui: 'bdd', reporter: Reporter as never});
  mocha.suite.emit('pre-require', globalThis as never, '', mocha);
  let failures = 0, error: string | undefined;
  try {
    define();
    failures = await new Promise((resolve) => mocha.run(resolve));
  } catch (e) {
    error = e instanceof Error ? e.stack : String(e);
  }
  await printed;
  await browser({do: 'verdict', failures, error});
}

let printed: Promise<unknown> = Promise.resolve();
const print = (text: string) => { printed = printed.then(() => say(text)); };

/** Prints in the driver's console. */
function Reporter(runner: Mocha.Runner) {
  runner.on('pass', (test) => print(`  ok   ${test.title} (${test.duration} ms)`));
  runner.on('pending', (test) => print(`  skip ${test.title}`));
  runner.on('fail', (test, e: Error) => {
    print(`  FAIL ${test.fullTitle()}\n${e.stack}`);
    printed = printed.then(() => browser({do: 'picture', name: `failed-${test.title.replace(/\W+/g, '-')}`}));
  });
}

/** Waits until something holds, and returns it. Time alone decides nothing: what does not come fails the test. */
export async function until<T>(what: string, look: () => T | Promise<T>, seconds = 60): Promise<Exclude<NonNullable<T>, false>> {
  const end = Date.now() + seconds * 1000;
  let last: unknown;
  for (;;) {
    try {
      const value = await look();
      if (value) return value as Exclude<NonNullable<T>, false>;
    } catch (e) {
      last = e;
    }
    if (Date.now() > end) assert.fail(`${what}: not within ${seconds} s${last ? ` (${last})` : ''}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export const folder = (i = 0) => vscode.workspace.workspaceFolders![i]!.uri;
export const file = (path: string, i = 0) => vscode.Uri.joinPath(folder(i), path);

/** The messages to the user. VS Code keeps those that are no errors from popping up while it is under test. */
export async function messages(): Promise<string[]> {
  await vscode.commands.executeCommand('notifications.showList');
  return texts('.notifications-center .notification-list-item');
}

/** Opens a file in the editor. */
export async function edit(uri: vscode.Uri): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), {viewColumn: vscode.ViewColumn.One});
}

/** The extension, once its server runs. */
export async function started(): Promise<Api> {
  const extension = vscode.extensions.getExtension<Api>('skill-ls.skill-ls')!;
  const api = await until('activation', () => extension.isActive && extension.exports);
  await api.started;
  return api;
}

/** Our diagnostics of a file. */
export const found = (uri: vscode.Uri) => vscode.languages.getDiagnostics(uri).filter((d) => d.source === 'skilllint');
export const codeOf = (d: vscode.Diagnostic) => String(typeof d.code === 'object' ? d.code.value : d.code);

/** Chooses a colour theme and waits until the workbench has it. */
export async function theme(kind: 'Light' | 'Dark'): Promise<void> {
  await vscode.workspace.getConfiguration('workbench').update('colorTheme', `Default ${kind} Modern`, vscode.ConfigurationTarget.Global);
  await until(`${kind} theme`, () => vscode.window.activeColorTheme.kind === (kind === 'Dark' ? vscode.ColorThemeKind.Dark : vscode.ColorThemeKind.Light));
}

/** Takes a picture in both themes. */
export async function pictures(name: string): Promise<void> {
  for (const kind of ['Light', 'Dark'] as const) {
    await theme(kind);
    await browser({do: 'picture', name: `${name}-${kind.toLowerCase()}`});
  }
}

/** Opens the Simulate panel and waits until it shows something. */
export async function panel(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('skilllint.simulate', uri);
  await until('the page in the panel', () => texts('main[data-updated] h2', true).then((t) => t.length > 0));
}

/** The text that the panel shows. */
export const shown = async () => (await texts('[role=tabpanel]', true)).join('');
