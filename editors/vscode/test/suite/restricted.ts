import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import * as vscode from 'vscode';
import {edit, file, found, messages, started, suite, until} from '../lib';

export const run = () => suite(() => {
  describe('a workspace that is not trusted', () => {
    it('is checked', async () => {
      assert.equal(vscode.workspace.isTrusted, false);
      await started();
      await edit(file('.claude/skills/deploy-staging/SKILL.md'));
      await until('diagnostics', () => found(file('.claude/skills/deploy-staging/SKILL.md')).length > 0);
    });

    it('does not choose the language server', () => {
      assert.equal(vscode.workspace.getConfiguration('skilllint').get('server.path'), '');
    });

    it('starts no MCP server, whichever command asks for it', async () => {
      for (const command of ['skilllint.probe', 'skill.probe']) {
        void vscode.commands.executeCommand(command, file('.mcp.json').toString());
        await until('a message', async () => (await messages()).some((m) => m.includes('not trusted')));
        await vscode.commands.executeCommand('notifications.clearAll');
        await until('no message', async () => (await messages()).length === 0);
      }
      assert.ok(!existsSync(file('started-server').fsPath), 'a server was started');
    });

    it('runs no client', async () => {
      await vscode.commands.executeCommand('skilllint.capture');
      await until('a message', async () => (await messages()).some((m) => m.includes('No client is started')));
    });
  });
});
