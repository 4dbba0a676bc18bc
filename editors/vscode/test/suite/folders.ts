import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {browser, edit, file, found, panel, say, started, suite, texts, until} from '../lib';

const changes = 15;

export const run = () => suite(() => {
  describe('two folders, one with 500 skills', () => {
    it('diagnoses both', async () => {
      await started();
      assert.equal(vscode.workspace.workspaceFolders!.length, 2);
      await until('the first', () => found(file('.claude/skills/deploy-staging/SKILL.md', 0)).length > 0);
      await until('the second', () => found(file('.claude/skills/broken/SKILL.md', 1)).length > 0);
    });

    it('follows typing, measured', async () => {
      const skill = file('.claude/skills/skill-250/SKILL.md', 1);
      await edit(skill);
      await panel(skill);
      await until('500 skills', async () => (await texts('label:has-text("Skill") option', true)).length > 500);
      await browser({do: 'choose', inside: true, label: 'Client', value: 'opencode'}); // which has room for all of them
      await until('the skill', async () => (await texts('mark', true)).some((t) => t.includes('skill-250')));
      const editor = await edit(skill);
      const times: number[] = [];
      for (let i = 0; i < changes; i++) {
        const word = `marker${i}x`;
        const seen = browser<number>({do: 'appears', inside: true, selector: 'mark', text: word});
        await browser({do: 'evaluate', inside: true, code: '0'}); // the browser looks now
        const at = new vscode.Position(2, editor.document.lineAt(2).text.length);
        const begun = Date.now();
        await editor.edit((b) => b.insert(at, ` ${word}`));
        times.push(await seen - begun);
      }
      times.sort((a, b) => a - b);
      await say(`       from a keystroke to the panel: half within ${times[changes >> 1]} ms, all within ${times.at(-1)} ms`);
    });
  });
});
