// Builds the page around the program: node playground/build.mjs FOLDER
import {execFileSync} from 'node:child_process';
import {copyFileSync, readFileSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname, join, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const extension = join(here, '..', 'editors', 'vscode'); // has the panel, and the packages that build it
const out = process.argv[2] && resolve(process.argv[2]);
if (!out) throw new Error('name the folder to build into');

const {build} = createRequire(join(extension, 'package.json'))('esbuild');
const goroot = execFileSync('go', ['env', 'GOROOT'], {encoding: 'utf8'}).trim();
const common = {absWorkingDir: here, bundle: true, minify: true, logLevel: 'warning', legalComments: 'none', platform: 'browser', format: 'iife', target: 'es2022'};

const worker = await build({...common, entryPoints: ['worker.ts'], alias: {wasm_exec: join(goroot, 'lib', 'wasm', 'wasm_exec.js')}, write: false});
const asText = {
  name: 'worker as a text',
  setup(b) {
    b.onResolve({filter: /^worker:code$/}, () => ({path: 'code', namespace: 'worker'}));
    b.onLoad({filter: /.*/, namespace: 'worker'}, () => ({contents: worker.outputFiles[0].text, loader: 'text'}));
  },
};
await build({...common, entryPoints: ['main.ts'], plugins: [asText], outfile: join(out, 'playground.js')});
await build({...common, entryPoints: ['style.css'], outfile: join(out, 'playground.css')});
copyFileSync(join(here, 'index.html'), join(out, 'index.html'));

const licence = (title, file) => `${title}\n\n${readFileSync(file, 'utf8').trim()}\n`;
writeFileSync(join(out, 'licences.txt'), [
  licence('skilllint', join(here, '..', 'LICENSE')),
  licence('Modules in the program', join(here, '..', 'NOTICE')),
  licence('Go', join(goroot, 'LICENSE')),
  licence('diff', join(extension, 'node_modules', 'diff', 'LICENSE')),
].join(`\n${'-'.repeat(80)}\n\n`));
