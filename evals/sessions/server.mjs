// A file server and a shell server over stdio that return what a scenario says, and do nothing.
//
//   node evals/sessions/server.mjs files|shell <file with the texts by path or command>
import { readFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [kind = '', file = ''] = process.argv.slice(2);
const texts = JSON.parse(readFileSync(file, 'utf8'));
const tool = (name, description, ...names) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])),
    required: names,
  },
});

const TOOLS = {
  files: [
    tool('read_text_file', 'Reads a file as text.', 'path'),
    tool('list_directory', 'Lists a folder.', 'path'),
    tool('search_files', 'Finds files by a pattern.', 'path', 'pattern'),
    tool('write_file', 'Writes a file.', 'path', 'content'),
  ],
  shell: [tool('run_command', 'Runs a command.', 'command')],
};

const server = new Server({ name: kind, version: '1.0.0' }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: TOOLS[kind] }));
server.setRequestHandler(CallToolRequestSchema, ({ params: { arguments: given = {} } }) => {
  const text = texts[given.command ?? given.path ?? ''] ?? 'ok';
  return { content: [{ type: 'text', text }] };
});
await server.connect(new StdioServerTransport());
