import type {Route, Simulation} from '../shared/protocol';
import type {Replay} from '../shared/replay';
import type {Asked, Setup, Source} from './source';

type Message = {id: number; result?: unknown; error?: string} | {changed: {setup?: Partial<Setup>}};

/** Asks the extension, which asks the language server. */
export class VSCodeSource implements Source {
  readonly live = true;
  readonly #api = acquireVsCodeApi();
  readonly #waiting = new Map<number, {resolve: (value: unknown) => void; reject: (reason: Error) => void}>();
  #listener: (change: {setup?: Partial<Setup>}) => void = () => {};
  #last = 0;

  constructor() {
    window.addEventListener('message', (e: MessageEvent<Message>) => {
      if ('changed' in e.data) return this.#listener(e.data.changed);
      const waiting = this.#waiting.get(e.data.id);
      this.#waiting.delete(e.data.id);
      if (e.data.error === undefined) waiting?.resolve(e.data.result);
      else waiting?.reject(new Error(e.data.error));
    });
  }

  #ask<T>(method: string, params: unknown = {}): Promise<T> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve: resolve as (value: unknown) => void, reject});
      this.#api.postMessage({id, method, params});
    });
  }

  setup = () => this.#ask<Setup>('setup');
  simulate = (asked: Asked) => this.#ask<Simulation>('simulate', asked);
  route = (client: string, query: string, skill?: string) => this.#ask<Route>('route', {client, query, skill});
  text = (file: string) => this.#ask<string>('text', {file});
  replay = (choose: boolean) => this.#ask<Replay | undefined>('replay', {choose});
  open = (file: string, line?: number) => void this.#ask('open', {file, line});
  copy = (clients: string[]) => void this.#ask('copy', {clients});
  save = (clients: string[]) => void this.#ask('save', {clients});
  onChange = (listener: (change: {setup?: Partial<Setup>}) => void) => { this.#listener = listener; };
}
