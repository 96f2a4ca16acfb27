// An MCP server on SDK v2: protocol 2026-07-28, and the older one for clients that ask for it.
import { completable, McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { endWithInput, HIJACK, INSTRUCTIONS, MAIL, tell, WEATHER } from './fixture/texts.ts';
import { addTalk } from './fixture/v2-talk.ts';

const textResult = (text: string) => ({ content: [{ type: 'text' as const, text }] });

function addTools(server: McpServer): void {
  server.registerTool(
    'echo',
    { title: 'Echo', description: 'Says what it was told to say.', inputSchema: z.object({ text: z.string() }) },
    ({ text }) => textResult(text),
  );
  server.registerTool(
    'read_mail',
    { description: 'Reads the newest mail of a folder.', inputSchema: z.object({ folder: z.string() }) },
    ({ folder }) => textResult(folder === 'spam' ? HIJACK : MAIL),
  );
  server.registerTool(
    'send_mail',
    { description: 'Sends a mail to somebody.', inputSchema: z.object({ to: z.string(), subject: z.string() }) },
    () => {
      tell('mail sent');
      return textResult('The mail was sent.');
    },
  );
  server.registerTool('fail', { description: 'Fails every single time.' }, () => ({
    ...textResult('The disk of the server is full.'),
    isError: true,
  }));
  server.registerTool('meta', { description: 'Says which meta it was sent.' }, ({ mcpReq }) => ({
    ...textResult(JSON.stringify(mcpReq._meta ?? {})),
    _meta: { 'fixture/answer': 'A remark beside the result.' },
  }));
}

/** What the older protocol did not allow: an object without content, an array, a bare string. */
function addStructured(server: McpServer): void {
  server.registerTool(
    'weather',
    {
      description: 'Tells the weather as an object.',
      outputSchema: z.object({
        status: z.enum(['open', 'closed']),
        when: z.iso.datetime(),
        id: z.string().max(8),
        note: z.string(),
        count: z.number(),
        warm: z.boolean(),
      }),
    },
    () => ({ content: [], structuredContent: { ...WEATHER } }),
  );
  server.registerTool(
    'list',
    { description: 'Tells a list of notes.', outputSchema: z.array(z.object({ note: z.string(), count: z.number() })) },
    () => ({ content: [], structuredContent: [{ note: 'The first of the notes.', count: 1 }] }),
  );
  server.registerTool('line', { description: 'Tells one line of text.', outputSchema: z.string() }, () => ({
    content: [],
    structuredContent: 'One line of plain text.',
  }));
}

serveStdio(() => {
  const server = new McpServer(
    { name: 'fixture', title: 'A fixture for all tests', version: '2.0.0' },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        logging: {},
        resources: { subscribe: true, listChanged: true },
        tools: { listChanged: true },
        prompts: { listChanged: true },
      },
    },
  );
  addTools(server);
  addStructured(server);
  addTalk(server);
  server.registerResource(
    'minutes',
    'note://minutes',
    { title: 'Minutes', description: 'What was said last Friday.', mimeType: 'text/plain' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/plain', text: MAIL }] }),
  );
  server.registerResource(
    'numbered',
    new ResourceTemplate('note://numbered/{id}', { list: undefined }),
    { description: 'A note by its number.' },
    ({ href }) => ({ contents: [{ uri: href, blob: 'AAEC' }] }),
  );
  server.registerPrompt(
    'review',
    {
      description: 'Asks for a review of code.',
      argsSchema: z.object({
        language: completable(z.string(), (value) => ['typescript', 'tcl'].filter((name) => name.startsWith(value))),
      }),
    },
    ({ language }) => ({
      messages: [{ role: 'user', content: { type: 'text', text: `Please review this ${language} code.` } }],
    }),
  );
  return server;
});
endWithInput();
