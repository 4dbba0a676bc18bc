import {existsSync} from 'node:fs';
import {dirname, join} from 'node:path';
import * as vscode from 'vscode';

const suffix = process.platform === 'win32' ? '.exe' : '';

/** Where the programs are: those that the user names, else those that come with the extension, else those of the path. */
export interface Programs { server: string; cli: string }

export function programs(extension: vscode.Uri): Programs {
  const configured = vscode.workspace.getConfiguration('skilllint').get<string>('server.path', '').trim();
  const server = configured || bundled(extension) || 'skill-ls';
  const beside = join(dirname(server), 'skilllint' + suffix);
  return {server, cli: server !== 'skill-ls' && existsSync(beside) ? beside : 'skilllint'};
}

function bundled(extension: vscode.Uri): string | undefined {
  const file = vscode.Uri.joinPath(extension, 'server', 'skill-ls' + suffix).fsPath;
  return existsSync(file) ? file : undefined;
}
