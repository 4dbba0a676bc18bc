// Runs the suites in a real VS Code: node test/run.mjs [SUITE…]
import {execFileSync} from 'node:child_process';
import {copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {consent} from './consent.mjs';
import {asking, hostile, large, programs, workspace} from './fixtures.mjs';
import {run} from './host/host.mjs';
import {standalone} from './standalone.mjs';

const extension = dirname(dirname(fileURLToPath(import.meta.url)));
const pictures = join(extension, 'out', 'pictures');
const carried = join(extension, '..', '..', 'internal', 'report', 'page', 'simulate.html');

/** What each suite opens, and how the user has set VS Code up. */
const suites = {
  workspace: {open: (root) => workspace(join(root, 'shop')), settings: {'security.workspace.trust.enabled': false}},
  restricted: {open: (root) => hostile(join(root, 'shop')), settings: {'security.workspace.trust.startupPrompt': 'never'}},
  consent: {open: (root) => asking(join(root, 'shop')), settings: {'security.workspace.trust.enabled': false}, drive: consent},
  folders: {open: (root) => together(join(root, 'both.code-workspace'), workspace(join(root, 'shop')), large(join(root, 'office'), 500)), settings: {'security.workspace.trust.enabled': false}},
};

const quiet = {
  'workbench.startupEditor': 'none', 'workbench.secondarySideBar.defaultVisibility': 'hidden', 'window.commandCenter': false,
  'extensions.autoCheckUpdates': false, 'update.mode': 'none', 'editor.minimap.enabled': false, 'git.enabled': false, 'files.autoSave': 'off',
  'remote.autoForwardPorts': false, // else a server of VS Code, not VS Code on a desk, starts a program every two seconds to look for ports
};

function together(file, ...folders) {
  writeFileSync(file, JSON.stringify({folders: folders.map((path) => ({path}))}));
  return file;
}

/** Builds all, and reports whether the page which skilllint carries is the one that these sources give. */
function build() {
  for (const program of ['skill-ls', 'skilllint']) {
    if (!existsSync(join(extension, 'server', program))) throw new Error(`server/${program} is missing: make test-vscode builds it`);
  }
  const before = existsSync(carried) && readFileSync(carried, 'utf8');
  execFileSync(process.execPath, ['build.mjs', '--tests'], {cwd: extension, stdio: 'inherit'});
  return readFileSync(carried, 'utf8') === before;
}

/** Packs the extension for this platform, as users install it, and returns the package. */
function packed() {
  const file = join(extension, 'out', 'skill-ls.vsix');
  for (const name of ['LICENSE', 'NOTICE', 'CHANGELOG.md']) copyFileSync(join(extension, '..', '..', name), join(extension, name));
  const vsce = join(extension, 'node_modules', '@vscode', 'vsce', 'vsce');
  execFileSync(process.execPath, [vsce, 'package', '--no-dependencies', '--target', `${process.platform}-${process.arch}`, '-o', file], {cwd: extension, stdio: ['ignore', 'ignore', 'inherit']});
  return file;
}

async function runOne(name) {
  const root = mkdtempSync(join(tmpdir(), 'skilllint-vscode-'));
  console.log(name);
  try {
    if (name === 'page') return await standalone(join(extension, 'server', 'skilllint'), workspace(join(root, 'shop')), pictures);
    const {open, settings, drive} = suites[name];
    const refused = new Set();
    const begun = Date.now();
    await run({
      extension: drive ? packed() : extension, open: open(root), scratch: join(root, 'scratch'), pictures, path: programs(join(root, 'bin')),
      ...drive ? {drive: (page) => drive(page, root, pictures)} : {suite: join(extension, 'out', 'test', `${name}.js`)},
      settings: {...quiet, ...settings}, seconds: 300, refused,
    });
    console.log(`  ${Math.round((Date.now() - begun) / 1000)} s; the workbench asked for ${[...refused].join(', ') || 'nothing'} outside, which was refused`);
  } finally {
    rmSync(root, {recursive: true, force: true, maxRetries: 5});
  }
}

let failed = false;
if (!build()) {
  console.error('internal/report/page/simulate.html was not built from these sources; it is now: commit it');
  failed = true;
}
mkdirSync(pictures, {recursive: true});
for (const name of process.argv.length > 2 ? process.argv.slice(2) : ['page', ...Object.keys(suites)]) {
  await runOne(name).catch((e) => {
    console.error(`${name}: ${e.message}`);
    failed = true;
  });
}
process.exit(failed ? 1 : 0);
