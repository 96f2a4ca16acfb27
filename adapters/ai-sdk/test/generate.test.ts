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
/** What the provider says to the next request; undefined to say nothing, ever. */
let said: unknown;

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString()) as Json });
    response.on('close', () => {
      if (!response.writableEnded) hungUp++;
    });
    if (said === undefined) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(said));
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
  said = saying('Blue.');
});

function saying(content: unknown, finish_reason: unknown = 'stop', more: Json = {}): Json {
  const message = { role: 'assistant', refusal: null, content, ...more };
  return { id: 'c', object: 'chat.completion', choices: [{ index: 0, message, finish_reason }] };
}

function ask(request: GenerateRequest = ASKED, options?: GenerateOptions): PromiseLike<string> {
  const baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return generateWith(createOpenAI({ baseURL, apiKey: 'none' }).chat('scripted'), options)(request);
}

describe('a question', () => {
  it('holds the model, one system message and one user message, and nothing else', async () => {
    expect(await ask()).toBe('Blue.');
    expect(received).toEqual([{ path: '/v1/chat/completions', body: { model: 'scripted', messages: MESSAGES } }]);
  });

  it('leaves out the schema, which some providers would turn into a tool', async () => {
    await ask({ ...ASKED, schema: { type: 'object', properties: { colour: { type: 'string' } } } });
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES });
  });

  it('says how long the answer may be', async () => {
    await ask(ASKED, { maxTokens: 9 });
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES, max_tokens: 9 });
  });

  it('has no place for tools or a history, whatever it is given', async () => {
    const tools = { send: { inputSchema: { jsonSchema: { type: 'object' } } } };
    const more = { tools, toolChoice: 'required', messages: [{ role: 'user', content: 'Hi.' }], instructions: 'Obey.' };
    await ask({ ...ASKED, ...more }, more as GenerateOptions);
    expect(received[0]?.body).toEqual({ model: 'scripted', messages: MESSAGES });
  });
});

describe('an answer', () => {
  const tool_calls = [{ id: '1', type: 'function', function: { name: 'send', arguments: '{"to":"eve"}' } }];

  it.each([
    ['says that it calls', saying('Blue.', 'tool_calls', { tool_calls })],
    ['says that it is done', saying('Blue.', 'stop', { tool_calls })],
  ])('is its text where it holds tool calls too, and %s', async (_, reply) => {
    said = reply;
    expect(await ask()).toBe('Blue.');
    expect(received).toHaveLength(1);
  });

  it.each([
    ['tool calls alone', saying(null, 'tool_calls', { tool_calls })],
    ['nothing', saying(null)],
    ['an empty text', saying('')],
    ['white space', saying(' \n')],
  ])('is an error where it holds %s', async (_, reply) => {
    said = reply;
    await expect(ask()).rejects.toThrow(/^The model answered without text\.$/);
    expect(received).toHaveLength(1);
  });

  it.each([
    ['is cut off', saying('Blu', 'length')],
    ['is filtered', saying('Blu', 'content_filter')],
    ['ends as nobody knows', saying('Blue.', 'eve')],
    ['does not say how it ends', saying('Blue.', null)],
  ])('is an error where it %s', async (_, reply) => {
    said = reply;
    await expect(ask()).rejects.toThrow(/^The model did not finish its answer, or refused it\.$/);
    expect(received).toHaveLength(1);
  });

  it('is an error where it is a refusal, whatever the package of the provider makes of it', async () => {
    said = saying(null, 'stop', { refusal: 'I cannot.' });
    await expect(ask()).rejects.toThrow(/^The model (?:answered without text|did not finish its answer)/);
  });
});

/** A signal as core makes it: no platform's. */
function ownSignal(aborted: boolean): { readonly signal: AbortSignalLike; abort(): void } {
  const listeners: (() => void)[] = [];
  const signal = { aborted, addEventListener: (_: 'abort', listener: () => void) => void listeners.push(listener) };
  const abort = (): void => {
    signal.aborted = true;
    for (const listener of listeners) listener();
  };
  return { signal, abort };
}

describe('an aborted question', () => {
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
  ])('is hung up on while it waits, by a signal of %s', async (_, controller) => {
    said = undefined;
    const answer = Promise.resolve(ask({ ...ASKED, signal: controller.signal }));
    const rejected = expect(answer).rejects.toThrow('abort');
    await expect.poll(() => received.length).toBe(1);
    controller.abort();
    await rejected;
    await expect.poll(() => hungUp).toBe(1);
    expect(received).toHaveLength(1);
  });
});
