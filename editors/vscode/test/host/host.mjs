// Runs tests in VS Code: starts its server and opens its workbench in Chromium. A suite runs inside VS Code, and what only
// a browser can is done for it (look at the workbench, press keys, take pictures); other tests drive the workbench from here.
import {execFileSync, spawn} from 'node:child_process';
import {once} from 'node:events';
import {createWriteStream, mkdirSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {delimiter, join} from 'node:path';
import {createInterface} from 'node:readline';
import {chromium} from 'playwright-core';
import * as tools from './install.mjs';

/**
 * Opens VS Code for one test and throws when that fails.
 * @param {object} o extension: folder of the extension, or its package, which is installed; suite: file of the suite that runs inside, or drive: a function that
 *   gets the workbench as a page; open: folder or workspace to open; scratch: folder for all that VS Code writes; pictures:
 *   folder for pictures; settings: the user's settings; path: folder to look for programs in first; seconds: how long it may
 *   take; refused: a set, which gets the hosts that the workbench wanted to reach.
 */
export async function run(o) {
  const {server, origin} = await startServer(o);
  const browser = await chromium.launch({
    executablePath: tools.chromium(), headless: true,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage({viewport: {width: 1280, height: 800}});
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], {origin});
    await refuseOthers(page, o.refused);
    const remote = (path) => `vscode-remote://${new URL(origin).host}${path}`;
    const payload = o.extension.endsWith('.vsix') ? [] : [['extensionDevelopmentPath', remote(o.extension)]];
    let verdict;
    if (o.suite) {
      const driver = await startDriver(page, o);
      payload.push(['extensionTestsPath', remote(o.suite)]);
      writeFileSync(o.suite.replace(/\.js$/, '.json'), JSON.stringify({driver: driver.address}));
      verdict = driver.verdict;
    }
    const query = new URLSearchParams({[o.open.endsWith('.code-workspace') ? 'workspace' : 'folder']: o.open, payload: JSON.stringify(payload)});
    await page.goto(`${origin}/?${query}`, {waitUntil: 'domcontentloaded'});
    await within(o.seconds, verdict ?? driven(page, o), page, o);
  } finally {
    await browser.close();
    await end(server);
  }
}

/** Drives the workbench; a picture shows where that failed. */
async function driven(page, o) {
  try {
    return await o.drive(page);
  } catch (e) {
    await page.screenshot({path: join(o.pictures, 'failed.png')});
    throw e;
  }
}

/** Ends VS Code's server and all that it has started, so that nothing is written any more. */
async function end(server) {
  const group = (signal) => {
    try {
      return process.kill(-server.pid, signal);
    } catch {
      return false; // nobody is left
    }
  };
  for (let signal = 'SIGTERM', tries = 0; group(signal) && tries < 200; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    if (tries > 20) signal = 'SIGKILL';
  }
}

async function within(seconds, verdict, page, o) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(async () => {
      const picture = join(o.pictures, 'late.png');
      await page.screenshot({path: picture}).catch(() => {});
      reject(new Error(`no verdict after ${seconds} s; the workbench then: ${picture}`));
    }, seconds * 1000);
  });
  const {failures, error} = await Promise.race([verdict, late]).finally(() => clearTimeout(timer)) ?? {};
  if (error) throw new Error(error);
  if (failures) throw new Error(`${failures} failed`);
}

/** Starts VS Code's server on a free port of this machine. Its home is the scratch folder, so that it finds nothing of the user's. */
async function startServer(o) {
  const {node, server} = tools.install();
  const user = join(o.scratch, 'user');
  mkdirSync(join(user, 'User'), {recursive: true});
  writeFileSync(join(user, 'User', 'settings.json'), JSON.stringify(o.settings));
  const env = {...process.env, PATH: [o.path, process.env.PATH].join(delimiter), HOME: o.scratch, XDG_CONFIG_HOME: o.scratch, XDG_CACHE_HOME: o.scratch};
  const folders = ['--accept-server-license-terms', '--server-data-dir', join(o.scratch, 'server'), '--user-data-dir', user, '--extensions-dir', join(o.scratch, 'extensions')];
  if (o.extension.endsWith('.vsix')) execFileSync(node, [server, ...folders, '--install-extension', o.extension], {env, stdio: ['ignore', 'pipe', 'pipe']});
  const child = spawn(node, [
    server, '--host', '127.0.0.1', '--port', '0', '--without-connection-token', '--force-disable-user-env', '--enable-smoke-test-driver', '--telemetry-level', 'off', ...folders,
  ], {
    env, stdio: ['ignore', 'pipe', 'pipe'], detached: true, // a group of its own, to be ended as a whole
  });
  const logged = join(o.pictures, 'server.log');
  const log = createWriteStream(logged);
  child.stderr.pipe(log);
  const lines = createInterface({input: child.stdout});
  const origin = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`VS Code's server ended with ${code}: see ${logged}`)));
    lines.on('line', (line) => {
      log.write(line + '\n');
      const port = /listening on (\d+)/.exec(line)?.[1];
      if (port) resolve(`http://127.0.0.1:${port}`);
    });
  });
  return {server: child, origin};
}

/** Lets nothing out: whatever the workbench or a page in it asks from another machine is refused and noted. */
async function refuseOthers(page, refused) {
  await page.context().route((url) => url.hostname !== '127.0.0.1' && url.protocol.startsWith('http'), (route) => {
    refused.add(new URL(route.request().url()).host);
    return route.abort();
  });
}

/** Starts what the suite calls: it posts {do, ...} and gets the answer as JSON. */
async function startDriver(page, o) {
  let decide;
  const verdict = new Promise((resolve) => { decide = resolve; });
  const can = actions(page, o, decide);
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const call = JSON.parse(Buffer.concat(chunks).toString());
    try {
      response.end(JSON.stringify({value: await can[call.do](call)}));
    } catch (e) {
      response.end(JSON.stringify({error: String(e)}));
    }
  });
  server.listen(0, '127.0.0.1');
  server.unref();
  await once(server, 'listening');
  return {verdict, address: `http://127.0.0.1:${server.address().port}`};
}

/** Height of the title bar, which tells of the test and is left out of pictures. */
const titleBar = 30;

/** What a suite can have done. `inside` names the page in a webview by its title; without it the workbench is meant. */
function actions(page, o, decide) {
  const frame = async (inside) => {
    if (!inside) return page;
    for (const f of page.frames()) {
      if (await f.locator('main[data-page]').count().catch(() => 0)) return f;
    }
    throw new Error('no webview shows the page');
  };
  return {
    verdict: (c) => decide(c),
    say: (c) => console.log(c.text),
    picture: async (c) => {
      mkdirSync(o.pictures, {recursive: true});
      const {width, height} = page.viewportSize();
      await page.screenshot({path: join(o.pictures, c.name + '.png'), clip: {x: 0, y: titleBar, width, height: height - titleBar}});
    },
    evaluate: async (c) => (await frame(c.inside)).evaluate(c.code),
    press: (c) => page.keyboard.press(c.key),
    click: async (c) => (await frame(c.inside)).locator(c.selector).first().click({timeout: 10_000}),
    choose: async (c) => (await frame(c.inside)).locator(`label:has(> span:text-is("${c.label}")) select`).selectOption(c.value, {timeout: 10_000}),
    // Presses a key and returns how many milliseconds after its event the frame is drawn that shows a text in the webview. Then
    // lets it go: that is a typist's order, and the editor has work with both.
    keystroke: async (c) => {
      const f = await frame(true);
      await page.evaluate(() => { window.pressed ?? addEventListener('keydown', (e) => { window.pressed = performance.timeOrigin + e.timeStamp; }, true); });
      const seen = f.evaluate(({selector, text}) => new Promise((resolve) => {
        const drawn = () => requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())));
        const look = () => [...document.querySelectorAll(selector)].some((e) => e.textContent.includes(text)) && (drawn(), true);
        if (!look()) new MutationObserver((_, o) => { if (look()) o.disconnect(); }).observe(document.body, {subtree: true, childList: true, characterData: true});
      }), {selector: c.selector, text: c.text});
      await f.evaluate('0'); // it looks now
      await page.keyboard.down(c.key);
      const drawn = await seen;
      await page.keyboard.up(c.key);
      return Math.round(drawn - await page.evaluate('pressed'));
    },
    type: (c) => page.keyboard.type(c.text),
    fill: async (c) => (await frame(c.inside)).locator(c.selector).first().fill(c.text),
    wait: async (c) => (await frame(c.inside)).locator(c.selector).first().waitFor({timeout: c.timeout ?? 10_000, state: c.state ?? 'visible'}),
    texts: async (c) => (await frame(c.inside)).locator(c.selector).allTextContents(),
  };
}
