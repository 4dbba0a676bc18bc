import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {sep} from 'node:path';
import * as vscode from 'vscode';
import {browser, codeOf, edit, file, found, messages, panel, pictures, say, shown, started, suite, texts, until} from '../lib';

const colon = () => file('.claude/skills/deploy-staging/SKILL.md');
const notes = () => file('.claude/skills/release-notes/SKILL.md');

const tabs = () => vscode.window.tabGroups.all.flatMap((g) => g.tabs.map((t) => t.label));

export const run = () => suite(() => {
  describe('a workspace with skills', () => {
    it('activates on a SKILL.md, measured besides the start of the server', async () => {
      const {activation} = await started();
      await say(`       activate took ${activation.toFixed(1)} ms`);
      const editor = await edit(colon());
      assert.equal(editor.document.languageId, 'skill', 'the editor keeps its own language');
    });

    it('shows each diagnostic once', async () => {
      await edit(colon());
      await until('diagnostics', () => found(colon()).length > 0);
      await until('the rest of the workspace', () => found(file('.claude/skills/long-winded/SKILL.md')).length > 0);
      const all = found(colon()).map((d) => `${codeOf(d)} ${d.range.start.line}:${d.range.start.character}`);
      assert.deepEqual(all, [...new Set(all)]);
      assert.ok(all.some((d) => d.startsWith('yaml/unquoted-colon')), all.join());
    });

    it('takes pictures of diagnostics', async () => {
      await edit(colon());
      await vscode.commands.executeCommand('workbench.actions.view.problems');
      await until('squiggles', () => texts('.squiggly-error, .squiggly-warning').then((t) => t.length > 0));
      await pictures('diagnostics');
      await vscode.commands.executeCommand('workbench.action.closePanel');
    });

    it('applies a quick fix', async () => {
      const {document} = await edit(colon());
      const at = found(colon()).find((d) => codeOf(d) === 'yaml/unquoted-colon')!.range;
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>('vscode.executeCodeActionProvider', colon(), at, vscode.CodeActionKind.QuickFix.value, 10);
      const fix = actions.find((a) => a.isPreferred || a.edit)!;
      assert.ok(fix.edit, actions.map((a) => a.title).join());
      assert.ok(await vscode.workspace.applyEdit(fix.edit));
      await until('the diagnostic to go', () => !found(colon()).some((d) => codeOf(d) === 'yaml/unquoted-colon'));
      assert.match(document.getText(), /description: ["']/);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await until('the diagnostic to come back', () => found(colon()).some((d) => codeOf(d) === 'yaml/unquoted-colon'));
    });

    it('fixes all at once', async () => {
      const {document} = await edit(colon());
      await vscode.commands.executeCommand('skilllint.fixAll');
      await until('the fix', () => /description: ["']/.test(document.getText()));
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('adds to the hover of the editor without saying anything twice', async () => {
      await edit(notes());
      const hovers = await until('hovers', async () => {
        const all = await vscode.commands.executeCommand<vscode.Hover[]>('vscode.executeHoverProvider', notes(), new vscode.Position(1, 8));
        return all.length > 0 && all;
      });
      const contents = hovers.flatMap((h) => h.contents.map((c) => typeof c === 'string' ? c : c.value));
      assert.equal(contents.filter((c) => c.includes('| client |')).length, 1, contents.join('\n---\n'));
      assert.deepEqual(contents, [...new Set(contents)]);
    });

    it('adds to the completion of the editor without offering anything twice', async () => {
      const editor = await edit(notes());
      await editor.edit((b) => b.insert(new vscode.Position(3, 0), '\n'));
      const labels = await until('the keys that the editor offers by itself', async () => {
        const list = await vscode.commands.executeCommand<vscode.CompletionList>('vscode.executeCompletionItemProvider', notes(), new vscode.Position(3, 0));
        const all = list.items.map((i) => typeof i.label === 'string' ? i.label : i.label.label);
        return all.includes('license') && all;
      });
      assert.deepEqual(labels.filter((l, i) => labels.indexOf(l) !== i), [], 'offered twice');
      assert.ok(labels.includes('allowed-tools'), labels.join());
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });

    it('shows skills and servers as trees', async () => {
      await vscode.commands.executeCommand('workbench.view.extension.skilllint');
      await until('skills', async () => (await texts('.pane-body .monaco-list-row')).some((t) => t.includes('release-notes')));
      await until('servers', async () => (await texts('.pane-body .monaco-list-row')).some((t) => t.includes('tickets')));
      const row = (await texts('.pane-body .monaco-list-row')).find((t) => t.includes('tickets'))!;
      assert.match(row, /2 tools · \d+ tokens · no consent/);
      await browser({do: 'click', selector: '.pane-body .monaco-list-row:has-text("long-winded") .monaco-tl-twistie'});
      await until('clients', async () => (await texts('.pane-body .monaco-list-row')).some((t) => t.includes('claude-code')));
      await pictures('trees');
    });

    it('draws a tree anew when what it shows has changed, and leaves the other alone', async () => {
      const rows = (word: string) => `[...document.querySelectorAll(".pane-body .monaco-list-rows")].find((rows) => rows.textContent.includes("${word}"))`;
      await browser({do: 'evaluate', code: `window.redrawn = 0; new MutationObserver(() => window.redrawn++).observe(${rows('tickets')}, {subtree: true, childList: true, characterData: true, attributes: true}); 0`});
      const editor = await edit(notes());
      const listed = async () => (await texts('.pane-body .monaco-list-row')).find((t) => t.includes('release-notes'))!;
      const before = await listed();
      await editor.edit((b) => b.insert(new vscode.Position(2, 0), '---\n'));
      await until('a skill without a description', async () => await listed() !== before);
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await until('the skill as it was', async () => await listed() === before);
      assert.equal(await browser({do: 'evaluate', code: 'window.redrawn'}), 0, 'the servers are the same');
    });

    it('opens the Simulate panel, which follows what is typed', async () => {
      await edit(notes());
      await panel(notes());
      await until('the listing', async () => (await texts('mark', true)).some((t) => t.includes('release-notes')));
      const editor = await edit(notes());
      await editor.edit((b) => b.insert(new vscode.Position(2, 'description: '.length), 'Xylophones first. '));
      await until('the change', async () => (await texts('mark', true)).some((t) => t.includes('Xylophones')));
      await vscode.commands.executeCommand('workbench.action.files.revert');
      await until('the change back', async () => !(await shown()).includes('Xylophones'));
    });

    it('shows text of skills as text', async () => {
      await panel(file('.claude/skills/hostile/SKILL.md'));
      await until('the hostile text', async () => (await shown()).includes('onerror="window.hacked'));
      await browser({do: 'click', inside: true, selector: '#tab-activation'});
      await until('the hostile text', async () => (await shown()).includes('<script>window.hacked = 1</script>'));
      assert.equal(await browser({do: 'evaluate', inside: true, code: 'document.querySelectorAll("main img, main script, main b").length + (window.hacked ? 100 : 0)'}), 0);
      await browser({do: 'click', inside: true, selector: '#tab-listing'});
    });

    it('compares two clients', async () => {
      await panel(file('.claude/skills/long-winded/SKILL.md'));
      await browser({do: 'choose', inside: true, label: 'Compare with', value: 'vscode'});
      await until('two columns', async () => (await texts('.column h2', true)).length === 2);
      await vscode.commands.executeCommand('workbench.action.closeSidebar');
      await vscode.commands.executeCommand('workbench.action.focusSecondEditorGroup');
      await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
      await pictures('simulate-listing');
    });

    it('shows what an activation puts in', async () => {
      await vscode.commands.executeCommand('workbench.action.toggleMaximizeEditorGroup');
      await browser({do: 'choose', inside: true, label: 'Compare with', value: ''});
      await browser({do: 'choose', inside: true, label: 'Skill', value: notes().toString()});
      await browser({do: 'click', inside: true, selector: '#tab-activation'});
      await browser({do: 'fill', inside: true, selector: 'label:has-text("Arguments") input', text: 'v1.4 v1.5'});
      await until('the arguments', async () => (await texts('ins', true)).some((t) => t === 'v1.4'));
      assert.deepEqual(await texts('del', true), ['$0', '$1', '$ARGUMENTS'], 'the variables in whose place they stand');
      await pictures('simulate-activation');
    });

    it('shows tools as each client does', async () => {
      await browser({do: 'click', inside: true, selector: '#tab-tools'});
      await until('tools', async () => (await texts('.tool summary', true)).some((t) => t.includes('search_tickets')));
      await browser({do: 'choose', inside: true, label: 'Client', value: 'codex'});
      await until('what Codex drops from a schema', async () => (await texts('del.line', true)).some((t) => t.includes('"minLength": 2')));
      assert.ok((await texts('ins.line', true)).some((t) => t.includes('"enum"')), 'what it puts there');
      await pictures('simulate-tools');
      await browser({do: 'choose', inside: true, label: 'Client', value: 'claude-code'});
    });

    it('routes a query', async () => {
      await browser({do: 'click', inside: true, selector: '#tab-routing'});
      await browser({do: 'fill', inside: true, selector: 'label:has-text("Query") input', text: 'write release notes for the changes since v1.4'});
      await until('a ranking', async () => (await texts('.ranking li', true))[0]?.includes('release-notes'));
      assert.equal((await texts('.ranking li.own', true)).length > 0, true, 'the chosen skill is marked');
      await pictures('simulate-routing');
    });

    it('replays a transcript as a timeline, which leads to its lines', async () => {
      await vscode.commands.executeCommand('skilllint.replay', file('session.jsonl'));
      await until('the calls', async () => (await texts('.timeline > li', true)).length === 3);
      const calls = await texts('.timeline > li', true);
      assert.match(calls.join('\n'), /pass: tickets\/search_tickets line 1[\s\S]*fail: tickets\/search_tickets line 2[\s\S]*fail: tickets\/close_ticket line 3/);
      await pictures('simulate-replay');
      await browser({do: 'click', inside: true, selector: '.timeline > li:nth-child(2) button'});
      await until('the line', () => vscode.window.activeTextEditor?.document.uri.path.endsWith('session.jsonl') && vscode.window.activeTextEditor.selection.active.line === 1);
    });

    it('copies and saves what each tab shows as Markdown', async () => {
      const held = {listing: 'release-notes: Writes', activation: 'v1.4 to v1.5', tools: '"additionalProperties": false', routing: 'write release notes', replay: 'removed-tool'};
      for (const [tab, words] of Object.entries(held)) {
        await browser({do: 'click', inside: true, selector: `#tab-${tab}`});
        await vscode.env.clipboard.writeText('');
        await browser({do: 'click', inside: true, selector: 'button:text-is("Copy as Markdown")'});
        await until('the word that it is copied', async () => (await texts('.done', true)).join() === 'Copied.');
        const copied = await vscode.env.clipboard.readText();
        assert.ok(copied.startsWith('# ') && copied.includes(words), `${tab}: ${copied}`);
      }
      await browser({do: 'click', inside: true, selector: 'button:text-is("Save as Markdown…")'});
      await until('the proposal', async () => (await browser<string>({do: 'evaluate', code: 'document.querySelector(".quick-input-widget input").value'})) === file('replay.md').fsPath);
      await browser({do: 'press', key: 'Enter'});
      await until('the file', () => existsSync(file('replay.md').fsPath));
      await until('the word that it is saved', async () => (await texts('.done', true)).join() === 'Saved.');
      assert.equal(readFileSync(file('replay.md').fsPath, 'utf8'), await vscode.env.clipboard.readText());
    });

    it('captures what a client really sends', async () => {
      void vscode.commands.executeCommand('skilllint.capture');
      const offered = await until('the clients', async () => {
        const rows = await texts('.quick-input-list .monaco-list-row');
        return rows.some((t) => t.includes('claude-code')) && !rows.includes('..') && rows; // the dialogue for files has made room
      });
      assert.deepEqual(offered.filter((t) => !t.includes(sep)), [], 'a client without a program');
      await browser({do: 'fill', selector: '.quick-input-widget input', text: 'claude-code'});
      await browser({do: 'press', key: 'Enter'});
      await until('the page', () => tabs().some((t) => t.includes('Prompt of claude-code')));
      const page = await vscode.workspace.openTextDocument(vscode.Uri.from({scheme: 'skilllint', path: '/Prompt of claude-code.md'}));
      assert.match(page.getText(), /You stand in for a client\./);
    });

    it('moves between tabs by the keyboard and says where it is', async () => {
      await browser({do: 'click', inside: true, selector: '#tab-listing'});
      await browser({do: 'press', key: 'ArrowRight'});
      assert.deepEqual(await texts('[role=tab][aria-selected=true]', true), ['Activation']);
      assert.equal(await browser({do: 'evaluate', inside: true, code: 'document.activeElement.id'}), 'tab-activation');
      assert.deepEqual(await browser({do: 'evaluate', inside: true, code: '[...document.querySelectorAll("select, input")].filter((e) => !e.labels?.[0]?.textContent).length'}), 0, 'fields without a name');
      assert.equal(await browser({do: 'evaluate', inside: true, code: 'getComputedStyle(document.documentElement).colorScheme'}), 'dark', 'colours that the theme leaves open follow it');
    });

    it('starts no MCP server by opening, looking or simulating', () => {
      assert.ok(!existsSync(file('started-server').fsPath), 'a server was started');
    });

    it('starts no MCP server without consent, which VS Code under test never gives', async () => {
      await vscode.commands.executeCommand('skilllint.probe');
      await until('the report', () => tabs().some((t) => t.includes('MCP servers')));
      assert.ok(!existsSync(file('started-server').fsPath), 'a server was started');
    });

    it('shows the page of a rule, and which clients see a skill', async () => {
      await vscode.commands.executeCommand('skilllint.rule', 'yaml/unquoted-colon');
      await until('the page', () => tabs().some((t) => t.includes('yaml unquoted-colon')));
      await vscode.commands.executeCommand('skilllint.clients', colon());
      await until('the table', () => tabs().some((t) => t.includes('Clients of deploy-staging')));
      assert.equal(vscode.window.tabGroups.all.length, 2, 'pages share a column');
    });

    it('ranks skills while a query is typed', async () => {
      void vscode.commands.executeCommand('skilllint.route', colon());
      await browser({do: 'fill', selector: '.quick-input-widget input[placeholder="Type what a user would say"]', text: 'release notes'});
      await until('the first skill', async () => (await texts('.quick-input-list .monaco-list-row'))[0]?.includes('release-notes'));
      await browser({do: 'press', key: 'Escape'});
    });

    it('creates a skill', async () => {
      void vscode.commands.executeCommand('skilllint.new');
      await until('the folders', async () => (await texts('.quick-input-list .monaco-list-row'))[0]?.includes('.claude/skills'));
      await browser({do: 'press', key: 'Enter'});
      await browser({do: 'wait', selector: '.quick-input-widget input[placeholder="release-notes"]'});
      await browser({do: 'fill', selector: '.quick-input-widget input', text: 'new-skill'});
      await browser({do: 'press', key: 'Enter'});
      await until('the skill', () => existsSync(file('.claude/skills/new-skill/SKILL.md').fsPath));
      await until('the editor', () => vscode.window.activeTextEditor?.document.uri.path.endsWith('new-skill/SKILL.md'));
    });

    it('renames a skill with its folder', async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await edit(notes());
      await vscode.commands.executeCommand('editor.action.rename', [notes(), new vscode.Position(1, 8)]);
      await browser({do: 'wait', selector: '.rename-box input:focus'});
      await browser({do: 'fill', selector: '.rename-box input', text: 'change-log'});
      await browser({do: 'press', key: 'Enter'});
      await until('the folder', () => existsSync(file('.claude/skills/change-log/SKILL.md').fsPath));
      assert.ok(!existsSync(notes().fsPath));
      const renamed = () => vscode.workspace.textDocuments.find((d) => d.uri.path.endsWith('change-log/SKILL.md'));
      await until('the name', () => /^name: change-log$/m.test(renamed()?.getText() ?? ''));
      await vscode.workspace.saveAll();
    });

    it('starts the server again when it is killed, and says so', async () => {
      const {serverPid} = await started();
      const killed = serverPid()!;
      process.kill(killed, 'SIGKILL');
      await until('a message', async () => (await messages()).some((m) => m.includes('is started again')));
      await until('another server', () => serverPid() !== undefined && serverPid() !== killed);
      const {document} = await edit(colon());
      await until('diagnostics of the new server', () => found(document.uri).length > 0);
    });
  });
});
