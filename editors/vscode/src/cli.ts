import {execFile} from 'node:child_process';
import * as vscode from 'vscode';
import {programs} from './locate';

/** The exit status that tells of something found, not of a fault. */
const found = 1;

/** Runs skilllint in a folder and returns what it prints. The error holds what it says. */
export function skilllint(extension: vscode.Uri, args: string[], cwd?: string): Promise<string> {
  const {cli} = programs(extension);
  return new Promise((resolve, reject) => {
    execFile(cli, [...args, '--color', 'never'], {cwd, maxBuffer: 64 << 20}, (error, stdout, stderr) => {
      if (!error || error.code === found && stdout) return resolve(stdout);
      reject(new Error(stderr.trim().replace(/^skilllint: /, '') || `skilllint cannot be run: ${error.message}`));
    });
  });
}

/** Shows text that no file holds as rendered Markdown. */
export class Pages implements vscode.TextDocumentContentProvider, vscode.Disposable {
  static readonly scheme = 'skilllint';
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(Pages.scheme, this);

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string { return this.#texts.get(uri.toString()) ?? ''; }

  async show(title: string, markdown: string): Promise<void> {
    const uri = vscode.Uri.from({scheme: Pages.scheme, path: `/${title}.md`});
    this.#texts.set(uri.toString(), markdown);
    this.#changed.fire(uri);
    await vscode.commands.executeCommand(beside() ? 'markdown.showPreviewToSide' : 'markdown.showPreview', uri);
  }
}

/** Whether something new belongs beside what is active: beside a text, but not beside another page, or there would be ever more columns. */
export const beside = (): boolean => vscode.window.activeTextEditor !== undefined;
