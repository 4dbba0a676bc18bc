// Stands in for Claude Code: says which version it is, or sends its model one request and ends.
const said = process.argv.at(-1);
if (said === '--version') {
  console.log('2.1.197 (Claude Code)');
} else {
  const response = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', {
    method: 'POST', headers: {'content-type': 'application/json', 'x-api-key': process.env.ANTHROPIC_API_KEY},
    body: JSON.stringify({model: 'none', max_tokens: 100, system: 'You stand in for a client.', messages: [{role: 'user', content: said}], tools: []}),
  });
  await response.text();
}
