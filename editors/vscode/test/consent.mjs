// Consent to start MCP servers, with the dialogue that users see. VS Code shows none while a suite runs in it, so this
// test drives the workbench from outside.
import assert from 'node:assert/strict';
import {existsSync, rmSync} from 'node:fs';
import {join} from 'node:path';

/** Answers the dialogue in each way and looks at what is started. */
export async function consent(page, root, pictures) {
  const trace = (server) => join(root, 'shop', `started-${server}`);
  const started = (server) => existsSync(trace(server));
  const dialog = page.locator('.monaco-dialog-box');
  const row = (server) => page.locator('.pane-body .monaco-list-row').filter({hasText: server});
  const answer = async (server, how) => {
    const box = dialog.filter({hasText: `started-${server}`});
    await box.waitFor();
    const text = await box.textContent();
    assert.match(text, /Start this MCP server\? It can do whatever you can\./);
    assert.ok(text.includes(`node mcp/server.mjs started-${server}`), `the whole command is shown: ${text}`);
    assert.ok(!started(server), `${server} was started before the answer`);
    await how(box);
    await box.waitFor({state: 'detached'});
  };
  const button = (name) => (box) => box.getByRole('button', {name, exact: true}).click();
  const probe = () => command(page, 'Skills: Probe MCP Servers');

  await page.locator('.activitybar').getByRole('tab', {name: 'Agent Skills'}).click();
  await row('stock').filter({hasText: 'not probed · no consent'}).waitFor();
  await probe();
  await answer('tickets', button('No'));
  await answer('stock', (box) => box.press('Escape'));
  await page.getByRole('tab', {name: /MCP servers/}).waitFor(); // the report: all is done
  assert.deepEqual([started('stock'), started('tickets')], [false, false], 'a refused server was started');
  console.log('  ok   starts nothing for a no, nor for a dialogue that is closed');

  await probe();
  await dialog.filter({hasText: 'started-tickets'}).waitFor();
  await page.screenshot({path: join(pictures, 'consent-light.png'), clip: {x: 0, y: 30, width: 1280, height: 770}}); // without the title bar
  await answer('tickets', button('Always'));
  await answer('stock', button('Once'));
  await row('stock').filter({hasText: /1 tools? · \d+ tokens · no consent/}).waitFor();
  await row('tickets').filter({hasText: /1 tools? · \d+ tokens · may be started/}).waitFor();
  assert.deepEqual([started('stock'), started('tickets')], [true, true]);
  await row('tickets').locator('.monaco-tl-twistie').click();
  await row('count_boxes').waitFor();
  console.log('  ok   starts those that are agreed to, and shows their tools');

  for (const server of ['stock', 'tickets']) rmSync(trace(server));
  await probe();
  await answer('stock', button('No'));
  for (const end = Date.now() + 30_000; !started('tickets');) {
    assert.ok(Date.now() < end && await dialog.count() === 0, 'tickets is not started without another question');
    await page.waitForTimeout(50);
  }
  assert.ok(!started('stock'));
  console.log('  ok   asks again after Once, and not after Always');
}

/** Runs a command as a user does, who tries again when a key or a word is lost while the focus is being moved. */
async function command(page, title) {
  const input = page.locator('.quick-input-widget input');
  const row = page.locator('.quick-input-list .monaco-list-row').filter({hasText: title}).first();
  const offered = async () => {
    await page.keyboard.press('F1');
    await input.fill(`>${title}`, {timeout: 2000});
    await row.waitFor({timeout: 5000});
  };
  for (let tries = 6; !await offered().then(() => true, (e) => { if (--tries === 0) throw e; }); await page.keyboard.press('Escape'));
  await page.keyboard.press('Enter');
}
