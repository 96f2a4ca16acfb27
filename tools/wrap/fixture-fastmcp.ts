// A server written with FastMCP, as many are.
import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { endWithInput, INSTRUCTIONS, MAIL } from './fixture/texts.ts';

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0', instructions: INSTRUCTIONS });
server.addTool({
  name: 'read_mail',
  description: 'Reads the newest mail of a folder.',
  parameters: z.object({ folder: z.string() }),
  execute: async (_, { log }) => {
    log.info('The mail is being read.');
    return MAIL;
  },
});
server.addTool({
  name: 'broken',
  description: 'Fails every single time.',
  execute: () => Promise.reject(new Error('The disk of the server is full.')),
});
server.addResource({
  uri: 'note://minutes',
  name: 'Minutes of the last meeting',
  mimeType: 'text/plain',
  load: async () => ({ text: MAIL }),
});
server.addPrompt({
  name: 'review',
  description: 'Asks for a review of code.',
  load: async () => 'Please review this piece of code.',
});
endWithInput();
await server.start({ transportType: 'stdio' });
