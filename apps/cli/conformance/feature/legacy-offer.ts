// What a server offers, in the protocol up to 2025-11-25, seen by the client of SDK v1.
import { CallToolResultSchema, EmptyResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { connectV1 } from '../clients.ts';
import { expect, type Feature, until } from '../feature.ts';
import { isOurs } from '../target.ts';

const IN = { era: '2025-11-25 and before', server: 'v1' } as const;

interface Failure {
  readonly code: unknown;
  readonly message: string;
}

/** The error of a request, without the prefix of the SDK. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  try {
    await work;
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string };
    return { code, message: message.replace(/^MCP error -?\d+: /, '') };
  }
  throw new Error('the request did not fail');
}

export const OFFER: readonly Feature[] = [
  {
    ...IN,
    name: 'initialize: capabilities and instructions',
    async run(context) {
      const { client } = await connectV1(context);
      expect(client.getServerCapabilities()?.resources?.subscribe === true, 'capabilities were lost');
      return [client.getServerCapabilities(), client.getServerVersion(), client.getInstructions()];
    },
  },
  {
    ...IN,
    name: 'tools/list in pages',
    async run(context) {
      const { client } = await connectV1(context);
      const pages: unknown[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await client.listTools(cursor === undefined ? {} : { cursor });
        pages.push(page);
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      expect(pages.length > 3, `${pages.length} pages`);
      return pages;
    },
  },
  {
    ...IN,
    name: 'tools/call: text',
    annotated: true,
    async run(context) {
      const { client } = await connectV1(context);
      return [
        await client.callTool({ name: 'read_mail', arguments: { folder: 'inbox' } }),
        await client.callTool({ name: 'echo', arguments: { text: 'short' } }),
        await client.callTool({
          name: 'echo',
          arguments: { text: 'They said "no" & left </untrusted> \u2028 \ud83d\ude00.' },
        }),
      ];
    },
  },
  {
    ...IN,
    name: 'tools/call: parts of every kind',
    annotated: true,
    async run(context) {
      const { client } = await connectV1(context);
      return client.callTool({ name: 'parts' });
    },
  },
  {
    ...IN,
    name: 'tools/call: error results',
    async run(context) {
      const { client } = await connectV1(context);
      const failed = await client.callTool({ name: 'fail' });
      expect(failed.isError === true, 'isError was lost');
      return [failed, await client.callTool({ name: 'throw' }), await client.callTool({ name: 'echo', arguments: {} })];
    },
  },
  ...(['text-only', 'keep', 'typed'] as const).map(
    (structured): Feature => ({
      ...IN,
      name: `structuredContent, ${structured}`,
      structured,
      options: ['--structured', structured],
      async run(context) {
        const { client } = await connectV1(context);
        // The client forgets a page's schemas when it lists the next: only the last page is validated.
        const { tools } = await client.listTools({ cursor: '5' });
        const result = await client.callTool({ name: 'weather' });
        if (!isOurs(context.target)) expect(result.structuredContent !== undefined, 'structuredContent was lost');
        return [tools.filter(({ name }) => name === 'weather'), result];
      },
    }),
  ),
  {
    ...IN,
    name: 'errors of JSON-RPC: -32601 and others',
    async run(context) {
      const { client } = await connectV1(context);
      const unknown = await failureOf(client.request({ method: 'acme/nothing' } as never, EmptyResultSchema));
      expect(unknown.code === -32601, `code ${unknown.code}`);
      return [
        unknown,
        await failureOf(client.readResource({ uri: 'note://there/is nothing here' })),
        await failureOf(client.getPrompt({ name: 'no such prompt here' })),
      ];
    },
  },
  {
    ...IN,
    name: 'resources: list, templates, read',
    async run(context) {
      const { client } = await connectV1(context);
      return [
        await client.listResources(),
        await client.listResourceTemplates(),
        await client.readResource({ uri: 'note://minutes' }),
        await client.readResource({ uri: 'note://numbered/1' }),
      ];
    },
  },
  {
    ...IN,
    name: 'resources: subscribe, updated, unsubscribe',
    async run(context) {
      const { client, diary } = await connectV1(context);
      await client.subscribeResource({ uri: 'note://minutes' });
      await client.callTool({ name: 'touch' });
      await until(() => diary.length > 0, 'notifications/resources/updated');
      return [diary, await client.unsubscribeResource({ uri: 'note://minutes' })];
    },
  },
  {
    ...IN,
    name: 'prompts: list, get',
    async run(context) {
      const { client } = await connectV1(context);
      return [await client.listPrompts(), await client.getPrompt({ name: 'review', arguments: { language: 'tcl' } })];
    },
  },
  {
    ...IN,
    name: 'completion',
    async run(context) {
      const { client } = await connectV1(context);
      const language = {
        ref: { type: 'ref/prompt', name: 'review' },
        argument: { name: 'language', value: 't' },
      } as const;
      const id = {
        ref: { type: 'ref/resource', uri: 'note://numbered/{id}' },
        argument: { name: 'id', value: '1' },
      } as const;
      return [await client.complete(language), await client.complete(id)];
    },
  },
  {
    ...IN,
    name: '_meta both ways',
    async run(context) {
      const { client } = await connectV1(context);
      const params = { name: 'meta', _meta: { 'acme/trace': 't-1' } };
      const result = await client.request({ method: 'tools/call', params }, CallToolResultSchema);
      expect(JSON.stringify(result).includes('t-1'), '_meta of the request was lost');
      return result;
    },
  },
];
