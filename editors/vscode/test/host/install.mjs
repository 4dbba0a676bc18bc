// Installs a real VS Code that needs no screen: code-server carries VS Code's own server, which has the driver that
// VS Code is tested with, and Chromium shows its workbench. All of it lies in one cached folder.
import {execFileSync} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {homedir} from 'node:os';
import {delimiter, dirname, join} from 'node:path';

const codeServer = '4.139.1'; // VS Code 1.139
const node = '24.22.3'; // the only major version that this VS Code runs on

const nodePackage = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** Returns where VS Code's server and its Node.js lie, and installs them when they are not there yet. */
export function install() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  const folder = join(cache, 'skill-ls-test', `code-server-${codeServer}`);
  if (!existsSync(folder)) fill(folder);
  const modules = join(folder, 'node_modules');
  return {node: nodeIn(modules), server: join(modules, 'code-server', 'lib', 'vscode', 'out', 'server-main.js')};
}

const nodeIn = (modules) => join(modules, nodePackage, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Installs into a folder beside the right one and moves it, so that what is there is always whole. */
function fill(folder) {
  const begun = Date.now();
  console.log(`install VS Code (code-server ${codeServer}) into ${folder}`);
  mkdirSync(dirname(folder), {recursive: true});
  const part = mkdtempSync(folder + '-');
  try {
    writeFileSync(join(part, 'package.json'), '{"private": true}');
    npm(part, [], `code-server@${codeServer}`, `${nodePackage}@${node}`);
    // Its native modules are for terminals, logs and passwords. VS Code does without those that are missing, and
    // compiling them takes two minutes.
    npm(join(part, 'node_modules', 'code-server', 'lib', 'vscode'), [join(part, 'node_modules', nodePackage, 'bin')], '--omit=dev');
    renameSync(part, folder);
  } finally {
    rmSync(part, {recursive: true, force: true});
  }
  console.log(`installed in ${Math.round((Date.now() - begun) / 1000)} s`);
}

function npm(cwd, path, ...args) {
  execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error', ...args], {
    cwd, stdio: ['ignore', 'inherit', 'inherit'], env: {...process.env, PATH: [...path, process.env.PATH].join(delimiter)},
  });
}

/** Returns the Chromium to use. */
export function chromium() {
  const names = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
  const found = names.find((name) => name && existsSync(name));
  if (!found) throw new Error('there is no Chromium: install the Debian package chromium, or name one in $CHROMIUM');
  return found;
}
