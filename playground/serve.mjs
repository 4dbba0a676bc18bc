// A plain server of files on this machine, which also says what it was asked for.
import {createServer} from 'node:http';
import {readFile} from 'node:fs/promises';
import {extname, join, normalize} from 'node:path';

const types = {'.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.txt': 'text/plain'};

/** Serves a folder until it is closed. */
export async function serve(folder) {
  const asked = [];
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    asked.push(request.url);
    try {
      const data = await readFile(join(folder, path.endsWith('/') ? join(path, 'index.html') : path));
      response.writeHead(200, {'Content-Type': types[extname(path)] ?? (path.endsWith('/') ? 'text/html' : 'application/octet-stream')}).end(data);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {url: `http://127.0.0.1:${server.address().port}/`, asked, close: () => server.close()};
}
