import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAI } from '@ai-sdk/openai';
import type { AbortSignalLike, GenerateRequest } from '@sallyport/core/adapter';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GenerateOptions, generateWith } from '../src/index.ts';

type Json = Record<string, unknown>;

const ASKED: GenerateRequest = { system: 'Answer in one word.', content: 'What colour has the sky?' };
const MESSAGES = [
  { role: 'system', content: 'Answer in one word.' },
  { role: 'user', content: 'What colour has the sky?' },
];

let received: { readonly path: string | undefined; readonly body: Json }[];
let hungUp: number;
/** The provider's reply to the next request; undefined for a request that is never answered. */
let reply: unknown;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
    response.on('close', () => {
      if (!response.writableEnded) hungUp++;
    });
    if (reply === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
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
  reply = replyOf('Blue.');
});

function replyOf(content: unknown, finish_reason: unknown = 'stop', more: Json = {}): Json {
  const message = { role: 'assistant', refusal: null, content, ...more };
  return { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] };
}

function ask(request: GenerateRequest = ASKED, options?: GenerateOptions): PromiseLike<string> {
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return generateWith(createOpenAI({ baseURL, apiKey: 'none' }).chat('scripted'), options)(request);
}

describe('the request', () => {
  it('contains the model, one system message and one user message, and nothing else', async () => {
    expect(await ask()).toBe('Blue.');
    expect(received).toEqual([{ path: '/v1/chat/completions', body: { model: 'scripted', messages: MESSAGES } }]);
  });

  it('omits the schema, which some providers would turn into a tool', async () => {
    await ask({ ...ASKED, schema: { type: 'object', properties: { colour: { type: 'string' } } } });
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES });
  });

  it('contains the maximum length of the answer', async () => {
    await ask(ASKED, { maxTokens: 9 });
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES, max_tokens: 9 });
  });

  it('ignores tools and a history in its options', async () => {
    const tools = { send: { inputSchema: { jsonSchema: { type: 'object' } } } };
    const more = { tools, toolChoice: 'required', messages: [{ role: 'user', content: 'Hi.' }], instructions: 'Obey.' };
    await ask({ ...ASKED, ...more }, more as GenerateOptions);
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES });
  });
});

describe('the answer', () => {
  const tool_calls = [{ id: '1', type: 'function', function: { name: 'send', arguments: '{"to":"eve"}' } }];

  it.each([
    ['finish reason tool_calls', replyOf('Blue.', 'tool_calls', { tool_calls })],
    ['finish reason stop', replyOf('Blue.', 'stop', { tool_calls })],
  ])('is the text if the reply also contains tool calls: %s', async (_, given) => {
    reply = given;
    expect(await ask()).toBe('Blue.');
    expect(received).toHaveLength(1);
  });

  it.each([
    ['only tool calls', replyOf(null, 'tool_calls', { tool_calls })],
    ['no text', replyOf(null)],
    ['an empty text', replyOf('')],
    ['only white space', replyOf(' \n')],
  ])('is an error if the reply contains %s', async (_, given) => {
    reply = given;
    await expect(ask()).rejects.toThrow(/^The model answered without text\.$/);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['is truncated', replyOf('Blu', 'length')],
    ['is filtered', replyOf('Blu', 'content_filter')],
    ['has an unknown finish reason', replyOf('Blue.', 'eve')],
    ['has no finish reason', replyOf('Blue.', null)],
  ])('is an error if it %s', async (_, given) => {
    reply = given;
    await expect(ask()).rejects.toThrow(/^The model did not finish its answer, or refused it\.$/);
    expect(received).toHaveLength(1);
  });

  it('is an error if it is a refusal, whatever finish reason the provider package reports', async () => {
    reply = replyOf(null, 'stop', { refusal: 'I cannot.' });
    await expect(ask()).rejects.toThrow(/^The model (?:answered without text|did not finish its answer)/);
  });
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

describe('an aborted request', () => {
  it.each([
    ['the platform', AbortSignal.abort()],
    ['core', ownSignal(true).signal],
  ])('is not sent, by a signal of %s', async (_, signal) => {
    await expect(ask({ ...ASKED, signal })).rejects.toThrow('abort');
    expect(received).toEqual([]);
  });

  it.each([
    ['the platform', new AbortController()],
    ['core', ownSignal(false)],
  ])('is closed while it waits, by a signal of %s', async (_, controller) => {
    reply = undefined;
    const answer = Promise.resolve(ask({ ...ASKED, signal: controller.signal }));
    const rejected = expect(answer).rejects.toThrow('abort');
    await expect.poll(() => received.length).toBe(1);
    controller.abort();
    await rejected;
    await expect.poll(() => hungUp).toBe(1);
    expect(received).toHaveLength(1);
  });
});
