// Files in memory: from a folder that the user gives, and as they are shared.

/** The files of the page, by path. What is no UTF-8 is kept as bytes. */
export type Files = Map<string, string | Uint8Array<ArrayBuffer>>;

const mostFiles = 5000;
const mostBytes = 8 << 20; // of one file; a larger one counts as there, without its text
const mostInAll = 64 << 20;
const skipped = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv']);

/** Reads what was dropped: files and folders with all that is in them. */
export async function dropped(items: DataTransferItemList): Promise<Files> {
  // All entries have to be taken before anything is waited for: after that the list is empty.
  const entries = [...items].map((i) => i.webkitGetAsEntry()).filter((e) => e !== null);
  const found: [string, File][] = [];
  for (const e of entries) await walk(e, e.name, found);
  return read(found);
}

/** Reads the folder that was chosen. */
export const chosen = (list: FileList): Promise<Files> => read([...list].map((f): [string, File] => [f.webkitRelativePath || f.name, f])
  .filter(([path]) => !path.split('/').some((part) => skipped.has(part))));

async function walk(entry: FileSystemEntry, path: string, found: [string, File][]): Promise<void> {
  if (entry.isFile) {
    found.push([path, await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))]);
    tooMany(found.length);
  } else if (!skipped.has(entry.name)) {
    const reader = (entry as FileSystemDirectoryEntry).createReader();
    for (;;) { // a hundred at a time
      const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
      if (some.length === 0) break;
      for (const e of some) await walk(e, `${path}/${e.name}`, found);
    }
  }
}

function tooMany(files: number): void {
  if (files > mostFiles) throw new Error(`The folder has more than ${mostFiles.toLocaleString()} files: drop a smaller one, such as a folder of skills.`);
}

async function read(found: [string, File][]): Promise<Files> {
  tooMany(found.length);
  const sum = found.reduce((n, [, f]) => n + Math.min(f.size, mostBytes), 0);
  if (sum > mostInAll) throw new Error(`The folder has more than ${mostInAll >> 20} MB: drop a smaller one, such as a folder of skills.`);
  const files: Files = new Map();
  for (const [path, file] of found) {
    files.set(path, file.size > mostBytes ? '' : textOf(new Uint8Array(await file.arrayBuffer())));
  }
  return withoutTop(files);
}

/** Returns UTF-8 as a text, a byte order mark with it, and anything else as it is. */
function textOf(data: Uint8Array<ArrayBuffer>): string | Uint8Array<ArrayBuffer> {
  try {
    return new TextDecoder('utf-8', {fatal: true, ignoreBOM: true}).decode(data);
  } catch {
    return data;
  }
}

/** Takes the folder away that all files lie in, unless it is a skill: its name counts then. */
function withoutTop(files: Files): Files {
  const paths = [...files.keys()];
  const top = paths[0]?.split('/')[0];
  const shared = paths.every((p) => p.startsWith(`${top}/`));
  const skill = paths.some((p) => p.toLowerCase() === `${top}/skill.md`.toLowerCase());
  return shared && !skill ? new Map([...files].map(([p, text]) => [p.slice(top!.length + 1), text])) : files;
}

/** Returns files as internal/playground takes them. */
export function parameters(files: Files): {files: Record<string, string>; bytes: Record<string, string>} {
  const out = {files: {} as Record<string, string>, bytes: {} as Record<string, string>};
  for (const [path, text] of files) {
    if (typeof text === 'string') out.files[path] = text;
    else out.bytes[path] = base64(text);
  }
  return out;
}

export function filesOf(p: {files: Record<string, string>; bytes?: Record<string, string>}): Files {
  const bytes = Object.entries(p.bytes ?? {}).map(([path, text]): [string, Uint8Array<ArrayBuffer>] => [path, unbase64(text)]);
  return new Map<string, string | Uint8Array<ArrayBuffer>>([...Object.entries(p.files), ...bytes]);
}

export function base64(data: Uint8Array): string {
  let text = '';
  for (let at = 0; at < data.length; at += 0x8000) text += String.fromCharCode(...data.subarray(at, at + 0x8000));
  return btoa(text);
}

export const unbase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
