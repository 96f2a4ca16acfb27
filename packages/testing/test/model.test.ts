import { afterEach, describe, expect, test } from 'vitest';
import { type Json, ScriptedModel, type WireFormat } from '../src/index.ts';

let model: ScriptedModel | undefined;
afterEach(() => model?.stop());

async function start(format: WireFormat): Promise<(path: string, body: unknown) => Promise<Response>> {
  model = new ScriptedModel(format);
  const url = await model.start();
  return (path, body) =>
    fetch(url + path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
}

const CALL = { name: 'send_mail', arguments: { to: 'bob@work.example' } };
const TOOL_RESULT = 'Lunch on Friday?';

interface Format {
  readonly format: WireFormat;
  readonly path: string;
  /** A request with a system message and one tool result. */
  readonly body: Json;
  readonly streamPath?: string;
}

const FORMATS: readonly Format[] = [
  {
    format: 'chat',
    path: '/v1/chat/completions',
    body: {
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'tool', tool_call_id: 'call-1', content: TOOL_RESULT },
      ],
    },
  },
  {
    format: 'responses',
    path: '/v1/responses',
    body: {
      instructions: 'Be kind.',
      input: [{ type: 'function_call_output', call_id: 'call-1', output: TOOL_RESULT }],
    },
  },
  {
    format: 'messages',
    path: '/v1/messages',
    body: {
      system: 'Be kind.',
      messages: [{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'call-1', content: TOOL_RESULT }] }],
    },
  },
  {
    format: 'gemini',
    path: '/v1beta/models/m:generateContent',
    streamPath: '/v1beta/models/m:streamGenerateContent?alt=sse',
    body: {
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      contents: [{ parts: [{ functionResponse: { id: 'call-1', name: 'read', response: { output: TOOL_RESULT } } }] }],
    },
  },
];

describe.each(FORMATS)('a scripted model with the format $format', ({ format, path, body, streamPath }) => {
  test('answers step by step, then with done', async () => {
    const post = await start(format);
    model?.script([{ calls: [CALL] }, { text: 'No news.' }]);
    const first = await (await post(path, body)).text();
    expect(first).toContain('send_mail');
    expect(first).toContain('bob@work.example');
    expect(await (await post(path, body)).text()).toContain('No news.');
    expect(await (await post(path, body)).text()).toContain('done');
  });

  test('has the results of a tool that the provider ran, before the call', async () => {
    const post = await start(format);
    const type = format === 'chat' ? 'search' : 'code';
    const step = { provided: [{ type, input: 'offers', output: 'https://shop.example/17' } as const], calls: [CALL] };
    model?.script([step, step]);
    const whole = await (await post(path, body)).text();
    const streamed = await (await post(streamPath ?? path, { ...body, stream: true })).text();
    for (const text of [whole, streamed]) {
      const positions = ['https://shop.example/17', 'send_mail'].map((each) => text.indexOf(each));
      expect(positions).toEqual([...positions].sort((one, other) => one - other));
      expect(positions[0]).toBeGreaterThan(-1);
    }
  });

  test('streams the same answer', async () => {
    const post = await start(format);
    model?.script([{ calls: [CALL] }]);
    const response = await post(streamPath ?? path, { ...body, stream: true });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain('send_mail');
  });

  test('waits before each piece of a streamed text', async () => {
    const post = await start(format);
    model?.script([{ text: 'one two three four', pause: 20 }]);
    const started = performance.now();
    const response = await post(streamPath ?? path, { ...body, stream: true });
    const chunks = [];
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? [])
      chunks.push({ chunk, after: performance.now() - started });
    const first = chunks.find(({ chunk }) => chunk.includes('one two'));
    expect(first?.chunk).not.toContain('four');
    // Three pieces: a timer may fire a little early.
    expect(first?.after).toBeGreaterThan(15);
    expect(performance.now() - started).toBeGreaterThan(50);
  });

  test('reads what the model was shown', async () => {
    const post = await start(format);
    await post(path, body);
    const [request] = model?.requests ?? [];
    expect(request).toMatchObject({
      system: 'Be kind.',
      results: [{ id: 'call-1', texts: [TOOL_RESULT], media: 0 }],
      bytes: JSON.stringify(body),
    });
    expect(request?.messages.join()).toContain(TOOL_RESULT);
  });

  test('fails as often as a step says, then answers it', async () => {
    const post = await start(format);
    model?.script([{ text: 'No news.', failures: 2 }]);
    const statuses = [];
    for (let request = 0; request < 3; request++) statuses.push((await post(path, body)).status);
    expect(statuses.map((status) => status >= 500)).toEqual([true, true, false]);
    expect(model?.requests.length).toBe(3);
  });

  test('answers another path with 404 and an invalid body with 400', async () => {
    const post = await start(format);
    expect((await post('/v1/embeddings', body)).status).toBe(404);
    expect((await post(path, '{')).status).toBe(400);
    expect(model?.requests).toEqual([]);
  });
});

test.each(FORMATS.slice(0, 3))(
  'answers of $format to a longer history have another id',
  async ({ path, format, body }) => {
    const post = await start(format);
    const key = format === 'responses' ? 'input' : 'messages';
    const messages = body[key] as readonly Json[];
    const idOf = async (sent: readonly Json[]): Promise<unknown> =>
      ((await (await post(path, { ...body, [key]: sent })).json()) as Json).id;
    expect(await idOf(messages)).not.toBe(await idOf([...messages, ...messages]));
  },
);

test('an unknown format is refused with the known ones', () => {
  expect(() => new ScriptedModel('cohere' as WireFormat)).toThrow(
    '`format` must be one of chat, responses, messages, gemini, gemini-without-ids; received cohere.',
  );
});
