// What the linter finds, and its repairs.
import {type Child, h, plural} from '../editors/vscode/page/dom';
import type {Files} from './files';

interface Place { line: number; column: number; offset: number }
interface Edit { file: string; range: {start: Place; end: Place}; new_text: string }
interface Fix { title: string; safe: boolean; edits: Edit[]; renames?: unknown[]; creates?: unknown[] }

/** A finding in the form of schemas/report.schema.json. */
export interface Finding {
  rule: string;
  severity: 'error' | 'warning' | 'info' | 'hint';
  message: string;
  help?: string;
  file: string;
  range: {start: Place; end: Place};
  clients?: string[];
  fixes?: Fix[];
}

export interface Report { findings: Finding[]; summary: {skills: number; configs: number; errors: number; warnings: number; infos: number; hints: number} }

/** What can be done about findings. */
export interface Does {
  open(f: Finding): void;
  fix(fixes: Fix[]): void;
  explain(rule: string): Promise<string>;
}

/** A page with thousands of findings is too slow to draw: of more than this the worst are shown. */
const mostShown = 200;
const levels = ['error', 'warning', 'info', 'hint'];

/** Shows all findings. */
export function findings(r: Report | undefined, does: Does): Child[] {
  if (!r) return [];
  const {summary: s, findings: all} = r;
  const counts: [number, string][] = [[s.errors, 'error'], [s.warnings, 'warning'], [s.infos, 'info'], [s.hints, 'hint']];
  const sum = counts.filter(([n]) => n > 0).map(([n, word]) => plural(n, word)).join(', ') || 'No findings';
  const safe = all.flatMap((f) => f.fixes?.find((x) => x.safe && simple(x)) ?? []);
  return [
    h('p', {class: 'sum', role: 'status'}, `${sum} in ${plural(s.skills, 'skill')}`, safe.length > 0 && h('button', {onclick: () => does.fix(safe)}, safe.length === 1 ? 'Make the safe fix' : `Make all ${safe.length} safe fixes`)),
    h('ol', {class: 'findings', tabindex: 0, 'aria-label': 'Findings'}, ...worst(all).map((f) => finding(f, does))),
    all.length > mostShown && h('p', {class: 'placeholder'}, `${plural(all.length - mostShown, 'finding')} more, none of them worse`),
  ];
}

function worst(all: Finding[]): Finding[] {
  if (all.length <= mostShown) return all;
  return [...all].sort((a, b) => levels.indexOf(a.severity) - levels.indexOf(b.severity)).slice(0, mostShown);
}

/** Reports whether a fix changes texts only. */
const simple = (x: Fix): boolean => x.edits.length > 0 && !x.renames && !x.creates;

function finding(f: Finding, does: Does): HTMLElement {
  const why = h('pre', {hidden: true, tabindex: 0, 'aria-label': `About ${f.rule}`});
  const rule = h('button', {class: 'link', 'aria-expanded': 'false', title: 'Why this matters', onclick: () => void toggle()}, f.rule);
  const toggle = async () => {
    if (!why.textContent) why.textContent = await does.explain(f.rule);
    why.hidden = !why.hidden;
    rule.setAttribute('aria-expanded', String(!why.hidden));
  };
  return h('li', {class: f.severity},
    h('p', {}, h('span', {class: 'level'}, f.severity), ' ', rule, ' ',
      h('button', {class: 'link place', onclick: () => does.open(f)}, `${f.file}:${f.range.start.line}:${f.range.start.column}`)),
    h('p', {class: 'message'}, f.message),
    f.help && h('p', {class: 'help'}, `Help: ${f.help}`),
    f.clients && h('p', {class: 'help'}, `Clients: ${f.clients.join(', ')}`),
    h('p', {class: 'fixes'}, ...(f.fixes ?? []).filter(simple).map((x) => h('button', {onclick: () => does.fix([x])}, x.safe ? `Fix: ${x.title}` : `Fix, to be looked at: ${x.title}`))),
    why);
}

/** Makes fixes, and leaves out those that touch what another has changed. Returns the texts that are new. */
export function fixed(files: Files, fixes: Fix[]): Files {
  const taken = new Map<string, Edit[]>();
  for (const {edits} of fixes) {
    const free = edits.every((e) => (taken.get(e.file) ?? []).every((o) => e.range.end.offset < o.range.start.offset || o.range.end.offset < e.range.start.offset));
    if (free) for (const e of edits) taken.set(e.file, [...(taken.get(e.file) ?? []), e]);
  }
  const out: Files = new Map();
  for (const [file, edits] of taken) {
    const text = files.get(file);
    if (typeof text === 'string') out.set(file, edited(text, edits));
  }
  return out;
}

/** Offsets count bytes. */
function edited(text: string, edits: Edit[]): string {
  const data = new TextEncoder().encode(text);
  const decode = (from: number, to?: number) => new TextDecoder('utf-8', {ignoreBOM: true}).decode(data.subarray(from, to));
  let out = '', at = 0;
  for (const e of [...edits].sort((a, b) => a.range.start.offset - b.range.start.offset)) {
    out += decode(at, e.range.start.offset) + e.new_text;
    at = e.range.end.offset;
  }
  return out + decode(at);
}

/** Returns the place in a text, in UTF-16 units, that a finding counts as a line and a column of characters. */
export function indexOf(text: string, {line, column}: Place): number {
  let at = 0;
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', at);
    if (end < 0) return text.length;
    at = end + 1;
  }
  const rest = text.slice(at, at + 2 * column);
  return at + [...rest].slice(0, column - 1).join('').length;
}
