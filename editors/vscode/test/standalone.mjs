// The page of the panel alone in a browser, as `skilllint simulate --html` writes it.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {chromium} from 'playwright-core';
import * as tools from './host/install.mjs';

/** Has a page written for a folder, and throws when it does not show what it should, or wants anything but itself. */
export async function standalone(skilllint, folder, pictures) {
  const file = join(folder, 'page.html');
  execFileSync(skilllint, ['simulate', '--html', file, '--activate', 'release-notes', '--args', 'v1.4 v1.5', '.'], {cwd: folder, stdio: ['ignore', 'ignore', 'inherit']});
  const browser = await chromium.launch({executablePath: tools.chromium(), args: ['--no-sandbox', '--disable-gpu']});
  try {
    const page = await browser.newPage({viewport: {width: 1200, height: 760}});
    const faults = [];
    page.on('pageerror', (e) => faults.push(String(e)));
    page.on('console', (m) => { if (m.type() === 'error') faults.push(m.text()); });
    page.on('request', (r) => { if (r.url() !== pathToFileURL(file).href) faults.push(`asks for ${r.url()}`); });
    await page.goto(pathToFileURL(file).href);
    const text = (selector) => page.locator(selector).allTextContents();

    await page.locator('mark').first().waitFor();
    assert.match((await text('mark'))[0], /release-notes: Writes/, 'the skill that was asked for is marked');
    await page.locator('label:has(> span:text-is("Skill")) select').selectOption('.claude/skills/long-winded/SKILL.md');
    await page.locator('label:has(> span:text-is("Compare with")) select').selectOption('vscode');
    await page.locator('.column:nth-child(2) mark').waitFor();
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({colorScheme});
      await page.screenshot({path: join(pictures, `page-${colorScheme}.png`)});
    }
    await page.locator('label:has(> span:text-is("Skill")) select').selectOption('.claude/skills/release-notes/SKILL.md');
    await page.locator('#tab-activation').click();
    await page.locator('ins').first().waitFor();
    assert.ok((await text('ins')).some((t) => t.includes('v1.4')), 'arguments are marked');
    assert.deepEqual(await text('[role=tab]'), ['Listing', 'Activation', 'Tools'], 'what needs an editor is not offered');
    await page.locator('label:has(> span:text-is("Skill")) select').selectOption('.claude/skills/hostile/SKILL.md');
    await page.getByText('<script>window.hacked = 1</script>').first().waitFor();
    assert.equal(await page.evaluate(() => window.hacked), undefined);
    assert.deepEqual(faults, []);
    console.log('  ok   shows listing and activation, runs nothing and asks for nothing');
  } finally {
    await browser.close();
  }
}
