// Runs the program, and hands questions on to it.
import 'wasm_exec';

declare const self: DedicatedWorkerGlobalScope & {skilllintReady?: () => void};
declare const Go: new () => {importObject: WebAssembly.Imports; run(instance: WebAssembly.Instance): Promise<void>};
declare const skilllint: (question: string, params: string) => {result?: string; error?: string};

type Message = {module: WebAssembly.Module} | {id: number; question: string; params: string};

self.onmessage = ({data}: MessageEvent<Message>) => {
  if ('module' in data) void start(data.module);
  else self.postMessage({id: data.id, ...skilllint(data.question, data.params)});
};

async function start(module: WebAssembly.Module): Promise<void> {
  const go = new Go();
  self.skilllintReady = () => self.postMessage({id: 0});
  const instance = await WebAssembly.instantiate(module, go.importObject);
  await go.run(instance);
  throw new Error('The program has ended; load the page anew.');
}
