// The program, in a worker, so that the page answers to keys while it works.
import code from 'worker:code';

type Waiting = {resolve: (value: unknown) => void; reject: (reason: Error) => void};
type Reply = {id: number; result?: string; error?: string};

export class Engine {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', (e: MessageEvent<Reply>) => this.#receive(e.data));
    worker.addEventListener('error', (e) => this.#fail(new Error(e.message || 'The program has ended.')));
  }

  /** Fetches the program and starts it. A worker made of text obeys the policy of the page; one with an address would not. */
  static async start(address: string): Promise<Engine> {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`The program cannot be fetched: ${response.status} ${response.statusText}`);
    const module = await WebAssembly.compile(await unpacked(await response.arrayBuffer()));
    const url = URL.createObjectURL(new Blob([code], {type: 'text/javascript'}));
    const engine = new Engine(new Worker(url));
    URL.revokeObjectURL(url);
    const ready = engine.#wait<void>(0);
    engine.#worker.postMessage({module});
    await ready;
    return engine;
  }

  /** Puts a question of internal/playground. */
  ask<T>(question: string, params: unknown): Promise<T> {
    const id = ++this.#last;
    const answer = this.#wait<T>(id);
    this.#worker.postMessage({id, question, params: JSON.stringify(params)});
    return answer;
  }

  #wait<T>(id: number): Promise<T> {
    return new Promise((resolve, reject) => this.#waiting.set(id, {resolve: resolve as (value: unknown) => void, reject}));
  }

  #receive({id, result, error}: Reply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result === undefined ? undefined : JSON.parse(result));
    else waiting?.reject(new Error(error));
  }

  #fail(reason: Error): void {
    for (const {reject} of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

/** Returns what gzip has packed. A server that knows the ending sends it as packed in transit, and the browser has unpacked it. */
async function unpacked(data: ArrayBuffer): Promise<ArrayBuffer> {
  const [first, second] = new Uint8Array(data);
  if (first !== 0x1f || second !== 0x8b) return data;
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}
