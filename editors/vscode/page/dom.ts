// Builds elements. Text from skills and servers becomes text nodes only, so that nothing in it is ever markup.

export type Child = Node | string | number | false | null | undefined;
type Props = Record<string, string | number | boolean | EventListener | undefined>;

/** Returns a new element. Functions among the props are listeners (`onclick`), `true` sets an empty attribute. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  fill(element, children);
  return element;
}

/** Replaces all that an element holds. */
export function fill(element: Element, children: Child[]): void {
  const nodes: (Node | string)[] = [];
  for (const c of children) {
    if (c instanceof Node) nodes.push(c);
    else if (c !== undefined && c !== null && c !== false) nodes.push(String(c));
  }
  element.replaceChildren(...nodes);
}

/** Formats a number as the reader's language does. */
export const count = (n: number): string => n.toLocaleString();

/** Returns "1 tool", "2 tools". */
export const plural = (n: number, word: string): string => `${count(n)} ${word}${n === 1 ? '' : 's'}`;
