// The Simulate panel as a page, in a webview of VS Code or alone in a browser.
import {h} from './dom';
import {Panel} from './panel';
import {type Embedded, EmbeddedSource} from './source_embedded';
import {VSCodeSource} from './source_vscode';

const data = document.getElementById('data')?.textContent;
const main = h('main', {}, h('h1', {class: 'spoken'}, 'Simulate agent'));
document.body.append(main);
void new Panel(data ? new EmbeddedSource(JSON.parse(data) as Embedded) : new VSCodeSource(), main).start();
