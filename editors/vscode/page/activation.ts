// The activation: what the client adds to the conversation when the skill is called.
import type {Simulation} from '../shared/protocol';
import {type Child, h, plural} from './dom';
import {notes} from './listing';
import {compared} from './marks';

/** Shows what one client adds. `written` is the skill's file: what differs from it was put in by the client. */
export function activation(s: Simulation, written: string): Child[] {
  const a = s.activation;
  if (!a) return [h('p', {}, 'There is no activation to show: the client does not find the skill, or this page has no room for it.')];
  const how = a.via.length > 0 ? `by ${a.via.join(', ')}${a.tool ? ` (${a.tool})` : ''}` : '';
  return [
    h('p', {}, `Loaded ${how} · ${plural(s.tokens.activation, 'token')}`, a.truncated && ' · cut: it is longer than the client allows'),
    ...a.parts.map((p) => h('section', {class: 'part'},
      h('h3', {}, p.role, h('small', {}, ` ${plural(p.tokens, 'token')}, ${p.exact ? 'exact' : 'not exact'}`)),
      h('pre', {tabindex: 0, 'aria-label': `Activation, ${p.role}`}, ...substituted(body(written), p.text)))),
    notes(a.notes),
  ];
}

/** Marks what the client put into the text; a message that holds little of the skill is shown as it is. */
function substituted(written: string, text: string): Child[] {
  const sample = written.trim().slice(0, 40).split('\n')[0] ?? '';
  return sample === '' || !text.includes(sample.slice(0, 12)) ? [text] : compared(written.trim(), text);
}

/** Returns a skill's text without its front matter. */
function body(written: string): string {
  return written.replace(/^\uFEFF?---\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '');
}
