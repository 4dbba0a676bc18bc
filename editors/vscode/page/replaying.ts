// Recorded calls of tools, held against the tools there are today.
import type {Replay, ReplayedCall} from '../shared/replay';
import {type Child, h, plural} from './dom';
import {notes} from './listing';

const signs = {pass: '✓', drift: '≈', fail: '✗'};

/** Shows the calls in the order in which they were made. Buttons say where in data-file and data-line. */
export function replaying(r: Replay | undefined): Child[] {
  if (!r) return [h('p', {}, 'Open a transcript to hold its calls against the tools of today. Nothing is called.')];
  const of = (verdict: string) => r.calls.filter((c) => c.verdict === verdict).length;
  return [
    h('p', {}, `${plural(r.calls.length, 'call')}: ${of('pass')} pass, ${of('drift')} drift, ${of('fail')} fail`),
    h('ol', {class: 'timeline'}, ...r.calls.map(call)),
    notes(r.notes),
  ];
}

function call(c: ReplayedCall): HTMLElement {
  return h('li', {class: c.verdict},
    h('span', {class: 'sign', 'aria-hidden': 'true'}, signs[c.verdict]),
    h('button', {class: 'link', 'data-file': c.file, 'data-line': c.line}, `${c.verdict}: ${c.name}`, h('small', {}, ` line ${c.line}`)),
    c.messages.length > 0 && h('ul', {}, ...c.messages.map((m) => h('li', {}, m))));
}
