import * as vscode from 'vscode';
import type {Server, State} from './server';

/** Shows in the status bar whether the server runs, and how many problems it has found. */
export class Status implements vscode.Disposable {
  readonly item = vscode.window.createStatusBarItem('skilllint', vscode.StatusBarAlignment.Left, 0);
  readonly #server: Server;
  readonly #parts: vscode.Disposable[];

  constructor(server: Server) {
    this.#server = server;
    this.item.name = 'Agent Skills';
    this.item.command = 'skilllint.log';
    this.#parts = [this.item, server.onState(() => this.#show()), vscode.languages.onDidChangeDiagnostics(() => this.#show())];
    this.#show();
    this.item.show();
  }

  dispose(): void { vscode.Disposable.from(...this.#parts).dispose(); }

  #show(): void {
    const {errors, warnings} = counts();
    const text: Record<State, string> = {
      starting: '$(loading~spin) Skills', stopped: '$(error) Skills: stopped',
      running: errors + warnings === 0 ? '$(check) Skills' : `$(checklist) Skills $(error) ${errors} $(warning) ${warnings}`,
    };
    const shown = text[this.#server.state];
    if (this.item.text === shown) return; // whatever is set is sent to the workbench
    this.item.text = shown;
    const words = {starting: 'The language server starts', stopped: 'The language server is stopped', running: 'The language server runs'}[this.#server.state];
    this.item.tooltip = `${words}: ${errors} errors, ${warnings} warnings in skills`;
    this.item.accessibilityInformation = {label: `Skills: ${this.item.tooltip}`};
  }
}

/** Counts what the server has found in the whole workspace. */
export function counts(): {errors: number; warnings: number} {
  let errors = 0, warnings = 0;
  for (const [, diagnostics] of vscode.languages.getDiagnostics()) {
    for (const d of diagnostics) {
      if (d.source !== 'skilllint') continue;
      if (d.severity === vscode.DiagnosticSeverity.Error) errors++;
      if (d.severity === vscode.DiagnosticSeverity.Warning) warnings++;
    }
  }
  return {errors, warnings};
}
