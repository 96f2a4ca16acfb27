import { type CallableTool, GoogleGenAI, type ToolUnion } from '@google/genai';
import { createBoundary } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { type Declarations, protect } from '../src/index.ts';
import { call, clientOf, converse, Provider, says, toolOf, user } from './stage.ts';

const ASKED = user({ text: 'What is new?' });
const NOT = /is not protected.*use only the tools that it returns/;

function payTool(schema: object): CallableTool {
  return { tool: async () => ({ functionDeclarations: [{ name: 'pay', ...schema }] }), callTool: async () => [] };
}

describe('tools at wiring', () => {
  const wire = (tools: ToolUnion[], declare: Declarations) =>
    protect(createBoundary().conversation('c'), { client: { apiKey: 'none' }, tools, declare });

  test('are declared by protect', async () => {
    const conversation = createBoundary().conversation('c');
    const declare = { pay: { effect: 'spend' } } as const;
    await protect(conversation, { client: { apiKey: 'none' }, tools: [payTool({})], declare });
    expect(conversation.tools.get('pay')?.effect).toBe('spend');
  });
  test('without a declaration, and declarations without a tool, are refused', async () => {
    await expect(wire([toolOf([], ['read_mail'])], {})).rejects.toThrow(/read_mail is not declared/);
    await expect(wire([{ functionDeclarations: [{ name: 'pay' }] }], {})).rejects.toThrow(/pay is not declared/);
    const declare = { pay: { effect: 'spend' }, pey: { effect: 'spend' } } as const;
    await expect(wire([payTool({})], declare)).rejects.toThrow(/names pey, .*Did you mean pay/);
  });
  test.each([
    { title: 'a JSON Schema', schema: { parametersJsonSchema: { type: 'object', properties: { iban: {} } } } },
    {
      title: "Google's own form",
      schema: { parameters: { type: 'OBJECT', properties: { iban: { type: 'STRING' } } } },
    },
  ])('with a misspelt argument are refused, if the arguments are given as $title', async ({ schema }) => {
    const declare = { pay: { effect: 'spend', modelText: ['ibam'] } } as const;
    await expect(wire([payTool(schema)], declare)).rejects.toThrow(/Did you mean iban/);
  });
  test('that Google runs need no declaration', async () => {
    const { tools } = await wire([{ googleSearch: {} }], {});
    expect(tools).toEqual([{ googleSearch: {} }]);
  });
  test('come with the options of a client, not with a client', async () => {
    const client = new GoogleGenAI({ apiKey: 'none' });
    const wired = protect(converse(), { client: client as never, tools: [], declare: {} });
    await expect(wired).rejects.toThrow(/received a client/);
  });
});

describe('a tool that is not protected', () => {
  const wired = async () => {
    const provider = new Provider(says(call('read_mail')));
    return { provider, ...(await clientOf(converse(), provider, [toolOf([], ['read_mail'])])) };
  };
  test('fails a request that offers it', async () => {
    const { ai, provider } = await wired();
    const config = { tools: [{ functionDeclarations: [{ name: 'pay' }] }] };
    await expect(ai.models.generateContent({ model: 'm', contents: [ASKED], config })).rejects.toThrow(NOT);
    const body = { model: 'm', input: 'Hi.', tools: [{ type: 'function' as const, name: 'pay' }] };
    await expect(ai.interactions.create(body)).rejects.toThrow(/tool pay is offered/);
    await expect(ai.caches.create({ model: 'm', config })).rejects.toThrow(/tool pay is offered/);
    expect(provider.bodies).toEqual([]);
  });
  test('is never run, even if a protected tool has its name', async () => {
    const { ai, provider } = await wired();
    const ran: never[] = [];
    const other = await clientOf(converse(), new Provider(), [toolOf(ran, ['read_mail'])]);
    for (const tools of [[toolOf(ran, ['read_mail'])], [...other.tools]]) {
      const request = { model: 'm', contents: [ASKED], config: { tools } };
      await expect(ai.models.generateContent(request)).rejects.toThrow(/tool read_mail is offered.*is not protected/);
      await expect(ai.models.generateContentStream(request)).rejects.toThrow(NOT);
      const chat = ai.chats.create({ model: 'm', config: { tools } });
      await expect(chat.sendMessage({ message: 'Hi.' })).rejects.toThrow(NOT);
    }
    expect([ran, provider.bodies]).toEqual([[], []]);
  });
});
