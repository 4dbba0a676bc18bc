// Which skill a query would pick, by its words.
import type {RoutedQuery} from '../shared/protocol';
import {type Child, h} from './dom';
import {part} from './listing';
import type {Skill} from './source';

const shown = 10;

/** Shows the ranking for one query; the chosen skill is marked. */
export function routing(q: RoutedQuery | undefined, chosen: Skill | undefined): Child[] {
  if (!q) return [h('p', {}, 'Type what a user would say.')];
  if (q.ranking.length === 0) return [h('p', {}, 'No skill shares a word with this query.'), unknown(q)];
  const best = q.ranking[0]?.score || 1;
  return [
    h('ol', {class: 'ranking'}, ...q.ranking.slice(0, shown).map((r) => h('li', {class: isChosen(r, chosen) ? 'own' : undefined, 'aria-current': isChosen(r, chosen) && 'true'},
      h('span', {class: 'name'}, r.name), h('span', {class: 'bar'}, part('own', r.score / best)), h('span', {class: 'score'}, r.score.toFixed(2))))),
    h('p', {}, `The first leads by ${q.margin.toFixed(2)}. `,
      q.words.length > 0 && 'Decided by ', ...q.words.flatMap((w): Child[] => [h('span', {class: 'badge'}, `${w.word} ${Math.round(w.share * 100)} %`), ' '])),
    unknown(q),
  ];
}

/** A skill is ranked by its name, or by its path where others have the same name. */
function isChosen(ranked: {skill: string; name: string}, chosen: Skill | undefined): boolean {
  return chosen !== undefined && (ranked.skill === chosen.name || chosen.file.endsWith('/' + ranked.skill));
}

function unknown(q: RoutedQuery): Child {
  return q.unknown.length > 0 && h('p', {class: 'placeholder'}, `No skill has: ${q.unknown.join(', ')}`);
}
