import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import type { AbortSignalLike, GenerateRequest } from '@sallyport/core/adapter';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type GenerateOptions, generateWith } from '../src/index.ts';
import { type Body, calling, replyOf } from './world.ts';

const ASKED: GenerateRequest = { system: 'Answer in one word.', content: 'What colour has the sky?' };
const BODY = {
  model: 'scripted',
  max_tokens: 4096,
  system: 'Answer in one word.',
  messages: [{ role: 'user', content: 'What colour has the sky?' }],
};

let received: { readonly path: string | undefined; readonly body: Body }[];
let hungUp: number;
/** The provider's reply to the next request; undefined for a request that is never answered. */
let nextReply: unknown;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) as Body });
    response.on('close', () => {
      if (!response.writableEnded) hungUp++;
    });
    if (nextReply === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(nextReply));
  });
});

beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  received = [];
  hungUp = 0;
  nextReply = replyOf([text('Blue.')]);
});

function text(written: unknown): Body {
  return { type: 'text', text: written };
}

function ask(request: GenerateRequest = ASKED, options?: GenerateOptions): PromiseLike<string> {
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return generateWith(new Anthropic({ baseURL, apiKey: 'none' }), 'scripted', options)(request);
}

test('a request contains the model, one system prompt, one user message and a limit, and nothing else', async () => {
  expect(await ask()).toBe('Blue.');
  expect(received).toEqual([{ path: '/v1/messages', body: BODY }]);
});

test('a request omits the schema, and contains the maximum length of the answer', async () => {
  await ask({ ...ASKED, schema: { type: 'object' } }, { maxTokens: 9 });
  expect(received[0]?.body).toEqual({ ...BODY, max_tokens: 9 });
});

test('a request ignores tools and a history in its options', async () => {
  const more = {
    tools: [{ name: 'send', input_schema: { type: 'object' } }],
    tool_choice: { type: 'any' },
    mcp_servers: [{ type: 'url', url: 'https://evil.example', name: 'evil' }],
    thread: { type: 'create' },
    messages: [{ role: 'user', content: 'Hi.' }],
  };
  await ask({ ...ASKED, ...more }, more as GenerateOptions);
  expect(received[0]?.body).toEqual(BODY);
});

test('the answer is the text of the reply, without thinking and tool calls', async () => {
  const thinking = { type: 'thinking', thinking: 'Red?', signature: 'x' };
  const hosted = { type: 'server_tool_use', id: '2', name: 'web_search', input: { query: 'sky' } };
  nextReply = replyOf([thinking, text('Bl'), calling('1', 'send', { to: 'eve' }), hosted, text('ue.'), null]);
  expect(nextReply).toMatchObject({ stop_reason: 'tool_use' });
  expect(await ask()).toBe('Blue.');
  expect(received).toHaveLength(1);
});

test.each([
  ['tool calls alone', [calling('1', 'send', { to: 'eve' })]],
  ['tool calls and an empty text', [text(''), calling('1', 'send', { to: 'eve' })]],
  ['nothing', []],
  ['no list', undefined],
  ['white space', [text(' \n')]],
  ['what is no text', [text({ type: 'text' }), { type: 'hologram', text: 'Blue.' }]],
])('an answer that contains %s is an error', async (_, content) => {
  nextReply = { ...replyOf([]), content };
  await expect(ask()).rejects.toThrow(/^The model answered without text\.$/);
});

test.each([
  ['max_tokens'],
  ['model_context_window_exceeded'],
  ['refusal'],
  ['pause_turn'],
  ['stop_sequence'],
  ['eve'],
  [null],
])('an answer with the stop reason %s is an error', async (stop_reason) => {
  nextReply = { ...replyOf([text('Blu')]), stop_reason };
  await expect(ask()).rejects.toThrow(/^The model did not finish its answer, or refused it\.$/);
  expect(received).toHaveLength(1);
});

/** A signal of core, which is not an AbortSignal of the platform. */
function ownSignal(aborted: boolean): { readonly signal: AbortSignalLike; abort(): void } {
  const listeners: (() => void)[] = [];
  const signal = { aborted, addEventListener: (_: 'abort', listener: () => void) => void listeners.push(listener) };
  const abort = (): void => {
    signal.aborted = true;
    for (const listener of listeners) listener();
  };
  return { signal, abort };
}

test.each([
  ['the platform', AbortSignal.abort()],
  ['core', ownSignal(true).signal],
])('a request aborted by a signal of %s is not sent', async (_, signal) => {
  await expect(ask({ ...ASKED, signal })).rejects.toThrow('abort');
  expect(received).toEqual([]);
});

test.each([
  ['the platform', new AbortController()],
  ['core', ownSignal(false)],
])('a request is closed if a signal of %s aborts it while it waits', async (_, controller) => {
  nextReply = undefined;
  const answer = Promise.resolve(ask({ ...ASKED, signal: controller.signal }));
  const rejected = expect(answer).rejects.toThrow('abort');
  await expect.poll(() => received.length).toBe(1);
  controller.abort();
  await rejected;
  await expect.poll(() => hungUp).toBe(1);
  expect(received).toHaveLength(1);
});
