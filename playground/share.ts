// The state of the page as the fragment of its address, which no server is sent.
import {base64, unbase64} from './files';

/** All that a link brings back. */
export interface State {
  files: Record<string, string>;
  bytes?: Record<string, string>;
  open: string; // path of the file in the editor
  judges: string; // the clients that skills are for
  panel: {client?: string; other?: string; skill?: string; tab?: string; args?: string; query?: string};
}

const prefix = '#v1.';
const longest = 400_000; // characters: browsers take more, what people paste links into does not
const mostUnpacked = 64 << 20;

export async function fragment(state: State): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(state)), new CompressionStream('deflate-raw'));
  const text = prefix + base64(packed).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  if (text.length > longest) throw new Error('These files are too large for a link: take some out, or share the folder itself.');
  return text;
}

/** Returns the state that a fragment holds, or undefined for one without a state. */
export async function stateOf(hash: string): Promise<State | undefined> {
  if (!hash.startsWith(prefix)) return undefined;
  try {
    const data = unbase64(hash.slice(prefix.length).replaceAll('-', '+').replaceAll('_', '/'));
    return checked(JSON.parse(new TextDecoder('utf-8', {ignoreBOM: true}).decode(await through(data, new DecompressionStream('deflate-raw')))));
  } catch {
    throw new Error('This link is broken: a part of it is missing.');
  }
}

/** A link may come from anyone: whatever has another form is refused. */
function checked(value: unknown): State {
  const s = value as Partial<State>;
  const texts = (v: unknown): boolean => typeof v === 'object' && v !== null && Object.values(v).every((x) => typeof x === 'string');
  if (!texts(s.files) || !texts(s.bytes ?? {}) || typeof s.open !== 'string' || typeof s.judges !== 'string' || !texts(s.panel)) throw new Error('no state');
  return s as State;
}

async function through(data: Uint8Array<ArrayBuffer>, pack: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([data]).stream().pipeThrough(pack).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ;) {
    const {value, done} = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    parts.push(value as Uint8Array<ArrayBuffer>);
    if ((size += value.length) > mostUnpacked) throw new Error('too large');
  }
}
