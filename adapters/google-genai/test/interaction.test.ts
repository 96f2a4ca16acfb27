import { READING_RULES } from '@sallyport/core/adapter';
import { describe, expect, test } from 'vitest';
import { clientOf, converse, EVIL, type Json, POISON, Provider, toolOf, unframed } from './stage.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const CALL = { type: 'function_call', id: 'c1', name: 'read_mail', arguments: {} };
const SAID = { type: 'user_input', content: [{ type: 'text', text: 'What is new?' }] };
const REPLY = { id: 'i1', status: 'completed', steps: [] };

function resultOf(result: unknown, rest: Json = {}): Json {
  return { type: 'function_result', call_id: 'c1', result, ...rest };
}

async function sent(body: Json, conversation = converse()): Promise<Json> {
  const provider = new Provider(REPLY);
  const { ai } = await clientOf(conversation, provider, [toolOf([], ['read_mail'])]);
  await ai.interactions.create({ model: 'm', ...body } as never);
  return provider.bodies[0] ?? {};
}

async function resultIn(result: unknown, rest: Json = {}): Promise<Json> {
  const { input } = await sent({ input: [SAID, CALL, resultOf(result, rest)] });
  return (input as Json[])[2] ?? {};
}

describe('an interaction', () => {
  test('has the reading rules after its instruction, or alone', async () => {
    expect((await sent({ input: 'Hi.' })).system_instruction).toBe(READING_RULES);
    const { system_instruction: system } = await sent({ input: 'Hi.', system_instruction: 'Be kind.' });
    expect(system).toBe(`Be kind.\n\n${READING_RULES}`);
  });
  test.each([
    ['a text', 'Hi.'],
    ['a part', { type: 'text', text: 'Hi.' }],
    [
      'parts',
      [
        { type: 'text', text: 'Hi.' },
        { type: 'image', data: PIXEL, mime_type: 'image/png' },
      ],
    ],
    ['steps', [SAID, { type: 'thought', signature: 's' }, { type: 'model_output', content: [] }, CALL]],
    ['results of provider tools', [SAID, { type: 'google_search_result', call_id: 'g', result: [{ title: POISON }] }]],
  ])('leaves %s unchanged', async (_, input) => {
    expect((await sent({ input })).input).toEqual(input);
  });
  test('frames a result that is text, an object or an error', async () => {
    expect(unframed((await resultIn(POISON)).result)).toBe(POISON);
    expect(unframed((await resultIn({ output: POISON })).result)).toBe(POISON);
    expect(unframed((await resultIn({ mails: [POISON] })).result)).toBe(JSON.stringify({ mails: [POISON] }));
    const error = await resultIn({ error: POISON }, { is_error: true });
    expect([unframed(error.result), error.is_error]).toEqual([POISON, true]);
  });
  test('frames a result with parts: bytes stay, text files become text, addresses are not sent', async () => {
    const { result } = await resultIn([
      { type: 'text', text: POISON },
      { type: 'image', data: PIXEL, mime_type: 'image/png' },
      { type: 'document', data: Buffer.from(POISON).toString('base64'), mime_type: 'text/plain' },
      { type: 'image', uri: 'https://evil.example/p.png', mime_type: 'image/png' },
      { type: 'hologram', text: POISON },
    ]);
    const parts = result as Json[];
    expect(parts.map(({ type }) => type)).toEqual(['text', 'text', 'image', 'text', 'text', 'text']);
    const texts = parts.flatMap(({ type, text }) => (type === 'text' ? [unframed(text)] : []));
    expect(texts[0]).toBe(POISON);
    expect(texts[2]).toContain(POISON);
    expect(texts[3]).toContain('https://evil.example/p.png');
    expect(texts[4]).toBe(JSON.stringify({ text: POISON, type: 'hologram' }));
  });
  test('sends bytes with only their type', async () => {
    const image = { type: 'image', mime_type: 'image/png', data: PIXEL };
    const more = { uri: 'https://evil.example/p.png', name: POISON, text: POISON, resolution: POISON };
    const { result } = await resultIn([
      { ...image, ...more },
      { ...image, type: POISON },
    ]);
    const [, first, , second, ...others] = result as Json[];
    expect([first, second, others]).toEqual([image, { ...image, type: 'document' }, []]);
  });
  test('sends only the known members of a result', async () => {
    const { result: _, ...rest } = await resultIn('ok', { name: 'read_mail', is_error: false, note: POISON });
    expect(rest).toEqual({ type: 'function_result', call_id: 'c1', name: 'read_mail', is_error: false });
  });
  test('sends a step of an unknown type as a framed text', async () => {
    const step = { type: 'hologram', text: POISON };
    const { input } = await sent({ input: [SAID, step] });
    const [, shown] = input as { type: string; content: Json[] }[];
    expect(shown?.type).toBe('user_input');
    expect(unframed(shown?.content[0]?.text)).toBe(JSON.stringify({ text: POISON, type: 'hologram' }));
  });
  test('leaves a refusal by the gate unchanged', async () => {
    const conversation = converse();
    const { ai, tools } = await clientOf(conversation, new Provider(REPLY), [toolOf([], ['send_mail'])]);
    await ai.interactions.create({ model: 'm', input: [SAID, CALL, resultOf(POISON)] as never });
    const [tool] = tools;
    const [part] = (await tool?.callTool([{ id: 'c2', name: 'send_mail', args: { to: EVIL } }])) ?? [];
    const refused = { type: 'function_result', call_id: 'c2', result: part?.functionResponse?.response };
    expect(refused.result).toHaveProperty('error');
    const more = { ...refused, note: POISON };
    for (const given of [[refused], [more], more]) {
      const { input } = await sent({ input: given, previous_interaction_id: 'i1' }, conversation);
      expect(input).toEqual([refused]);
    }
  });
  test('knows the source of a result whose call the provider stores', async () => {
    const conversation = converse();
    const { ai, tools } = await clientOf(conversation, new Provider(REPLY), [toolOf([], ['read_mail'])]);
    await ai.interactions.create({ model: 'm', input: 'What is new?' });
    await tools[0]?.callTool([{ id: 'c1', name: 'read_mail', args: {} }]);
    const { input } = await sent({ input: [resultOf(POISON)], previous_interaction_id: 'i1' }, conversation);
    expect((input as Json[])[0]?.result).toContain('from=read_mail');
  });
  test('that continues an unknown history is not sent until the snapshot is restored', async () => {
    const first = converse();
    await sent({ input: 'What is new?' }, first);
    const going = { input: 'Go on.', previous_interaction_id: 'i1' };
    await expect(sent(going)).rejects.toThrow(/snapshot/);
    await expect(sent(going, converse().restore(first.snapshot()))).resolves.toHaveProperty('input', 'Go on.');
  });
  test('with an instruction that is not a string, or an input that is not a list, is not sent', async () => {
    await expect(sent({ input: 'Hi.', system_instruction: { text: 'x' } })).rejects.toThrow();
    await expect(sent({ input: 7 })).rejects.toThrow();
  });
  test.each([{ tools: [{ type: 'google_search' }] }, { environment: 'e1' }, { agent: 'a', model: undefined }])(
    'in which the provider reads by itself counts as one that read content of others: %j',
    async (rest) => {
      const sends = async (body: Json): Promise<string | undefined> => {
        const conversation = converse('strict');
        await sent({ input: 'What is new?', ...body }, conversation);
        return (await conversation.check({ id: 'c9', tool: 'send_mail', arguments: { to: EVIL } })).outcome;
      };
      const own = { tools: [{ type: 'function', name: 'read_mail' }] };
      expect([await sends({}), await sends(own), await sends(rest)]).toEqual(['allow', 'allow', 'ask']);
    },
  );
});
