// The packed page in a browser: node playground/test.mjs ARCHIVE
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {brotliCompressSync, constants, gunzipSync} from 'node:zlib';
import {chromium as chromiumOf} from '../editors/vscode/test/host/install.mjs';
import {serve} from './serve.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const {chromium} = createRequire(join(here, '..', 'editors', 'vscode', 'package.json'))('playwright-core');

const bad = '---\nname: sort-shells\ndescription: Sorts shells: by kind and size. Use it after a walk on the beach.\n---\n\nSee [the kinds](kinds.md).\n';
const good = '---\nname: map-tides\ndescription: Maps the tides of a harbour. Use it for plans of a day at sea.\n---\n\nRead the table.\n';

const scratch = mkdtempSync(join(tmpdir(), 'skilllint-playground-'));
const pictures = join(here, 'out');
mkdirSync(pictures, {recursive: true});
execFileSync('tar', ['-xzf', process.argv[2], '-C', scratch]);
const server = await serve(join(scratch, 'playground'));
const browser = await chromium.launch({executablePath: chromiumOf(), args: ['--no-sandbox', '--disable-gpu']});
const faults = [];
const foreign = [];

/** Opens the page at a fragment, in a browser without a memory. */
async function open(hash = '') {
  const context = await browser.newContext({viewport: {width: 1280, height: 1240}, permissions: ['clipboard-read', 'clipboard-write']});
  const page = await context.newPage();
  page.on('pageerror', (e) => faults.push(String(e)));
  page.on('console', (m) => { if (m.type() === 'error') faults.push(m.text()); });
  context.on('request', (r) => { if (!r.url().startsWith(server.url) && !r.url().startsWith(`blob:${server.url}`)) foreign.push(r.url()); });
  await page.goto(server.url + hash);
  await page.locator('html[data-ready]').waitFor({timeout: 120_000});
  return page;
}

/** Does something, and waits until all is worked out that it changes. */
async function after(page, work) {
  const before = await page.locator('html').getAttribute('data-updated');
  await work();
  await page.waitForFunction((old) => document.documentElement.dataset.updated !== old, before);
}

const texts = (page, selector) => page.locator(selector).allTextContents();
const field = (page, label) => page.locator(`label:has(> span:text-is("${label}"))`).locator('select, input');
const editor = (page) => page.locator('textarea');

async function test(name, work) {
  const begun = Date.now();
  await work();
  assert.deepEqual(faults, [], 'nothing goes wrong');
  console.log(`  ok   ${name} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
}

let failed = false;
try {
  let page, link;
  await test('starts, and shows what is wrong with what is typed', async () => {
    page = await open();
    await field(page, 'File').selectOption('skills/brew-tea/SKILL.md');
    await after(page, () => editor(page).fill(bad));
    await page.locator('.findings li.error', {hasText: 'yaml/unquoted-colon'}).waitFor();
    await page.locator('.findings li', {hasText: 'link/missing'}).waitFor();
    await page.waitForFunction(() => { // the list may be drawn anew while it is clicked
      const finding = [...document.querySelectorAll('.findings li.error')].find((li) => li.textContent.includes('yaml/unquoted-colon'));
      finding?.querySelector('.place').click();
      const e = document.querySelector('textarea');
      return e.value.slice(e.selectionStart, e.selectionEnd).startsWith(':');
    }); // a finding leads to its place
    await page.locator('.findings li.error button[title]').first().click();
    await page.locator('.findings pre:visible', {hasText: '## Why'}).waitFor();
  });
  await test('shows which client drops it, and why', async () => {
    const row = page.locator('table tbody tr', {hasText: 'brew-tea'});
    assert.ok(await row.locator('td.dropped').count() > 0, 'a client drops it');
    assert.ok(await row.locator('td.listed').count() + await row.locator('td.changed').count() > 0, 'another one does not');
    assert.match((await texts(page, '.losses')).join(), /copilot-cli.*yaml\/unquoted-colon/);
    await after(page, () => field(page, 'Skills are for').selectOption('all'));
    assert.ok(await page.locator('th.client').count() > 30, 'all clients are in the table');
  });
  await test('repairs it', async () => {
    await after(page, () => page.getByRole('button', {name: 'Make the safe fix'}).click());
    assert.match(await editor(page).inputValue(), /description: "Sorts shells: by kind/);
    await page.locator('.findings li.error', {hasText: 'yaml/unquoted-colon'}).waitFor({state: 'detached'});
  });
  await test('simulates and routes', async () => {
    await field(page, 'Skill').selectOption('skills/brew-tea/SKILL.md');
    await page.locator('mark', {hasText: 'Sorts shells: by kind'}).waitFor();
    await field(page, 'Compare with').selectOption('codex');
    await page.locator('.column:nth-child(2) mark').waitFor();
    assert.ok((await texts(page, '.budget')).every((t) => t.includes('(estimated)')), 'tokens are estimated');
    await page.locator('#tab-activation').click();
    await page.locator('.columns pre', {hasText: 'See [the kinds]'}).first().waitFor();
    assert.deepEqual(await texts(page, '[role=tab]'), ['Listing', 'Activation', 'Tools', 'Routing'], 'what needs recordings is not offered');
    await page.locator('#tab-routing').click();
    await field(page, 'Query').fill('sort the shells from the beach');
    const first = page.locator('.column:nth-child(1) .ranking li').first();
    await first.waitFor();
    assert.match(await first.textContent(), /sort-shells/);
    await field(page, 'Query').fill('a room to meet');
    await page.locator('.column:nth-child(1) .ranking li:first-child', {hasText: 'book-room'}).waitFor();
  });
  await test('a link brings all of it back', async () => {
    await page.getByRole('button', {name: 'Copy link'}).click();
    await page.getByText('The link is copied.').waitFor();
    link = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(link, page.url());
    const other = await open(new URL(link).hash);
    assert.equal(await editor(other).inputValue(), await editor(page).inputValue());
    assert.equal(await field(other, 'Skills are for').inputValue(), 'all');
    assert.equal(await field(other, 'Query').inputValue(), 'a room to meet');
    assert.equal(await field(other, 'Compare with').inputValue(), 'codex');
    await other.locator('.column:nth-child(2) .ranking li:first-child', {hasText: 'book-room'}).waitFor();
    await other.context().close();
    const torn = await open(new URL(link).hash.slice(0, 60));
    await torn.getByRole('alert').filter({hasText: 'This link is broken'}).waitFor();
    await torn.context().close();
  });
  await test('takes a folder that is dropped, or chosen', async () => {
    const project = join(scratch, 'beach');
    for (const [name, text] of Object.entries({
      '.claude/skills/map-tides/SKILL.md': good, '.claude/skills/sort-shells/SKILL.md': bad, '.claude/skills/sort-shells/kinds.md': '# Kinds\n',
      'node_modules/x/SKILL.md': bad, 'logo.png': Buffer.from([137, 80, 78, 71, 0, 255]),
    })) {
      mkdirSync(dirname(join(project, name)), {recursive: true});
      writeFileSync(join(project, name), text);
    }
    await after(page, () => drop(page, project));
    const beach = ['.claude/skills/map-tides/SKILL.md', '.claude/skills/sort-shells/SKILL.md', '.claude/skills/sort-shells/kinds.md', 'logo.png'];
    assert.deepEqual(await texts(page, 'label:has(> span:text-is("File")) option'), beach);
    assert.equal(await editor(page).inputValue(), good);
    await page.locator('.findings li', {hasText: 'yaml/unquoted-colon'}).first().waitFor();
    assert.equal(await page.locator('.findings li', {hasText: 'link/missing'}).count(), 0, 'the file it refers to is there');
    await field(page, 'File').selectOption('logo.png');
    assert.ok(await editor(page).isDisabled(), 'what is no text cannot be edited');
    const again = await open();
    await after(again, () => again.locator('input[type=file]').setInputFiles(project));
    assert.deepEqual(await texts(again, 'label:has(> span:text-is("File")) option'), beach);
    await again.context().close();
  });
  await test('text of a skill is never markup', async () => {
    const hostile = '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">';
    await field(page, 'File').selectOption('.claude/skills/map-tides/SKILL.md');
    await after(page, () => editor(page).fill(`---\nname: ${hostile}\ndescription: ${hostile} Use it.\n---\n\n${hostile}\n`));
    await page.locator('#tab-listing').click();
    await page.locator('.columns pre').first().waitFor();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
  });
  await test('the policy lets nothing out', async () => {
    const blocked = [];
    const watch = (m) => blocked.push(m.text());
    page.on('console', watch);
    const before = faults.length;
    assert.equal(await page.evaluate(() => fetch('https://example.invalid/').then(() => 'sent', () => 'refused')), 'refused');
    const worker = await page.evaluate(() => new Promise((resolve) => {
      const w = new Worker(URL.createObjectURL(new Blob(['fetch("https://example.invalid/").then(() => postMessage("sent"), () => postMessage("refused"))'])));
      w.onmessage = (e) => resolve(e.data);
    }));
    assert.equal(worker, 'refused');
    assert.ok(blocked.some((t) => t.includes('Content Security Policy')), `refused by the policy: ${blocked}`);
    faults.length = before;
    foreign.length = 0; // those two were meant to be tried
  });
  await test('pictures', async () => {
    const shown = await open();
    await field(shown, 'Compare with').selectOption('vscode');
    await shown.locator('.column:nth-child(2) mark').waitFor();
    for (const colorScheme of ['light', 'dark']) {
      await shown.emulateMedia({colorScheme});
      await shown.screenshot({path: join(pictures, `playground-${colorScheme}.png`)});
    }
    await shown.setViewportSize({width: 420, height: 900});
    await shown.screenshot({path: join(pictures, 'playground-narrow.png')});
  });
  assert.deepEqual(foreign, [], 'nothing is asked for elsewhere');
  assert.deepEqual([...new Set(server.asked)].sort(), ['/', '/playground.css', '/playground.js', '/skilllint.wasm.gz'], 'nothing but its own files is asked for');
} catch (e) {
  console.error(e);
  failed = true;
} finally {
  await browser.close();
  server.close();
}

const files = ['index.html', 'playground.css', 'playground.js', 'skilllint.wasm.gz'].map((f) => readFileSync(join(scratch, 'playground', f)));
const program = gunzipSync(files[3]);
const sum = files.reduce((n, f) => n + f.length, 0);
console.log(`  size: ${sum} bytes to load; the program has ${program.length} unpacked, ${files[3].length} with gzip, ${brotli(program).length} with brotli`);
if (sum >= 4e6) {
  console.error('the page has 4 MB or more');
  failed = true;
}
rmSync(scratch, {recursive: true, force: true});
process.exit(failed ? 1 : 0);

/** Packs as servers do that pack what they send: the best takes a minute. */
function brotli(data) { return brotliCompressSync(data, {params: {[constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_LGWIN]: 22}}); }

/** Drops a folder on the page, as Chromium's own protocol does it. */
async function drop(page, folder) {
  const session = await page.context().newCDPSession(page);
  const {x, y} = await page.locator('textarea').boundingBox();
  const data = {items: [], files: [folder], dragOperationsMask: 1};
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', {type, x: x + 20, y: y + 20, data});
}
