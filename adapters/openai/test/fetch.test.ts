import { READING_RULES } from '@sallyport/core/adapter';
import { protect } from '@sallyport/openai';
import { OpenAI } from 'openai';
import { describe, expect, it } from 'vitest';
import type { Fetch } from '../src/fetch.ts';
import {
  clientOf,
  completion,
  EVIL,
  fetchOf,
  type Json,
  POISON,
  Provider,
  refusalOf,
  response,
  shown,
  start,
  unframed,
} from './world.ts';

const ITEMS = [
  { type: 'function_call' as const, call_id: '1', name: 'read_mail', arguments: '{}' },
  { type: 'function_call_output' as const, call_id: '1', output: POISON },
];
const MESSAGES = [
  {
    role: 'assistant' as const,
    tool_calls: [{ id: '1', type: 'function' as const, function: { name: 'read_mail', arguments: '{}' } }],
  },
  { role: 'tool' as const, tool_call_id: '1', content: POISON },
];

describe('fetch', () => {
  it.each([
    ['/responses', 'input', { model: 'm', input: ITEMS }],
    ['/responses/', 'input', { model: 'm', input: ITEMS }],
    ['/responses?beta=true', 'input', { model: 'm', input: ITEMS }],
    ['/responses/input_tokens', 'input', { model: 'm', input: ITEMS }],
    ['/responses/compact', 'input', { model: 'm', input: ITEMS }],
    ['/decisions', 'input', { model: 'm', input: ITEMS }],
    ['/conversations', 'items', { items: ITEMS }],
    ['/conversations/conv_1/items', 'items', { items: ITEMS }],
    ['/chat/completions', 'messages', { model: 'm', messages: MESSAGES }],
    ['/openai/deployments/d/chat/completions?api-version=1', 'messages', { messages: MESSAGES }],
  ])('frames tool results sent to %s', async (path, member, body) => {
    const { output, content } = ((await shown(path, body))[member] as Json[]).at(-1) ?? {};
    expect(unframed(output ?? content)).toBe(POISON);
  });

  it('adds the reading rules where each endpoint accepts them', async () => {
    const { instructions } = await shown('/responses', { model: 'm', instructions: 'You help.', input: 'Hi' });
    expect(instructions).toBe(`You help.\n\n${READING_RULES}`);
    expect((await shown('/responses/compact', { model: 'm', input: ITEMS })).instructions).toBe(READING_RULES);
    const rules = { role: 'developer', content: READING_RULES };
    expect((await shown('/decisions', { model: 'm', input: 'Hi' })).input).toEqual([
      rules,
      { role: 'user', content: 'Hi' },
    ]);
    expect((await shown('/conversations', { items: ITEMS })).items).toHaveLength(2);
  });

  it('does not override a prompt that the provider stores, and its variables vouch for nothing', async () => {
    const conversation = start();
    const prompt = { id: 'pmpt_1', variables: { mail: POISON } };
    const body = await shown('/responses', { prompt, input: 'Hi' }, conversation);
    expect(body).toEqual({
      prompt,
      input: [
        { role: 'developer', content: READING_RULES },
        { role: 'user', content: 'Hi' },
      ],
    });
    const toEvil = { id: 's', tool: 'send_mail', arguments: { to: EVIL, body: 'Hi' } };
    expect(await conversation.check(toEvil)).toMatchObject({ outcome: 'deny', rule: 'instructed' });
  });

  it('leaves a request without an input unchanged', async () => {
    expect(await shown('/responses', { model: 'm', previous_response_id: 'r' })).toEqual({
      model: 'm',
      previous_response_id: 'r',
      instructions: READING_RULES,
    });
  });

  it.each([
    ['GET', '/responses/resp_1'],
    ['GET', '/chat/completions'],
    ['POST', '/chat/completions/c_1'],
    ['POST', '/conversations/conv_1'],
    ['POST', '/embeddings'],
    ['POST', '/threads'],
  ])('passes %s %s unchanged', async (method, path) => {
    const seen: unknown[] = [];
    const own: Fetch = async (...given) => {
      seen.push(given);
      return new Response('{}');
    };
    const url = new URL(`https://api.example/v1${path}`);
    const init = method === 'GET' ? { method } : { method, body: '{"messages":[],"input":["x"]}' };
    await fetchOf(start(), own)(url, init);
    expect(seen).toEqual([[url, init]]);
  });

  it.each(['/threads/t/runs/r/submit_tool_outputs', '/agents/sessions/s/events', '/agents/sessions'])(
    'refuses %s, whose results it cannot frame',
    async (path) => {
      await expect(shown(path, { tool_outputs: [{ output: POISON }] })).rejects.toThrow(/cannot be framed/);
    },
  );

  it.each([
    ['bytes', new TextEncoder().encode(JSON.stringify({ messages: MESSAGES }))],
    ['a list', JSON.stringify(MESSAGES)],
    ['nothing', undefined],
    ['no messages', '{"model":"m"}'],
    ['broken JSON', '{"messages":'],
  ])('sends nothing if the body is %s', async (_, body) => {
    const provider = new Provider();
    const send = fetchOf(start(), provider.fetch);
    const url = 'https://api.example/v1/chat/completions';
    const init = { method: 'post', ...(body === undefined ? {} : { body }) };
    expect((await send(url, init)).status).toBe(400);
    expect((await send(new Request(url, { method: 'POST', body: body ?? '' }))).status).toBe(400);
    expect(provider.sent).toEqual([]);
  });

  it('sends nothing if the input has an unknown form', async () => {
    await expect(shown('/responses', ITEMS)).rejects.toThrow(/must be the text of a JSON object/);
    await expect(shown('/responses', { input: { text: POISON } })).rejects.toThrow(/must be a string or a list/);
  });

  it('fails the request if rendering fails', async () => {
    const provider = new Provider();
    const conversation = start();
    conversation.render = () => Promise.reject(new Error('broken'));
    const send = fetchOf(conversation, provider.fetch);
    const body = JSON.stringify({ messages: MESSAGES });
    const reply = await send('https://api.example/chat/completions', { method: 'POST', body });
    expect(await refusalOf(reply)).toBe('400 broken');
    expect(provider.sent).toEqual([]);
  });
});

describe('a client', () => {
  it('of a subclass stays one, and keeps its options', () => {
    class Own extends OpenAI {}
    const own = new Own({ apiKey: 'k', baseURL: 'https://api.example/v1', maxRetries: 7 });
    const conversation = start();
    const { client } = protect(conversation, { client: own, tools: [], declare: {} });
    expect(client).toBeInstanceOf(Own);
    expect(client).not.toBe(own);
    expect([client.apiKey, client.baseURL, client.maxRetries]).toEqual(['k', 'https://api.example/v1', 7]);
  });

  it('says at once why a request was not sent', async () => {
    const { client, provider } = clientOf([completion()]);
    const sent = client.chat.completions.create({ model: 'm', messages: 'Hi' as never });
    await expect(sent).rejects.toThrow('400 `messages` of a chat completions request must be a list');
    expect(provider.sent).toEqual([]);
  });

  it('sends the same bytes on a retry, and does not change what it was given', async () => {
    const { client, provider } = clientOf([503, completion()]);
    const messages = structuredClone(MESSAGES);
    await client.chat.completions.create({ model: 'm', messages });
    expect(provider.sent).toHaveLength(2);
    expect(provider.sent[1]).toBe(provider.sent[0]);
    expect(messages).toEqual(MESSAGES);
  });

  it('sends the same bytes for the same history, even in another process', async () => {
    const input = structuredClone(ITEMS);
    const [one, other] = [clientOf([response(), response()]), clientOf([response()])];
    await one.client.responses.create({ model: 'm', input });
    await one.client.responses.create({ model: 'm', input });
    await other.client.responses.create({ model: 'm', input });
    expect(new Set([...one.provider.sent, ...other.provider.sent]).size).toBe(1);
    expect(input).toEqual(ITEMS);
  });

  it('can send two requests at the same time', async () => {
    const { client, provider } = clientOf([response(), response()]);
    await Promise.all([1, 2].map(() => client.responses.create({ model: 'm', input: ITEMS })));
    expect(provider.sent[1]).toBe(provider.sent[0]);
  });
});

describe('a history that the provider stores', () => {
  const pay = { id: 'p', tool: 'pay', arguments: { account: 'DE02' } };
  const strict = { gate: { preset: 'strict' as const } };
  const input = 'Pay the rent.';
  const held = { model: 'm', previous_response_id: 'resp_0', input };

  it('is not trusted in a process that has not seen it', async () => {
    for (const body of [held, { model: 'm', conversation: 'conv_0', input }]) {
      const conversation = start(strict);
      await shown('/responses', body, conversation);
      expect((await conversation.check(pay)).outcome).toBe('ask');
    }
  });

  it('is known in the process that created it', async () => {
    for (const [path, body] of [
      ['/responses', { model: 'm', input: 'Hi' }],
      ['/conversations', {}],
    ] as const) {
      const conversation = start(strict);
      expect(await shown(path, body, conversation)).toMatchObject(body);
      await shown('/responses', held, conversation);
      expect((await conversation.check(pay)).outcome).toBe('allow');
    }
  });

  it('is known, word by word, in a process that has restored its snapshot', async () => {
    const before = start();
    await shown('/responses', { model: 'm', input: ITEMS }, before);
    const after = start().restore(JSON.parse(JSON.stringify(before.snapshot())));
    await shown('/responses', held, after);
    const toEvil = { id: 's', tool: 'send_mail', arguments: { to: EVIL, body: 'Hi' } };
    expect(await after.check(toEvil)).toMatchObject({ outcome: 'ask', rule: 'alarm' });
  });

  it('is trusted after a restart if the snapshot contains no content of others', async () => {
    const before = start(strict);
    await shown('/responses', { model: 'm', input: 'Hi' }, before);
    const after = start(strict).restore(JSON.parse(JSON.stringify(before.snapshot())));
    await shown('/responses', held, after);
    expect((await after.check(pay)).outcome).toBe('allow');
  });

  it('is not trusted while the provider runs tools whose results the model may read', async () => {
    const ask = async (body: Json, path = '/responses'): Promise<string> => {
      const conversation = start(strict);
      await shown(path, body, conversation);
      return (await conversation.check(pay)).outcome;
    };
    const tool = (type: string) => ask({ input, tools: [{ type: 'function', name: 'x' }, { type }] });
    for (const type of ['web_search', 'web_search_preview', 'file_search', 'code_interpreter', 'mcp'])
      expect(await tool(type)).toBe('ask');
    for (const type of ['custom', 'shell', 'image_generation']) expect(await tool(type)).toBe('allow');
    const messages = [{ role: 'user', content: input }];
    expect(await ask({ messages, web_search_options: {} }, '/chat/completions')).toBe('ask');
    expect(await ask({ messages }, '/chat/completions')).toBe('allow');
  });
});
