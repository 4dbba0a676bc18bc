// Which client makes what of which skill.
import type {Clients, SkillOutcome} from '../editors/vscode/shared/protocol';
import {type Child, h} from '../editors/vscode/page/dom';
import {folderOf} from './source_playground';

const words: Record<string, [sign: string, text: string]> = {
  listed: ['✓', 'listed as written'], changed: ['≈', 'listed, but changed'], hidden: ['◌', 'kept from the model'], dropped: ['✗', 'not loaded'],
  'root-lost': ['✗', 'lost with its folder'], 'client-crash': ['‼', 'stops the client'],
};

/** Draws the table: a skill a row, a client a column, and below it why something is lost. */
export function clients(c: Clients | undefined, labels: Map<string, string>, choose: (file: string) => void): Child[] {
  const rows = c?.clients[0]?.skills ?? [];
  if (!c || rows.length === 0) return [h('p', {}, 'No skill is here. A skill is a folder with a SKILL.md.')];
  return [
    h('div', {class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Skills by clients'}, h('table', {},
      h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Skill'), ...c.clients.map((x) => h('th', {scope: 'col', class: 'client'}, h('span', {}, x.name), h('small', {}, x.version))))),
      h('tbody', {}, ...rows.map((s, i) => h('tr', {},
        h('th', {scope: 'row'}, h('button', {class: 'link', title: s.file, onclick: () => choose(s.file)}, folderOf(s.file))),
        ...c.clients.map((x) => cell(x.skills[i])))))),
    ),
    h('ul', {class: 'losses', tabindex: 0, 'aria-label': 'Losses'}, ...rows.flatMap((s, i) => losses(c, labels, s.file, i))),
  ];
}

function cell(s: SkillOutcome | undefined): HTMLElement {
  const [sign, text] = words[s?.status ?? 'dropped'] ?? ['?', s?.status ?? ''];
  const said = s?.reason ? `${text}: ${s.reason}` : text;
  return h('td', {class: `status ${s?.status ?? ''}`, title: said}, h('span', {'aria-hidden': 'true'}, sign), h('span', {class: 'aside'}, text));
}

/** Says why a skill is lost, once for all clients with the same reason. A reason begins with the client's label. */
function losses(c: Clients, labels: Map<string, string>, file: string, row: number): HTMLElement[] {
  const reasons = new Map<string, string[]>();
  for (const x of c.clients) {
    const s = x.skills[row];
    if (!s || s.status === 'listed') continue;
    const label = `${labels.get(x.name) ?? x.name} `;
    const reason = s.reason?.startsWith(label) ? s.reason.slice(label.length) : s.reason;
    const said = `${reason || words[s.status]?.[1] || s.status}${s.rule ? ` [${s.rule}]` : ''}`;
    reasons.set(said, [...(reasons.get(said) ?? []), x.name]);
  }
  return [...reasons].map(([said, names]) => h('li', {}, h('b', {}, folderOf(file)), ` · ${names.join(', ')}: ${said}`));
}
