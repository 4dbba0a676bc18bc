// Marks what differs between two texts, and where things stand in one.
import {diffArrays, diffLines} from 'diff';
import {h} from './dom';

/** A longer text is compared by lines only: comparing words of whole books takes too long for every keystroke. */
const mostForWords = 20_000;

/** A variable, a run of spaces, a word with all but the punctuation behind it, or any other character. */
const word = /\$(?:\{[^}\n]*\}|\w+(?:\[\w+\])?)|\s+|[^\s$]{0,100}[\p{L}\p{N}_/]|[^]/gu;

/** Returns `after` with what is new in it marked, and what it lost struck through where that stood. */
export function compared(before: string, after: string): Node[] {
  const small = before.length + after.length < mostForWords;
  const words = small ? diffArrays(before.match(word) ?? [], after.match(word) ?? [], {timeout: 50}) : undefined;
  const parts = words?.map((p) => ({...p, value: p.value.join('')})) ?? diffLines(before, after);
  return parts.map((p) => {
    if (p.value.trim() === '') return document.createTextNode(p.removed ? '' : p.value); // nobody reads marked spaces
    if (p.added) return h('ins', {}, p.value);
    if (p.removed) return h('del', {}, p.value);
    return document.createTextNode(p.value);
  });
}

/** Returns two JSON values as one text with lines marked that only one of them has. */
export function comparedJSON(before: unknown, after: unknown): Node[] {
  const lines = (value: unknown) => JSON.stringify(value, null, 2) + '\n';
  return diffLines(lines(before), lines(after)).map((p) => {
    if (p.added) return h('ins', {class: 'line'}, p.value);
    if (p.removed) return h('del', {class: 'line'}, p.value);
    return document.createTextNode(p.value);
  });
}

/** Returns how long the part is that both texts begin with. A pair of surrogates is not taken apart. */
export function commonStart(a: string, b: string): number {
  let n = 0;
  while (n < a.length && a[n] === b[n]) n++;
  const last = a.charCodeAt(n - 1);
  return n > 0 && last >= 0xd800 && last < 0xdc00 ? n - 1 : n;
}
