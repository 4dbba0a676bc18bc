import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {browser, edit, file, found, panel, say, started, suite, texts, until} from '../lib';

const keystrokes = 60;

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
      const end = editor.document.lineAt(2).range.end;
      editor.selection = new vscode.Selection(end, end);
      const times: number[] = [];
      for (let typed = ''; times.length < keystrokes;) {
        const key = 'abcdefgh'[times.length % 8]!;
        typed += key;
        times.push(await browser<number>({do: 'keystroke', key, selector: 'mark', text: `comes up.${typed}`}));
      }
      times.sort((a, b) => a - b);
      const within = (share: number) => times[Math.ceil(share * times.length) - 1];
      await say(`       from a keystroke to the panel: half within ${within(0.5)} ms, 95 % within ${within(0.95)} ms, all within ${within(1)} ms`);
    });
  });
});
