import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {browser, edit, file, found, panel, say, started, suite, texts, until} from '../lib';

const keystrokes = 60;
/** Long enough for all to happen that happens when somebody pauses. */
const pause = 700;

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
      let typed = '';
      const keystroke = () => {
        const key = 'abcdefgh'[typed.length % 8]!;
        typed += key;
        return browser<number>({do: 'keystroke', key, selector: 'mark', text: `comes up.${typed}`});
      };
      const times: number[] = [];
      while (times.length < keystrokes) times.push(await keystroke());
      await say(`       from a keystroke to the panel: ${spread(times)}`);
      const paused: number[] = [];
      while (paused.length < keystrokes / 4) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        paused.push(await keystroke());
      }
      await say(`       the same behind pauses: ${spread(paused)}`);
    });
  });
});

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const within = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  return `half within ${within(0.5)} ms, 95 % within ${within(0.95)} ms, all within ${within(1)} ms`;
}
