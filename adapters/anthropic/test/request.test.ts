import { READING_RULES } from '@sallyport/core/adapter';
import { expect, test } from 'vitest';
import { protect } from '../src/index.ts';
import { type Body, bareClient, clientOf, conversationOf, inside, POISON, unframed } from './world.ts';

const HISTORY = [
  { role: 'user', content: 'Read it.' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: POISON }] },
];
const PARAMS = { model: 'm', max_tokens: 9, messages: HISTORY } as never;

function resultIn(body: Body): unknown {
  return inside(body, 'messages', 2, 'content', 0, 'content');
}

test('the stable and the beta endpoint, streamed or not, and token counting show the same bytes', async () => {
  const { client, sent } = clientOf(conversationOf());
  await client.messages.create(PARAMS);
  await client.beta.messages.create(PARAMS);
  await client.messages.stream(PARAMS).finalMessage();
  await client.messages.countTokens({ model: 'm', messages: HISTORY } as never);
  await client.beta.messages.countTokens({ model: 'm', messages: HISTORY } as never);
  expect(sent).toHaveLength(5);
  expect(sent.map(({ body }) => unframed(resultIn(body)))).toEqual(Array(5).fill(POISON));
  expect(new Set(sent.map(({ body }) => JSON.stringify([body.messages, body.system]))).size).toBe(1);
});

test('another conversation has other codes; the same conversation in another process has the same codes', async () => {
  const bytes = async (id: string): Promise<string | undefined> => {
    const { client, sent } = clientOf(conversationOf(id));
    await client.messages.create(PARAMS);
    return sent[0]?.text;
  };
  expect(await bytes('c')).toBe(await bytes('c'));
  expect(await bytes('d')).not.toBe(await bytes('c'));
});

test('a retry sends the same bytes', async () => {
  const overloaded = { status: 529, body: { type: 'error', error: { type: 'overloaded_error', message: 'x' } } };
  const { client, sent } = clientOf(conversationOf(), [overloaded]);
  await client.messages.create(PARAMS);
  expect(sent).toHaveLength(2);
  expect(sent[1]?.text).toBe(sent[0]?.text);
});

test('a client is protected once: the boundary of another conversation would frame frames', () => {
  const { client } = clientOf(conversationOf());
  const conversation = conversationOf('d');
  const again = () => protect(conversation, { client, tools: [], declare: conversation.tools });
  expect(again).toThrow('protected already');
});

test('the given client stays as it is, and a copy of the protected one is protected', async () => {
  const { client: bare, sent } = bareClient();
  const conversation = conversationOf();
  const { client } = protect(conversation, { client: bare, tools: [], declare: conversation.tools });
  await bare.messages.create(PARAMS);
  await client.withOptions({ timeout: 5000 }).messages.create(PARAMS);
  expect(sent.map(({ body }) => unframed(resultIn(body)))).toEqual([undefined, POISON]);
});

test('a raw request that another middleware sends again is framed again', async () => {
  const { client: bare, sent } = bareClient(
    [],
    [
      async (request, next) => {
        await next(request);
        return next(request);
      },
    ],
  );
  const conversation = conversationOf();
  const { client } = protect(conversation, { client: bare, tools: [], declare: conversation.tools });
  await client.messages.create(PARAMS);
  expect(sent.map(({ body }) => unframed(resultIn(body)))).toEqual([POISON, POISON]);
});

async function systemOf(system: unknown): Promise<unknown> {
  const { client, sent } = clientOf(conversationOf());
  const messages = [{ role: 'user', content: 'Hi.' }];
  await client.messages.create({
    model: 'm',
    max_tokens: 9,
    messages,
    ...(system === undefined ? {} : { system }),
  } as never);
  return sent[0]?.body.system;
}

test('the reading rules follow the system prompt once, within its cache breakpoint', async () => {
  expect(await systemOf(undefined)).toBe(READING_RULES);
  expect(await systemOf('Be kind.')).toBe(`Be kind.\n\n${READING_RULES}`);
  expect(await systemOf(`Be kind.\n\n${READING_RULES}`)).toBe(`Be kind.\n\n${READING_RULES}`);
  const cache_control = { type: 'ephemeral' };
  const [one, two] = [
    { type: 'text', text: 'One.' },
    { type: 'text', text: 'Two.', cache_control },
  ];
  expect(await systemOf([one, two])).toEqual([one, { ...two, text: `Two.\n\n${READING_RULES}` }]);
  expect(await systemOf([])).toEqual([{ type: 'text', text: READING_RULES }]);
  expect(await systemOf([{ type: 'odd' }])).toEqual([{ type: 'odd' }, { type: 'text', text: READING_RULES }]);
});

test('a body that cannot be read is not sent', async () => {
  const { client, sent } = clientOf(conversationOf());
  await expect(client.post('/v1/messages', { body: new TextEncoder().encode('{"messages":[]}') })).rejects.toThrow(
    'another body',
  );
  await expect(client.post('/v1/messages', { body: [] })).rejects.toThrow('another body');
  await expect(client.post('/v1/messages', { body: { prompt: 'Hi.' } })).rejects.toThrow(
    'must be a list; received undefined',
  );
  await expect(client.messages.batches.create({ requests: [] })).rejects.toThrow('boundary of one');
  expect(sent).toEqual([]);
});

test('an error while framing reaches the caller unchanged, after one attempt', async () => {
  const conversation = conversationOf();
  let count = 0;
  conversation.render = () => {
    count++;
    return Promise.reject(new RangeError('no'));
  };
  const { client, sent } = clientOf(conversation);
  await expect(client.messages.create(PARAMS)).rejects.toThrow(RangeError);
  expect([count, sent]).toEqual([1, []]);
});

test('other requests pass unchanged', async () => {
  const { client, sent } = clientOf(conversationOf());
  await client.post('/v1/other', { body: { messages: HISTORY } });
  await client.get('/v1/messages/batches');
  expect(sent.map(({ text }) => text)).toEqual([JSON.stringify({ messages: HISTORY }), '']);
});
