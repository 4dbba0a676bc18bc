// The listing: what the client puts before its model, with the chosen skill in it and what it costs.
import type {Part, SimulatedSkill, Simulation} from '../shared/protocol';
import {type Child, count, h, plural} from './dom';
import {commonStart} from './marks';
import {entryOf} from './source';

const words: Record<string, string> = {
  listed: 'Listed as written', changed: 'Listed, but changed', hidden: 'Kept from the model', dropped: 'Not loaded',
  'root-lost': 'Lost with its folder', 'client-crash': 'Stops the client',
};
const signs: Record<string, string> = {listed: '✓', changed: '≈', hidden: '◌'};

/** Shows the listing of one client. */
export function listing(s: Simulation, file: string | undefined): Child[] {
  const skill = s.skills.find((k) => k.file === file);
  return [
    status(skill, s, file),
    budget(s, skill),
    skill?.listed && description(skill),
    ...s.prompt.map((p) => prompt(p, skill)),
    losers(s),
    notes(s.notes),
  ];
}

function status(skill: SimulatedSkill | undefined, s: Simulation, file: string | undefined): Child {
  if (file === undefined) return null;
  if (!skill) return h('p', {class: 'status off'}, h('span', {'aria-hidden': 'true'}, '✗ '), 'This client does not find the skill.');
  const without = skill.listed && s.budget.without_description.includes(skill.name);
  return h('p', {class: `status ${skill.status}`},
    h('span', {'aria-hidden': 'true'}, (signs[skill.status] ?? '✗') + ' '),
    words[skill.status] ?? skill.status, without && ', without its description for want of room', skill.reason && `: ${skill.reason}`);
}

/** Draws what the listing takes of its budget, the chosen skill's part apart. */
function budget(s: Simulation, skill: SimulatedSkill | undefined): Child {
  const {limit, used, unit} = s.budget;
  const own = !skill?.listed ? 0 : unit === 'tokens' ? skill.tokens : unit === 'skills' ? 1 : skill.characters;
  const tokens = plural(s.tokens.listing, 'token') + (s.tokenizer === 'estimate' ? ' (estimated)' : '');
  const sum = limit > 0 ? `${count(used)} of ${count(limit)} ${unit}` : `${count(used)} ${unit}, no limit known`;
  const mine = skill?.listed ? `; this skill ${plural(skill.characters, 'character')}, ${plural(skill.tokens, 'token')}` : '';
  const most = Math.max(limit, used, 1);
  const bar = h('div', {
    class: 'bar', role: 'meter', 'aria-valuemin': 0, 'aria-valuemax': most, 'aria-valuenow': used, 'aria-label': 'Budget of the listing', 'aria-valuetext': sum,
  }, part('others', (used - own) / most), part('own', own / most));
  if (limit > 0 && used > limit) bar.classList.add('over');
  return h('div', {class: 'budget'}, limit > 0 && bar, h('p', {}, sum, ` · ${tokens}`, mine));
}

/** A part of a bar; its width is set by script, for the page allows no styles in attributes. */
export function part(name: string, share: number): HTMLElement {
  const element = h('span', {class: name});
  element.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return element;
}

/** How much is shown of a text on each side of a cut. */
const aroundCut = 240;

/** Shows where the description is cut, when it is. */
function description(skill: SimulatedSkill): Child {
  const loaded = skill.loaded.description;
  const kept = commonStart(loaded, skill.description.replace(/(…|\.\.\.)$/, ''));
  if (skill.description === loaded || kept === 0 || kept >= loaded.length) return null;
  const before = loaded.slice(0, kept), after = loaded.slice(kept);
  return h('figure', {class: 'cut'},
    h('figcaption', {}, `The description is cut here; ${plural([...after].length, 'character')} are lost`),
    h('blockquote', {}, before.length > aroundCut && '…', before.slice(-aroundCut), h('span', {class: 'scissors', role: 'img', 'aria-label': 'cut here'}, '✂'),
      h('del', {}, after.slice(0, aroundCut), after.length > aroundCut && '…')));
}

function prompt(p: Part, skill: SimulatedSkill | undefined): HTMLElement {
  const title = h('h3', {}, p.role, h('small', {}, ` ${plural(p.tokens, 'token')}, ${p.exact ? 'exact' : 'not exact'}`));
  if (p.placeholder) return h('section', {class: 'part'}, title, h('p', {class: 'placeholder'}, p.text));
  return h('section', {class: 'part'}, title, h('pre', {tabindex: 0, 'aria-label': `Prompt, ${p.role}`}, ...highlighted(p, skill)));
}

/**
 * Marks the entry of a skill in a text. Its lines are a block of their own, and so is the text on each side: a browser lays
 * out anew what stands in the same block as a change.
 */
function highlighted({text, before, after}: Part, skill: SimulatedSkill | undefined): Child[] {
  const entry = entryOf(skill);
  const at = entry ? text.indexOf(entry) : -1;
  const from = text.slice(0, Math.max(at, 0)).lastIndexOf('\n') + 1, to = (text.indexOf('\n', at + entry.length) + 1) || text.length;
  const marked = at < 0 ? [text] :
    [h('div', {}, text.slice(0, from)), h('div', {}, text.slice(from, at), h('mark', {}, entry), text.slice(at + entry.length, to)), h('div', {}, text.slice(to))];
  return [before && left(before), ...marked, after && left(after)];
}

const left = (characters: number): HTMLElement => h('div', {class: 'placeholder'}, `[${plural(characters, 'character')} more; Copy as Markdown has them all]`);

function losers(s: Simulation): Child {
  const {without_description: bare, omitted} = s.budget;
  if (bare.length + omitted.length === 0) return null;
  return h('details', {},
    h('summary', {}, `${plural(bare.length, 'skill')} without description, ${count(omitted.length)} left out, for want of room`),
    h('ul', {}, ...bare.map((name) => h('li', {}, name)), ...omitted.map((name) => h('li', {}, name, ' (left out)'))));
}

/** Shows sentences that the reader should know. */
export function notes(list: string[]): Child {
  return list.length > 0 && h('ul', {class: 'notes'}, ...list.map((n) => h('li', {}, n)));
}
