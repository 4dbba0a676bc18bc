// Drives the server from Microsoft's own implementation of the protocol: node node.cjs PROGRAM FOLDER, where
// vscode-languageserver-protocol can be found. Prints what came, a line each.
const { spawn } = require('child_process');
const { readFileSync } = require('fs');
const { pathToFileURL } = require('url');
const p = require('vscode-languageserver-protocol/node');

const [program, folder] = process.argv.slice(2);
const server = spawn(program, ['--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
const connection = p.createProtocolConnection(new p.StreamMessageReader(server.stdout), new p.StreamMessageWriter(server.stdin));
const file = folder + '/skills/alpha/SKILL.md';
const uri = pathToFileURL(file).toString();
const textDocument = { uri };

let ended;
const progressEnds = new Promise((resolve) => { ended = resolve; });
connection.onRequest(p.WorkDoneProgressCreateRequest.type, ({ token }) => {
  connection.onProgress(p.WorkDoneProgress.type, token, (v) => v.kind === 'end' && ended());
});
connection.onRequest(p.RegistrationRequest.type, () => {});
connection.listen();

async function diagnostics(previousResultId) {
  return connection.sendRequest(p.DocumentDiagnosticRequest.type, { textDocument, previousResultId });
}

(async () => {
  const { capabilities } = await connection.sendRequest(p.InitializeRequest.type, {
    processId: process.pid, rootUri: pathToFileURL(folder).toString(),
    capabilities: {
      window: { workDoneProgress: true },
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
      textDocument: { diagnostic: {}, hover: { contentFormat: ['markdown'] } },
    },
  });
  if (capabilities.textDocumentSync.change !== p.TextDocumentSyncKind.Incremental) throw new Error('no incremental sync');
  connection.onNotification(p.PublishDiagnosticsNotification.type, () => console.log('pushed to a client that pulls'));
  await connection.sendNotification(p.InitializedNotification.type, {});
  await progressEnds;
  await connection.sendNotification(p.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: 'skill', version: 1, text: readFileSync(file, 'utf8') },
  });
  const first = await diagnostics();
  for (const d of first.items) console.log(`diagnostic ${d.code} ${d.range.start.line}:${d.range.start.character}`);
  if ((await diagnostics(first.resultId)).kind !== 'unchanged') throw new Error('the same diagnostics were sent twice');
  const hover = await connection.sendRequest(p.HoverRequest.type, { textDocument, position: { line: 2, character: 3 } });
  console.log('hover ' + /^\*\*(\w+)\*\*/.exec(hover.contents.value)[1]);
  const list = await connection.sendRequest(p.CompletionRequest.type, { textDocument, position: { line: 2, character: 0 } });
  for (const item of list.items) if (item.label === 'license') console.log('completion license');
  const cancel = new p.CancellationTokenSource();
  const references = connection.sendRequest(p.ReferencesRequest.type, { textDocument, position: { line: 0, character: 0 }, context: { includeDeclaration: true } }, cancel.token);
  cancel.cancel();
  await references.catch((e) => { if (e.code !== p.LSPErrorCodes.RequestCancelled) throw e; });
  await connection.sendNotification(p.DidChangeTextDocumentNotification.type, {
    textDocument: { uri, version: 2 },
    contentChanges: [{ range: { start: { line: 2, character: 20 }, end: { line: 2, character: 21 } }, text: ' -' }],
  });
  if ((await diagnostics(first.resultId)).items.length === 0) console.log('mended');
  await connection.sendRequest(p.ShutdownRequest.type);
  server.on('exit', (code) => { console.log(code === 0 ? 'stopped' : `exit ${code}`); process.exit(code); });
  await connection.sendNotification(p.ExitNotification.type);
})().catch((e) => { console.log(e.stack); process.exit(1); });
