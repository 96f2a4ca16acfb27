// The protocol 2026-07-28, with client and server of SDK v2: no sessions, no requests by the server.
import { connectV2 } from '../clients.ts';
import { expect, type Feature, until } from '../feature.ts';
import type { TestContext } from '../test-context.ts';
import { failureOf } from './legacy-offer.ts';

const IN = { era: '2026-07-28', server: 'v2' } as const;
const PARALLEL = 50;

async function connect(context: TestContext) {
  const connected = await connectV2(context, 'auto');
  const version = connected.client.getNegotiatedProtocolVersion();
  expect(version === '2026-07-28', `the client fell back to ${version}`);
  return connected;
}

export const MODERN: readonly Feature[] = [
  {
    ...IN,
    name: 'server/discover: versions, capabilities, instructions',
    async run(context) {
      const { client } = await connect(context);
      return [client.getDiscoverResult(), client.getServerCapabilities(), client.getInstructions()];
    },
  },
  {
    ...IN,
    name: 'tools/list, tools/call',
    annotated: true,
    async run(context) {
      const { client } = await connect(context);
      return [
        await client.listTools(),
        await client.callTool({ name: 'read_mail', arguments: { folder: 'inbox' } }),
        await client.callTool({ name: 'fail' }),
        await client.callTool({ name: 'meta', _meta: { 'acme/trace': 't-1' } }),
      ];
    },
  },
  {
    ...IN,
    name: 'input_required: elicitation, requestState given back',
    async run(context) {
      const { client, diary } = await connect(context);
      const result = await client.callTool({ name: 'ask_user' });
      expect(JSON.stringify(result).includes('Bob'), 'the answer did not come back');
      return [diary, result];
    },
  },
  {
    ...IN,
    name: 'input_required: sampling and roots',
    async run(context) {
      const { client, diary } = await connect(context);
      const result = await client.callTool({ name: 'ask_model' });
      expect(JSON.stringify(result).includes('Paris'), 'the answer did not come back');
      return [diary, result];
    },
  },
  ...(['text-only', 'keep', 'typed'] as const).map(
    (structured): Feature => ({
      ...IN,
      name: `structuredContent of any JSON, without content, ${structured}`,
      structured,
      options: ['--structured', structured],
      async run(context) {
        const { client } = await connect(context);
        const { tools } = await client.listTools();
        const names = ['weather', 'list', 'line'];
        const results: unknown[] = [];
        for (const name of names) results.push(await client.callTool({ name }));
        return [tools.filter(({ name }) => names.includes(name)), results];
      },
    }),
  ),
  {
    ...IN,
    name: 'subscriptions/listen: tools/list_changed, resources/updated',
    async run(context) {
      const { client, diary } = await connect(context);
      const subscription = await client.listen({ toolsListChanged: true, resourceSubscriptions: ['note://minutes'] });
      await client.callTool({ name: 'touch' });
      await client.callTool({ name: 'add_tool' });
      await until(() => diary.length > 1, 'two notifications');
      await subscription.close();
      return [subscription.honoredFilter, diary];
    },
  },
  {
    ...IN,
    name: 'notifications: progress, log messages',
    async run(context) {
      const { client, diary } = await connect(context);
      const steps: unknown[] = [];
      await client.callTool({ name: 'slow' }, { onprogress: (step) => steps.push(step) });
      expect(steps.length === 10, `${steps.length} steps came before the result`);
      await client.callTool({ name: 'log', _meta: { 'io.modelcontextprotocol/logLevel': 'info' } });
      await until(() => diary.length > 0, 'notifications/message');
      return [steps, diary];
    },
  },
  {
    ...IN,
    name: 'cancellation reaches the server (2026-07-28)',
    async run(context) {
      const { client } = await connect(context);
      const controller = new AbortController();
      const onprogress = () => controller.abort();
      const call = client.callTool({ name: 'slow' }, { signal: controller.signal, onprogress });
      await call.then(
        () => expect(false, 'the call was not cancelled'),
        () => {},
      );
      await until(() => context.stderr().includes('FIXTURE cancelled'), 'the server to hear of it');
      return 'cancelled';
    },
  },
  {
    ...IN,
    name: 'resources, prompts, completion (2026-07-28)',
    async run(context) {
      const { client } = await connect(context);
      return [
        await client.listResources(),
        await client.listResourceTemplates(),
        await client.readResource({ uri: 'note://minutes' }),
        await client.listPrompts(),
        await client.getPrompt({ name: 'review', arguments: { language: 'tcl' } }),
        await client.complete({
          ref: { type: 'ref/prompt', name: 'review' },
          argument: { name: 'language', value: 't' },
        }),
      ];
    },
  },
  {
    ...IN,
    name: 'MCP Apps: _meta.ui of a tool, the page at ui://, its data',
    hasPage: true,
    async run(context) {
      const { client } = await connect(context);
      const { tools } = await client.listTools();
      const board = tools.find(({ name }) => name === 'board');
      expect(JSON.stringify(board?._meta).includes('ui://fixture/board'), '_meta.ui was lost');
      const page = await client.readResource({ uri: 'ui://fixture/board' });
      expect(JSON.stringify(page).includes('"<!doctype html>'), 'the page was changed');
      return [board, page, await client.callTool({ name: 'board' })];
    },
  },
  {
    ...IN,
    name: 'errors of JSON-RPC (2026-07-28)',
    async run(context) {
      const { client } = await connect(context);
      return [
        await failureOf(client.getPrompt({ name: 'no such prompt here' })),
        await failureOf(client.readResource({ uri: 'note://there/is nothing here' })),
      ];
    },
  },
  {
    ...IN,
    name: '50 calls at once (2026-07-28)',
    async run(context) {
      const { client } = await connect(context);
      const calls = Array.from({ length: PARALLEL }, (_, index) =>
        client.callTool({ name: 'echo', arguments: { text: `This is the text of call ${index}.` } }),
      );
      return Promise.all(calls);
    },
  },
  {
    ...IN,
    server: 'raw',
    name: 'tasks, an extension: create, status, get (SDK v2 has no tasks: raw lines)',
    async run(context) {
      const client = context.rawRecorded();
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      };
      const discovered = await client.request('server/discover', { _meta });
      await client.request('tools/list', { _meta });
      const created = await client.request('tools/call', { name: 'report', arguments: {}, _meta });
      const [status] = await client.arrived(1);
      const task = await client.request('tasks/get', { taskId: 't-1', _meta });
      return [discovered, created, JSON.parse(String(status)), task];
    },
  },
];
