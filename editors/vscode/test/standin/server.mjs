// Stands in for an MCP server with one tool. The file that its argument names tells that it was started.
import {writeFileSync} from 'node:fs';
import {createInterface} from 'node:readline';

writeFileSync(process.argv[2], '');
const answers = {
  initialize: ({protocolVersion}) => ({protocolVersion, capabilities: {tools: {}}, serverInfo: {name: 'stand-in', version: '1'}}),
  'tools/list': () => ({tools: [{name: 'count_boxes', description: 'Counts the boxes of an article.', inputSchema: {type: 'object', properties: {article: {type: 'string'}}}}]}),
};
for await (const line of createInterface({input: process.stdin})) {
  const {id, method, params} = JSON.parse(line);
  if (id === undefined) continue;
  const result = answers[method]?.(params);
  console.log(JSON.stringify({jsonrpc: '2.0', id, ...result ? {result} : {error: {code: -32601, message: 'no such method'}}}));
}
