// The tools of MCP servers as one client shows them.
import type {SimulatedTool, Simulation} from '../shared/protocol';
import {type Child, h, plural} from './dom';
import {compared, comparedJSON} from './marks';

/** Shows the tools of one client. */
export function tools(s: Simulation): Child[] {
  if (s.tools.length === 0) return [h('p', {}, 'No tools are known. Probe the MCP servers, or commit an mcp-tools.lock.json.')];
  const listed = s.tools.filter((t) => t.listed);
  return [h('p', {}, `${plural(listed.length, 'tool')} of ${s.tools.length}, ${plural(s.tokens.tools, 'token')}`), ...s.tools.map(tool)];
}

function tool(t: SimulatedTool): HTMLElement {
  const changed = t.changes.length > 0;
  return h('details', {class: t.listed ? 'tool' : 'tool off', open: changed, 'data-key': `${t.server}/${t.tool}`},
    h('summary', {},
      h('code', {}, t.listed && t.name ? t.name : t.tool),
      t.server && h('small', {}, ` ${t.server}/${t.tool}`), h('small', {}, ` ${plural(t.tokens, 'token')}`),
      changed && h('span', {class: 'badge'}, plural(t.changes.length, 'change')),
      !t.listed && h('span', {class: 'badge'}, 'not listed')),
    t.reason && h('p', {}, t.reason),
    changed && h('ul', {}, ...t.changes.map((c) => h('li', {}, c))),
    h('p', {class: 'description'}, ...(t.original ? compared(t.original.description, t.description) : [t.description])),
    t.input_schema !== undefined && h('pre', {tabindex: 0, 'aria-label': `Schema of ${t.tool}`},
      ...comparedJSON(t.original?.input_schema ?? t.input_schema, t.input_schema)));
}
