// Builds the extension, its tests, and the page of the Simulate panel, which skilllint carries too.
import {build, context} from 'esbuild';
import {createHash} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const carried = join(here, '..', '..', 'internal', 'report', 'page', 'simulate.html');
const common = {absWorkingDir: here, bundle: true, logLevel: 'warning', legalComments: 'none'};
const inNode = {...common, platform: 'node', format: 'cjs', target: 'node20', external: ['vscode', 'mocha'], sourcemap: 'linked'};

const extension = {...inNode, metafile: true, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', minify: true};
const suites = {...inNode, entryPoints: readdirSync(join(here, 'test', 'suite')).map((f) => `test/suite/${f}`), outdir: 'out/test'};
const page = {...common, entryPoints: ['page/main.ts'], platform: 'browser', format: 'iife', target: 'es2022', minify: true, write: false};
const style = {...common, entryPoints: ['page/style.css'], minify: true, write: false};

/** Puts script and style into one file. Its policy allows these two and nothing else: no other script, no network. */
async function buildPage() {
  const [script, css] = (await Promise.all([build(page), build(style)])).map((r) => r.outputFiles[0].text.trim());
  const parts = {
    policy: `default-src 'none'; script-src ${hash(script)}; style-src ${hash(css)}; base-uri 'none'; form-action 'none'`,
    style: css, script,
  };
  const text = readFileSync(join(here, 'page', 'page.html'), 'utf8').replace(/\{\{(\w+)\}\}/g, (_, name) => parts[name]);
  for (const file of [carried, join(here, 'dist', 'simulate.html')]) {
    mkdirSync(dirname(file), {recursive: true});
    writeFileSync(file, text.replace('<!DOCTYPE html>', `<!DOCTYPE html>\n<!-- built from editors/vscode; sources ${sources()} -->`));
  }
}

const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/** Stands for all that the page is built from: a test in Go holds it against the files there are. */
function sources() {
  const all = createHash('sha256');
  for (const folder of ['page', 'shared']) {
    for (const name of readdirSync(join(here, folder)).sort()) all.update(`${folder}/${name}\0${readFileSync(join(here, folder, name), 'utf8')}\0`);
  }
  return all.digest('hex');
}

/** Returns the licences of the packages that files belong to. */
function licences(files) {
  const packages = new Set(files.map((f) => /^(node_modules\/(@[^/]+\/)?[^/]+)\//.exec(f)?.[1]).filter(Boolean));
  return [...packages].sort().map((folder) => {
    const name = readdirSync(join(here, folder)).find((f) => /^licen[cs]e/i.test(f));
    if (!name) throw new Error(`${folder} has no licence`);
    return `${folder.slice('node_modules/'.length)}\n\n${readFileSync(join(here, folder, name), 'utf8').trim()}\n`;
  }).join(`\n${'-'.repeat(80)}\n\n`);
}

await buildPage();
if (process.argv.includes('--watch')) {
  await (await context(extension)).watch();
} else {
  const [{metafile}] = await Promise.all([build(extension), ...(process.argv.includes('--tests') ? [build(suites)] : [])]);
  writeFileSync(join(here, 'dist', 'licences.txt'), licences([...Object.keys(metafile.inputs), 'node_modules/diff/package.json']));
}
