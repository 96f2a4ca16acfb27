// Servers and a client from npm.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root, run } from '../../../../tools/command.mjs';
import { connectV1 } from '../clients.ts';
import { expect, type Feature, until } from '../feature.ts';
import { MAIL } from '../fixture/texts.ts';
import type { TestContext } from '../test-context.ts';

const IN = { era: 'servers and clients from npm' } as const;
const NODE_22 = join(root, 'node_modules', 'node-22', 'bin', 'node');
const INSPECTOR = join(
  root,
  'node_modules',
  '@modelcontextprotocol',
  'inspector',
  'clients',
  'cli',
  'build',
  'index.js',
);

/** Runs the Inspector's command line against the target. Its own options would be mixed with those of a command. */
async function inspect(context: TestContext, ...args: string[]): Promise<unknown> {
  expect(existsSync(NODE_22), 'the package node-22 is not installed');
  const env = { ...context.env, HOME: context.files };
  const command = [INSPECTOR, NODE_22, context.script(), ...args, '--format', 'json'];
  const { code, output } = await run(NODE_22, command, { env, timeout: 25_000 });
  expect(code === 0, `the Inspector ended with ${code}: ${output.slice(0, 400)}`);
  const json = output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1);
  return JSON.parse(json);
}

export const NPM: readonly Feature[] = [
  {
    ...IN,
    name: 'server-everything: tools, resources, prompts, progress',
    server: 'everything',
    args: ['stdio'],
    async run(context) {
      const { client } = await connectV1(context);
      const steps: unknown[] = [];
      const long = { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } };
      return [
        client.getInstructions(),
        await client.listTools(),
        await client.callTool({ name: 'get-structured-content', arguments: { location: 'New York' } }),
        await client.callTool({
          name: 'get-annotated-message',
          arguments: { messageType: 'error', includeImage: true },
        }),
        await client.callTool({ name: 'get-resource-links', arguments: { count: 2 } }),
        await client.callTool({ name: 'get-sum', arguments: { a: 2, b: 3 } }),
        await client.callTool(long, undefined, { onprogress: (step) => steps.push(step) }),
        steps.length > 0,
        await client.listResources(),
        await client.readResource({ uri: 'demo://resource/static/document/features.md' }),
        await client.listPrompts(),
        await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Paris' } }),
      ];
    },
  },
  {
    ...IN,
    name: 'server-filesystem: write, read, list',
    server: 'filesystem',
    args: ['FOLDER'],
    async run(context) {
      writeFileSync(join(context.files, 'mail.txt'), MAIL);
      const { client } = await connectV1(context, pathToFileURL(context.files).href);
      const note = join(context.files, 'note.txt');
      return [
        await client.listTools(),
        await client.callTool({ name: 'read_text_file', arguments: { path: join(context.files, 'mail.txt') } }),
        await client.callTool({ name: 'write_file', arguments: { path: note, content: 'A note of my own.' } }),
        await client.callTool({ name: 'read_text_file', arguments: { path: note } }),
        await client.callTool({ name: 'list_directory', arguments: { path: context.files } }),
        await client.callTool({ name: 'read_text_file', arguments: { path: '/etc/passwd' } }),
      ];
    },
  },
  {
    ...IN,
    name: 'server-memory: create, search, read',
    server: 'memory',
    async run(context) {
      const { client } = await connectV1(context);
      const entities = [{ name: 'Ann', entityType: 'person', observations: ['She works in the new office.'] }];
      return [
        await client.listTools(),
        await client.callTool({ name: 'create_entities', arguments: { entities } }),
        await client.callTool({ name: 'search_nodes', arguments: { query: 'office' } }),
        await client.callTool({ name: 'read_graph', arguments: {} }),
        await client.readResource({ uri: 'memory://knowledge-graph' }),
      ];
    },
  },
  {
    ...IN,
    name: 'fastmcp: tools, resources, prompts, log',
    server: 'fastmcp',
    async run(context) {
      const { client, diary } = await connectV1(context);
      const logged = () => diary.filter(({ method }) => method === 'notifications/message');
      return [
        client.getInstructions(),
        await client.listTools(),
        await client.callTool({ name: 'read_mail', arguments: { folder: 'inbox' } }),
        await client.callTool({ name: 'broken' }),
        await client.readResource({ uri: 'note://minutes' }),
        await client.listPrompts(),
        await client.getPrompt({ name: 'review' }),
        await until(() => logged().length > 0, 'the log').then(logged),
      ];
    },
  },
  {
    ...IN,
    name: 'MCP Inspector: tools/list, tools/call',
    server: 'everything',
    args: ['stdio'],
    async run(context) {
      return [
        await inspect(context, '--method', 'tools/list'),
        await inspect(context, '--method', 'tools/call', '--tool-name', 'get-sum', '--tool-arg', 'a=2', 'b=3'),
      ];
    },
  },
];
