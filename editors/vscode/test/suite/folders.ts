import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import {browser, edit, file, found, panel, say, started, suite, texts, until} from '../lib';

const keystrokes = 60;
/** Long enough for all to happen that happens when somebody pauses. */
const pause = 1000;
/** For how long somebody pauses at least when all skills are looked at: `quiet` in src/model.ts. */
const quiet = 700;

export const run = () => suite(() => {
  describe('two folders, one with 500 skills', () => {
    const skill = file('.claude/skills/skill-250/SKILL.md', 1);
    let typed = '';

    it('diagnoses both', async () => {
      await started();
      assert.equal(vscode.workspace.workspaceFolders!.length, 2);
      await until('the first', () => found(file('.claude/skills/deploy-staging/SKILL.md', 0)).length > 0);
      await until('the second', () => found(file('.claude/skills/broken/SKILL.md', 1)).length > 0);
    });

    it('shows the skill among them', async () => {
      await edit(skill);
      await panel(skill);
      await until('500 skills', async () => (await texts('label:has-text("Skill") option', true)).length > 500);
      await browser({do: 'choose', inside: true, label: 'Client', value: 'opencode'}); // which has room for all of them
      await until('the skill', async () => (await texts('mark', true)).some((t) => t.includes('skill-250')));
      await browser({do: 'evaluate', inside: true, code: `window.answers = 0; addEventListener('message', (e) => { if (e.data.changed?.answer) window.answers++; })`});
    });

    const keystroke = () => {
      const key = 'abcdefgh'[typed.length % 8]!;
      typed += key;
      return browser<number>({do: 'keystroke', key, selector: 'mark', text: `comes up.${typed}`});
    };

    it('follows typing, measured, with one question and one answer for each key', async () => {
      await cursor(skill, 2);
      const {simulate, clients} = await asked();
      const times: number[] = [];
      while (times.length < keystrokes) times.push(await keystroke());
      await say(`       from a keystroke to the panel: ${spread(times)}`);
      const paused: number[] = [];
      while (paused.length < keystrokes / 4) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        paused.push(await keystroke());
      }
      await say(`       the same behind pauses: ${spread(paused)}`);
      const now = await asked(), keys = times.length + paused.length, other = now.clients - clients; // it also asks when skills were looked at
      assert.ok(now.simulate - simulate >= keys && now.simulate - simulate <= keys + other, `${now.simulate - simulate} questions for ${keys} keys and ${other} looks at all skills`);
      const answers = await browser<number>({do: 'evaluate', inside: true, code: 'window.answers'});
      assert.ok(answers >= keys && answers <= keys + other, `${answers} answers for ${keys} keys`);
    });

    it('asks no more often than there are keys when they come faster than answers', async () => {
      const {simulate, clients} = await asked();
      const more = 'quick'.repeat(4);
      await browser({do: 'type', text: more});
      typed += more;
      await until('the last key', async () => (await texts('mark', true)).some((t) => t.includes(`comes up.${typed}`)));
      const now = await asked();
      assert.ok(now.simulate - simulate <= more.length + now.clients - clients, `${now.simulate - simulate} questions for ${more.length} keys`);
    });

    it('looks at all skills when the user pauses, not at each diagnostic', async () => {
      const {document} = await edit(skill);
      const line = new vscode.WorkspaceEdit();
      line.insert(skill, new vscode.Position(3, 0), 'q: nobody reads this\n');
      assert.ok(await vscode.workspace.applyEdit(line));
      const says = (field: string) => until(`a diagnostic about ${field}`, () => found(skill).some((d) => d.message.includes(`unknown key: ${field} is`)));
      await says('q');
      await cursor(skill, 3, 1);
      const {clients} = await asked();
      const changes: number[] = [];
      const listener = vscode.workspace.onDidChangeTextDocument((e) => { if (e.document === document) changes.push(Date.now()); });
      for (let field = 'q'; field.length < 6;) {
        field += 'x';
        await browser({do: 'type', text: 'x'});
        await says(field);
      }
      const pauses = changes.filter((at, i) => at - (changes[i - 1] ?? 0) >= quiet).length; // that before the first key is one
      const meanwhile = (await asked()).clients - clients;
      listener.dispose();
      assert.ok(meanwhile <= pauses + 1, `all skills were looked at ${meanwhile} times in ${pauses} pauses`);
      await until('a look at all skills', async () => (await asked()).clients > clients + meanwhile || meanwhile > 0);
    });
  });
});

/** How often the server was asked for what the panel shows, and for all skills. */
async function asked(): Promise<{simulate: number; clients: number}> {
  const api = await started();
  return {simulate: api.asked('skill/simulate'), clients: api.asked('skill/clients')};
}

/** Puts the cursor into a line, at its end unless a column is given, and waits until it is there, as the keys come another way. */
async function cursor(uri: vscode.Uri, line: number, column?: number): Promise<void> {
  const editor = await edit(uri);
  const at = column === undefined ? editor.document.lineAt(line).range.end : new vscode.Position(line, column);
  editor.selection = new vscode.Selection(at, at);
  await until('the cursor', async () => (await texts('[id="status.editor.selection"]')).some((t) => t.includes(`Ln ${at.line + 1}, Col ${at.character + 1}`)));
}

function spread(times: number[]): string {
  const sorted = times.toSorted((a, b) => a - b);
  const within = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
  return `half within ${within(0.5)} ms, 95 % within ${within(0.95)} ms, all within ${within(1)} ms`;
}
