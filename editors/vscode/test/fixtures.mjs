// Writes the workspaces that the suites open.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

const skill = (name, description, body) => [`.claude/skills/${name}/SKILL.md`, `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`];

const notes = `# Release notes

Write notes for the changes from $0 to $1. Ask for the range when it is missing: $ARGUMENTS

1. List the merged pull requests.
2. Sort them into Added, Changed and Fixed.
3. Leave out what users do not see.`;

const sentences = ['Plans the move of a web shop to a new host.', 'Use for checklists, for the order of steps and for the way back.',
  'Covers databases, mail, certificates, payment and search.', 'Knows what to measure before and after.'];

const files = Object.fromEntries([
  skill('release-notes', 'Writes release notes from merged pull requests. Use for changelogs and announcements.', notes),
  skill('deploy-staging', 'Deploys the current branch to the staging shop. Use for: smoke tests and demos.', '# Deploy\n\nRun the pipeline and wait for it.'),
  skill('long-winded', Array.from({length: 30}, (_, i) => `${sentences[i % 4]} Part ${i + 1}.`).join(' '), '# Move\n\nBegin with an inventory.'),
  skill('hostile', '"<img src=x onerror=\\"window.hacked = 1\\"> </script><script>window.hacked = 1</script> Shows odd text as it is."', '# Odd <b>text</b>\n\n<script>window.hacked = 1</script>'),
  skill('invoice-check', 'Checks invoices for missing numbers and wrong sums. Use before they are sent.', '# Check\n\nAdd up the lines.'),
]);

const tools = [
  {name: 'search_tickets', description: 'Finds tickets by words and dates.', inputSchema: {
    type: 'object', required: ['query'], additionalProperties: false, $schema: 'https://json-schema.org/draft/2020-12/schema',
    properties: {query: {type: 'string', minLength: 2}, since: {type: 'string', format: 'date-time'}, state: {anyOf: [{const: 'open'}, {const: 'closed'}]}},
  }},
  {name: 'attach.file', description: 'Attaches a file to a ticket.', inputSchema: {
    type: 'object', required: ['ticket', 'path'], properties: {ticket: {type: 'integer', exclusiveMinimum: 0}, path: {type: ['string', 'null']}},
  }},
];

const sorted = (v) => Array.isArray(v) ? v.map(sorted) : v && typeof v === 'object' ? Object.fromEntries(Object.keys(v).sort().map((k) => [k, sorted(v[k])])) : v;
const hash = (v) => 'sha256:' + createHash('sha256').update(JSON.stringify(sorted(v))).digest('hex');

/** A folder with skills of several kinds of faults, and an MCP server that leaves a trace when it is started. */
export function workspace(root) {
  write(root, files);
  write(root, {
    '.mcp.json': JSON.stringify({mcpServers: {tickets: {command: 'sh', args: ['-c', `: > ${join(root, 'started-server')}`]}}}, null, 2) + '\n',
    'mcp-tools.lock.json': JSON.stringify({version: 1, servers: {tickets: {tools: tools.map((t) => ({name: t.name, hash: hash(t), definition: t}))}}}, null, 2) + '\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    'session.jsonl': [
      {server: 'tickets', tool: 'search_tickets', arguments: {query: 'late invoice'}},
      {server: 'tickets', tool: 'search_tickets', arguments: {words: 'late invoice'}},
      {server: 'tickets', tool: 'close_ticket', arguments: {ticket: 7}},
    ].map((c) => JSON.stringify({skilllint: 'call', version: 1, name: `mcp__${c.server}__${c.tool}`, ...c}) + '\n').join(''),
  });
  return root;
}

/** The same, and its servers are ours: they tell of their start by a file, and answer. */
export function asking(root) {
  const server = (name) => ({command: 'node', args: ['mcp/server.mjs', `started-${name}`]});
  workspace(root);
  write(root, {'mcp/server.mjs': readFileSync(join(here, 'standin', 'server.mjs'), 'utf8'), '.mcp.json': JSON.stringify({mcpServers: {tickets: server('tickets'), stock: server('stock')}}, null, 2) + '\n'});
  rmSync(join(root, 'mcp-tools.lock.json'));
  return root;
}

/** A folder of programs that stand in for those of clients. */
export function programs(folder) {
  mkdirSync(folder, {recursive: true});
  writeFileSync(join(folder, 'claude'), `#!/bin/sh\nexec '${process.execPath}' '${join(here, 'standin', 'client.mjs')}' "$@"\n`, {mode: 0o755});
  return folder;
}

/** The same, and it wants to choose what is started as the language server. */
export function hostile(root) {
  write(root, {'.vscode/settings.json': JSON.stringify({'skilllint.server.path': join(root, 'evil')})});
  return workspace(root);
}

/** A folder with as many skills as somebody may have. */
export function large(root, skills) {
  write(root, Object.fromEntries(Array.from({length: skills}, (_, i) =>
    skill(`skill-${i}`, `Handles matter ${i} of the office, reads the letters, finds the file and drafts an answer. Use when matter ${i} comes up.`, `# Matter ${i}\n\nRead, find, draft.`))));
  write(root, Object.fromEntries([skill('broken', 'Answers: letters of the office.', '# Answer')]));
  write(root, {'.git/HEAD': 'ref: refs/heads/main\n'});
  return root;
}

function write(root, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), {recursive: true});
    writeFileSync(join(root, name), text);
  }
}
