import * as vscode from 'vscode';

/** A tree that is asked for anew when what it shows may have changed, and drawn anew when it has. */
export abstract class Tree<Node> implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  protected readonly view: vscode.TreeView<Node>;
  readonly #parts: vscode.Disposable[];
  #shown?: string;

  constructor(id: string, stale: vscode.Event<void>, options: {showCollapseAll?: boolean} = {}) {
    this.view = vscode.window.createTreeView(id, {treeDataProvider: this, ...options});
    this.#parts = [this.view, this.#changed, stale(() => void this.#refresh())];
  }

  dispose(): void { vscode.Disposable.from(...this.#parts).dispose(); }

  async getChildren(node?: Node): Promise<Node[]> {
    if (node !== undefined) return this.below(node);
    const roots = await this.roots();
    this.#shown = this.told(roots);
    return roots;
  }

  /** A tree that nobody sees is asked for when somebody does. */
  async #refresh(): Promise<void> {
    if (!this.view.visible || this.told(await this.roots()) !== this.#shown) this.#changed.fire();
  }

  protected abstract roots(): Promise<Node[]>;
  protected abstract below(node: Node): Node[];
  /** All that is shown of the roots and what is below them. */
  protected abstract told(roots: Node[]): string;
  abstract getTreeItem(node: Node): vscode.TreeItem;
}
