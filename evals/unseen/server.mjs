// An MCP server over stdio with the tools of one conversation, which returns what the conversation says, and does nothing.
//
//   node evals/unseen/server.mjs FILE
import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const { tools, results } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const server = new Server({ name: 'unseen', version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: given = {} } }) => {
  const at = results.findIndex((each) => each.tool === name && isDeepStrictEqual(each.arguments, given));
  const [found] = at < 0 ? [] : results.splice(at, 1);
  return { content: [{ type: 'text', text: found?.text ?? 'ok' }] };
});
await server.connect(new StdioServerTransport());
