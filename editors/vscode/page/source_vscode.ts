import type {Answer, Asked, Setup, Source, Tab} from './source';

/** What the extension sends by itself: new choices, or a new answer to what was asked last, as what it answers has changed. */
export interface Changed { setup?: Partial<Setup>; asked?: Asked; answer?: Answer }

type Message = {id: number; result?: unknown; error?: string} | {changed: Changed};

/** Asks the extension, which asks the language server. */
export class VSCodeSource implements Source {
  readonly live = true;
  readonly without: Tab[] = [];
  readonly #api = acquireVsCodeApi();
  readonly #waiting = new Map<number, {resolve: (value: unknown) => void; reject: (reason: Error) => void}>();
  #listener: (setup?: Partial<Setup>) => void = () => {};
  #last = 0;
  /** An answer that came before its question. */
  #ready: {asked: string; answer: Answer} | undefined;

  constructor() {
    window.addEventListener('message', (e: MessageEvent<Message>) => {
      if ('changed' in e.data) return this.#change(e.data.changed);
      const waiting = this.#waiting.get(e.data.id);
      this.#waiting.delete(e.data.id);
      if (e.data.error === undefined) waiting?.resolve(e.data.result);
      else waiting?.reject(new Error(e.data.error));
    });
  }

  #change({setup, asked, answer}: Changed): void {
    this.#ready = asked && answer && {asked: JSON.stringify(asked), answer};
    this.#listener(setup);
  }

  #ask<T>(method: string, params: unknown = {}): Promise<T> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, {resolve: resolve as (value: unknown) => void, reject});
      this.#api.postMessage({id, method, params});
    });
  }

  async show(asked: Asked): Promise<Answer> {
    const ready = this.#ready;
    this.#ready = undefined;
    return ready?.asked === JSON.stringify(asked) ? ready.answer : this.#ask<Answer>('show', asked);
  }

  setup = () => this.#ask<Setup>('setup');
  choose = () => this.#ask<void>('choose');
  open = (file: string, line?: number) => this.#ask<void>('open', {file, line});
  copy = (asked: Asked) => this.#ask<void>('copy', asked);
  save = (asked: Asked) => this.#ask<boolean>('save', asked);
  onChange = (listener: (setup?: Partial<Setup>) => void) => { this.#listener = listener; };
}
