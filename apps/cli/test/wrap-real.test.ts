import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as ClientV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT, SALLYPORT, TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const CLIENT = { name: 'test', version: '1.0.0' };

/** The command that starts a server from npm, wrapped or not. */
function commandOf(isWrapped: boolean, name: string, ...words: string[]) {
  const server = [process.execPath, join(ROOT, 'node_modules/@modelcontextprotocol', name, 'dist/index.js'), ...words];
  const [command = '', ...args] = isWrapped ? [...SALLYPORT, 'wrap', ...server] : server;
  const env = { ...testFolder.environment, MEMORY_FILE_PATH: testFolder.path('memory.json') } as Record<string, string>;
  return { command, args, env, stderr: 'ignore' as const };
}

interface Content {
  readonly content?: readonly { readonly type?: string; readonly text?: string }[];
}

function textOf(result: unknown): string {
  return ((result as Content).content ?? []).map(({ text }) => text ?? '').join('\n');
}

test('server-filesystem works with the client of SDK 1', async () => {
  mkdirSync(testFolder.path('notes'));
  writeFileSync(testFolder.path('notes/a.txt'), 'The meeting is at noon in the big room');
  const names: string[][] = [];
  for (const isWrapped of [false, true]) {
    const client = new Client(CLIENT);
    await client.connect(new StdioClientTransport(commandOf(isWrapped, 'server-filesystem', testFolder.path('notes'))));
    names.push((await client.listTools()).tools.map(({ name }) => name));
    const read = await client.callTool({ name: 'read_text_file', arguments: { path: testFolder.path('notes/a.txt') } });
    expect(textOf(read)).toContain('The meeting is at noon in the big room');
    expect(textOf(read).includes('<untrusted ')).toBe(isWrapped);
    const written = { path: testFolder.path('notes/b.txt'), content: `by ${isWrapped}` };
    await client.callTool({ name: 'write_file', arguments: written });
    expect(readFileSync(testFolder.path('notes/b.txt'), 'utf8')).toBe(`by ${isWrapped}`);
    await client.close();
  }
  expect(names[0]?.length).toBeGreaterThan(5);
  expect(names[1]).toEqual(names[0]);
});

test('server-memory works with the client of SDK 2', async () => {
  const client = new ClientV2(CLIENT);
  await client.connect(new TransportV2(commandOf(true, 'server-memory')));
  // Calls to a tool that was never listed would be held.
  await client.listTools();
  const entities = [{ name: 'Ada', entityType: 'person', observations: ['likes tea in the morning'] }];
  await client.callTool({ name: 'create_entities', arguments: { entities } });
  const graph = textOf(await client.callTool({ name: 'read_graph', arguments: {} }));
  expect(graph).toContain('likes tea in the morning');
  expect(graph).toContain('<untrusted ');
  expect(readFileSync(testFolder.path('memory.json'), 'utf8')).toContain('likes tea in the morning');
  await client.close();
});

test('server-everything works, with tools, resources and prompts', async () => {
  const client = new Client(CLIENT);
  await client.connect(new StdioClientTransport(commandOf(true, 'server-everything')));
  expect(client.getInstructions()).toContain('untrusted');
  await client.listTools();
  const echo = await client.callTool({ name: 'echo', arguments: { message: 'one two three four' } });
  expect(textOf(echo)).toContain('one two three four');
  expect((await client.listResources()).resources.length).toBeGreaterThan(0);
  expect((await client.listPrompts()).prompts.length).toBeGreaterThan(0);
  await client.close();
});
