import {h} from './dom';

/** Tabs as screen readers and keyboards know them. https://www.w3.org/WAI/ARIA/apg/patterns/tabs/ */
export class Tabs<Name extends string> {
  readonly list = h('div', {role: 'tablist', 'aria-label': 'Views'});
  readonly panel = h('div', {role: 'tabpanel', id: 'panel', tabindex: 0});
  shown: Name;
  readonly #tabs = new Map<Name, HTMLButtonElement>();
  readonly #changed: () => void;

  constructor(names: Record<Name, string>, changed: () => void) {
    this.#changed = changed;
    for (const name of Object.keys(names) as Name[]) {
      const tab = h('button', {role: 'tab', id: `tab-${name}`, 'aria-controls': 'panel', onclick: () => this.#choose(name)}, names[name]);
      this.#tabs.set(name, tab);
      this.list.append(tab);
    }
    this.list.addEventListener('keydown', (e) => this.#move(e));
    this.shown = Object.keys(names)[0] as Name;
    this.show(this.shown);
  }

  show(name: Name): void {
    this.shown = name;
    for (const [other, tab] of this.#tabs) {
      tab.setAttribute('aria-selected', String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
    }
    this.panel.setAttribute('aria-labelledby', `tab-${name}`);
  }

  hide(...names: Name[]): void {
    for (const name of names) {
      this.#tabs.get(name)?.remove();
      this.#tabs.delete(name);
    }
  }

  #choose(name: Name): void {
    this.show(name);
    this.#tabs.get(name)?.focus();
    this.#changed();
  }

  #move(e: KeyboardEvent): void {
    const names = [...this.#tabs.keys()];
    const at = names.indexOf(this.shown);
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1 + names.length, Home: 0, End: names.length - 1}[e.key];
    const name = to === undefined ? undefined : names[to % names.length];
    if (name === undefined) return;
    e.preventDefault();
    this.#choose(name);
  }
}
