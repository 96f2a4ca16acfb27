import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AbortSignalLike, GenerateRequest } from '@sallyport/core/adapter';
import { type GenerateOptions, generateWith } from '@sallyport/openai';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, completion, type Json } from './world.ts';

const ASKED: GenerateRequest = { system: 'Answer in one word.', content: 'What colour has the sky?' };
const MESSAGES = [
  { role: 'system', content: 'Answer in one word.' },
  { role: 'user', content: 'What colour has the sky?' },
];

let received: { readonly path: string | undefined; readonly body: Json }[];
let hungUp: number;
/** The provider's reply to the next request; undefined for a request that is never answered. */
let nextReply: unknown;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
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
  nextReply = replyOf('Blue.');
});

function replyOf(content: unknown, finish_reason: unknown = 'stop', more: Json = {}): Json {
  const message = { role: 'assistant', refusal: null, content, ...more };
  return { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] };
}

function ask(request: GenerateRequest = ASKED, options?: GenerateOptions): PromiseLike<string> {
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return generateWith(new OpenAI({ baseURL, apiKey: 'none' }), 'scripted', options)(request);
}

describe('the request', () => {
  it('contains the model, one system message and one user message, and nothing else', async () => {
    expect(await ask()).toBe('Blue.');
    expect(received).toEqual([{ path: '/v1/chat/completions', body: { model: 'scripted', messages: MESSAGES } }]);
  });

  it('contains the schema of an object', async () => {
    const schema = { type: 'object', properties: { colour: { type: 'string' } } };
    await ask({ ...ASKED, schema });
    const response_format = { type: 'json_schema', json_schema: { name: 'answer', schema, strict: false } };
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES, response_format });
  });

  it.each([[true], [false], [{ type: 'array' }], [{ enum: ['blue'] }]])('leaves out the schema %j', async (schema) => {
    await ask({ ...ASKED, schema });
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES });
  });

  it('contains the maximum length of the answer', async () => {
    await ask(ASKED, { maxTokens: 9 });
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES, max_completion_tokens: 9 });
  });

  it('ignores tools and a history in its options', async () => {
    const tool = { type: 'function', function: { name: 'send', parameters: {} } };
    const more = { tools: [tool], tool_choice: 'required', functions: [tool.function], messages: [{ role: 'user' }] };
    await ask({ ...ASKED, ...more }, more as GenerateOptions);
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES });
  });
});

describe('the answer', () => {
  const tool_calls = [{ id: '1', type: 'function', function: { name: 'send', arguments: '{"to":"eve"}' } }];

  it.each([
    ['tool calls', replyOf('Blue.', 'tool_calls', { tool_calls })],
    ['tool calls, and says that it is done', replyOf('Blue.', 'stop', { tool_calls })],
    ['a function call', replyOf('Blue.', 'function_call', { function_call: tool_calls[0]?.function })],
  ])('is the text if the reply also contains %s', async (_, reply) => {
    nextReply = reply;
    expect(await ask()).toBe('Blue.');
    expect(received).toHaveLength(1);
  });

  it.each([
    ['tool calls alone', completion(call('1', 'send'))],
    ['tool calls alone, and an empty text', replyOf('', 'tool_calls', { tool_calls })],
    ['nothing', replyOf(null)],
    ['an empty text', replyOf('')],
    ['white space', replyOf(' \n')],
    ['parts in place of a text', replyOf([{ type: 'text', text: 'Blue.' }])],
    ['no message', { choices: [{ index: 0, finish_reason: 'stop' }] }],
  ])('is an error if the reply contains %s', async (_, reply) => {
    nextReply = reply;
    await expect(ask()).rejects.toThrow(/^The model answered without text\.$/);
  });

  it.each([
    ['is cut off', replyOf('Blu', 'length')],
    ['is filtered', replyOf('Blu', 'content_filter')],
    ['is a refusal', replyOf(null, 'stop', { refusal: 'I cannot.' })],
    ['is a refusal beside a text', replyOf('Blue.', 'stop', { refusal: 'I cannot.' })],
    ['ends for an unknown reason', replyOf('Blue.', 'eve')],
    ['does not say how it ends', replyOf('Blue.', null)],
    ['has no choices', { id: 'c', choices: [] }],
    ['is no answer', { id: 'c' }],
  ])('is an error if it %s', async (_, reply) => {
    nextReply = reply;
    await expect(ask()).rejects.toThrow(/^The model did not finish its answer, or refused it\.$/);
    expect(received).toHaveLength(1);
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
    nextReply = undefined;
    const answer = Promise.resolve(ask({ ...ASKED, signal: controller.signal }));
    const rejected = expect(answer).rejects.toThrow('abort');
    await expect.poll(() => received.length).toBe(1);
    controller.abort();
    await rejected;
    await expect.poll(() => hungUp).toBe(1);
    expect(received).toHaveLength(1);
  });
});
