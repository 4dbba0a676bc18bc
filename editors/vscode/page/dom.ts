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
export function fill(element: Element, children: Child[]): void { element.replaceChildren(...nodes(children)); }

/**
 * Makes what an element holds into something else and touches only what differs: the rest keeps focus, selection and place,
 * and is not drawn again. Listeners stay where they are, so that what is shown in this way has none of its own.
 */
export function update(element: Element, children: Child[]): void {
  const wanted = nodes(children);
  for (const [i, node] of wanted.entries()) {
    const held = element.childNodes[i];
    if (!held) element.append(node);
    else if (!become(held, node)) held.replaceWith(node);
  }
  while (element.childNodes.length > wanted.length) element.lastChild!.remove();
}

function nodes(children: Child[]): Node[] {
  return children.flatMap((c) => c instanceof Node ? [c] : c === undefined || c === null || c === false ? [] : [document.createTextNode(String(c))]);
}

/** Makes a node like another one. Returns false when they are of different kinds, or stand for different things: data-key tells. */
function become(held: Node, wanted: Node): boolean {
  if (held instanceof HTMLElement && wanted instanceof HTMLElement) {
    if (held.tagName !== wanted.tagName || held.dataset.key !== wanted.dataset.key) return false;
    attributes(held, wanted);
    update(held, [...wanted.childNodes]);
    return true;
  }
  if (!(held instanceof Text && wanted instanceof Text)) return false;
  if (held.data !== wanted.data) held.data = wanted.data;
  return true;
}

function attributes(held: HTMLElement, wanted: HTMLElement): void {
  for (const name of new Set([...held.getAttributeNames(), ...wanted.getAttributeNames()])) {
    const value = wanted.getAttribute(name);
    if (value === held.getAttribute(name) || name === 'open') continue; // what is folded is the user's
    if (name === 'style') held.style.cssText = wanted.style.cssText; // which the page allows to scripts alone
    else if (value === null) held.removeAttribute(name);
    else held.setAttribute(name, value);
  }
}

/** Formats a number as the reader's language does. */
export const count = (n: number): string => n.toLocaleString();

/** Returns "1 tool", "2 tools". */
export const plural = (n: number, word: string): string => `${count(n)} ${word}${n === 1 ? '' : 's'}`;
