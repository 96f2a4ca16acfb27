import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { serve as serveHono } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer as ServerV2 } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { AddressRules } from '../../src/upstream/address.ts';
import type { UpstreamAnswer } from '../../src/upstream/answer.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import { HttpUpstream, type HttpUpstreamOptions } from '../../src/upstream/http.ts';
import { all, bodyOf, EVERYTHING, json, type Local, serve, signal, until } from './rig.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

function upstreamAt(origin: string, options: Partial<HttpUpstreamOptions> = {}): HttpUpstream {
  const fetch = createFetch(new AddressRules({ open: [origin] }));
  cleanups.push(() => fetch.close());
  return new HttpUpstream({ url: `${origin}/mcp`, fetch, headers: async () => ({}), ...options });
}

async function local(listener: Parameters<typeof serve>[0]): Promise<Local> {
  const server = await serve(listener);
  cleanups.push(() => server.close());
  return server;
}

const request = (id: unknown, method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const VERSION = { 'mcp-protocol-version': '2025-11-25' };
// biome-ignore lint/suspicious/noExplicitAny: what a server says is looked at in many ways here.
const values = async ({ messages }: UpstreamAnswer): Promise<any[]> =>
  (await all(messages)).filter(({ text }) => text !== '').map(({ text }) => JSON.parse(text));

async function opened(upstream: HttpUpstream): Promise<string> {
  const answer = await upstream.post(INITIALIZE, { headers: {}, signal: signal() });
  expect(await values(answer)).toMatchObject([{ id: 0, result: { serverInfo: expect.anything() } }]);
  const session = answer.session as string;
  const told = await upstream.post(INITIALIZED, { session, headers: VERSION, signal: signal() });
  expect([told.status, await values(told)]).toEqual([202, []]);
  return session;
}

describe('real servers', () => {
  test('SDK 1: initializes a session, streams progress and ends the session', async () => {
    const transports = new Map<string, StreamableHTTPServerTransport>();
    const { origin } = await local(async (incoming, response) => {
      let transport = transports.get(String(incoming.headers['mcp-session-id']));
      if (transport === undefined) {
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          onsessioninitialized: (id) => void transports.set(id, made),
        });
        transport = made;
        const server = new McpServer({ name: 'test', version: '1.0.0' });
        server.registerTool('steps', { description: 'Steps' }, async ({ _meta, sendNotification }) => {
          const progressToken = _meta?.progressToken ?? 0;
          for (const progress of [1, 2])
            await sendNotification({ method: 'notifications/progress', params: { progressToken, progress } });
          return { content: [{ type: 'text', text: 'done \u20ac' }] };
        });
        await server.connect(made as never);
      }
      await transport.handleRequest(incoming, response);
    });
    const upstream = upstreamAt(origin);
    const session = await opened(upstream);
    const call = request(1, 'tools/call', { name: 'steps', arguments: {}, _meta: { progressToken: 'p' } });
    const answer = await upstream.post(call, { session, headers: VERSION, signal: signal() });
    expect([answer.status, answer.isStream]).toEqual([200, true]);
    expect(await values(answer)).toMatchObject([
      { params: { progress: 1 } },
      { params: { progress: 2 } },
      { id: 1, result: { content: [{ text: 'done \u20ac' }] } },
    ]);
    expect(await upstream.end({ session, headers: VERSION, signal: signal() })).toBe(200);
    const gone = await upstream.post(call, { session: 'another', headers: VERSION, signal: signal() });
    expect(gone.status).toBeGreaterThanOrEqual(400);
    expect(await values(gone)).toMatchObject([{ error: expect.anything() }]);
  });

  test('SDK 2: protocol headers are forwarded, and closing the connection cancels the request', async () => {
    let isCancelled = false;
    const handler = createMcpHandler(() => {
      const server = new ServerV2({ name: 'test', version: '2.0.0' });
      server.registerTool('echo', { description: 'Echo', inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
        content: [{ type: 'text', text }],
      }));
      server.registerTool('slow', { description: 'Slow' }, async ({ mcpReq }) => {
        const progressToken = mcpReq._meta?.progressToken ?? 0;
        await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } });
        await new Promise<void>((resolve) => mcpReq.signal.addEventListener('abort', () => resolve()));
        isCancelled = true;
        return { content: [] };
      });
      return server;
    });
    const port = await new Promise<number>((resolve) => {
      const server = serveHono({ fetch: (each) => handler.fetch(each), port: 0, hostname: '127.0.0.1' }, (info) =>
        resolve(info.port),
      );
      cleanups.push(() => handler.close().then(() => server.close()));
    });
    const upstream = upstreamAt(`http://127.0.0.1:${port}`);
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const call = (name: string, meta = {}) =>
      request(1, 'tools/call', { name, arguments: { text: 'hello' }, _meta: { ..._meta, ...meta } });
    const headersFor = (name: string) => ({
      'Mcp-Protocol-Version': '2026-07-28',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': name,
    });
    const echoed = await upstream.post(call('echo'), { headers: headersFor('echo'), signal: signal() });
    expect(await values(echoed)).toMatchObject([
      { id: 1, result: { resultType: 'complete', content: [{ text: 'hello' }] } },
    ]);
    const wrong = await upstream.post(call('echo'), { headers: headersFor('slow'), signal: signal() });
    expect(await values(wrong)).toMatchObject([{ error: { code: -32020 } }]);

    const controller = new AbortController();
    const slow = await upstream.post(call('slow', { progressToken: 'p' }), {
      headers: headersFor('slow'),
      signal: controller.signal,
    });
    const reading = values(slow);
    controller.abort(new Error('taken back'));
    await expect(reading).rejects.toThrow('taken back');
    await until(() => isCancelled);
  });

  test('server-everything: missed events are sent again after the last event id', async () => {
    const probe = await serve(() => undefined);
    await probe.close();
    const child = spawn(process.execPath, [EVERYTHING, 'streamableHttp'], {
      env: { PORT: String(probe.port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    cleanups.push(() => child.kill('SIGKILL'));
    await new Promise<void>((resolve) =>
      child.stderr.on('data', (chunk) => String(chunk).includes('listening') && resolve()),
    );
    const upstream = upstreamAt(probe.origin);
    const session = await opened(upstream);
    const operation = (duration: number, steps: number) => ({
      name: 'trigger-long-running-operation',
      arguments: { duration, steps },
      _meta: { progressToken: 'p' },
    });
    const stopped = new AbortController();
    const answer = await upstream.post(request(5, 'tools/call', operation(0.2, 4)), {
      session,
      headers: VERSION,
      signal: stopped.signal,
    });
    let lastEventId = '';
    for await (const { text, id } of answer.messages) {
      if (text === '') continue;
      lastEventId = id as string;
      break;
    }
    expect(lastEventId).not.toBe('');
    // A later and longer operation has ended, so the first one has too.
    const later = await upstream.post(request(6, 'tools/call', operation(0.5, 1)), {
      session,
      headers: VERSION,
      signal: signal(),
    });
    expect((await values(later)).at(-1)).toMatchObject({ id: 6, result: expect.anything() });
    const listening = new AbortController();
    const replay = await upstream.listen({ session, lastEventId, headers: VERSION, signal: listening.signal });
    expect([replay.status, replay.isStream]).toEqual([200, true]);
    const texts: string[] = [];
    for await (const { text } of replay.messages) {
      texts.push(text);
      if (text.includes('"id":5')) break;
    }
    expect(texts.length).toBeGreaterThan(1);
    listening.abort();
  });
});

describe('requests', () => {
  test('contain the credentials and the protocol headers, and no other header of the caller', async () => {
    const seen: NodeJS.Dict<string | string[]>[] = [];
    const { origin } = await local(async (incoming, response) => {
      seen.push(incoming.headers);
      json(response, JSON.parse((await bodyOf(incoming)) || '{}'));
    });
    const upstream = upstreamAt(origin, { headers: async () => ({ authorization: 'Bearer own', 'x-key': 'k' }) });
    const headers = {
      Authorization: 'Bearer caller',
      cookie: 'a=b',
      host: 'evil.example',
      'X-Key': 'caller',
      'mcp-session-id': 'caller',
      'last-event-id': 'caller',
      'content-type': 'text/plain',
      'transfer-encoding': 'chunked',
      'MCP-Protocol-Version': '2025-11-25',
      'Mcp-Method': 'tools/call',
      'Mcp-Name': 'echo',
      'Mcp-Param-City': 'Bern',
      'Mcp-Other': 'x',
    };
    await all((await upstream.post('{}', { session: 's', headers, signal: signal() })).messages);
    expect(seen[0]).toEqual({
      host: new URL(origin).host,
      connection: 'keep-alive',
      'content-length': '2',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: 'Bearer own',
      'x-key': 'k',
      'mcp-session-id': 's',
      'mcp-protocol-version': '2025-11-25',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-city': 'Bern',
    });
  });

  const BAD = ['a\r\nx: y', 'a\nb', 'a\0b', '', 'a b', '\u00e9', 'a'.repeat(2000)];
  test.each(BAD.map((payload) => ({ title: JSON.stringify(payload).slice(0, 20), payload })))(
    'no session id and no event id: $title',
    async ({ payload }) => {
      let seen = 0;
      const { origin } = await local((_incoming, response) => {
        seen++;
        json(response, {});
      });
      const upstream = upstreamAt(origin);
      const given = { headers: {}, signal: signal() };
      await expect(upstream.post('{}', { ...given, session: payload })).rejects.toMatchObject({ code: 'header' });
      await expect(upstream.listen({ ...given, session: payload })).rejects.toMatchObject({ code: 'header' });
      await expect(upstream.listen({ ...given, lastEventId: payload })).rejects.toMatchObject({ code: 'header' });
      await expect(upstream.end({ ...given, session: payload })).rejects.toMatchObject({ code: 'header' });
      const injected = { 'mcp-name': `${payload}\r\nx-evil: 1` };
      await expect(upstream.post('{}', { headers: injected, signal: signal() })).rejects.toMatchObject({
        code: 'header',
      });
      expect(seen).toBe(0);
    },
  );
});

describe('an answer', () => {
  const answered = async (
    status: number,
    headers: Record<string, string | string[]>,
    body: string | Buffer = '{}',
    longest = 1000,
  ) => {
    const { origin } = await local((_incoming, response) => void response.writeHead(status, headers).end(body));
    return upstreamAt(origin, { maxBytes: longest }).post('{}', { headers: {}, signal: signal() });
  };
  const JSON_TYPE = { 'content-type': 'application/json' };
  const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

  test.each([
    { title: 'a redirect', status: 307, headers: { location: 'http://169.254.169.254/' }, code: 'redirect' },
    { title: 'a redirect for good', status: 301, headers: { location: '/mcp2' }, code: 'redirect' },
    { title: 'compressed', status: 200, headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, code: 'content' },
    { title: 'a page', status: 200, headers: { 'content-type': 'text/html' }, code: 'content' },
    { title: 'no type', status: 200, headers: {}, code: 'content' },
    {
      title: 'a session id with a blank',
      status: 200,
      headers: { ...JSON_TYPE, 'mcp-session-id': 'a b' },
      code: 'header',
    },
    { title: 'two session ids', status: 200, headers: { ...JSON_TYPE, 'mcp-session-id': ['a', 'b'] }, code: 'header' },
    {
      title: 'a long session id',
      status: 200,
      headers: { ...JSON_TYPE, 'mcp-session-id': 'a'.repeat(1025) },
      code: 'header',
    },
  ])('is refused by its head: $title', async ({ status, headers, code }) => {
    await expect(answered(status, headers as Record<string, string>)).rejects.toMatchObject({ code });
  });

  test.each([
    { title: 'a long answer', headers: JSON_TYPE, body: `"${'a'.repeat(2000)}"`, code: 'oversized' },
    { title: 'a long event', headers: STREAM, body: `data: ${'a'.repeat(2000)}\n\n`, code: 'oversized' },
    { title: 'no UTF-8', headers: JSON_TYPE, body: Buffer.from([0x22, 0xff, 0x22]), code: 'content' },
    {
      title: 'no UTF-8 in an event',
      headers: STREAM,
      body: Buffer.from([100, 97, 116, 97, 58, 0xff, 10, 10]),
      code: 'content',
    },
  ])('is refused while it is read: $title', async ({ headers, body, code }) => {
    const { messages } = await answered(200, headers, body);
    await expect(all(messages)).rejects.toMatchObject({ code });
  });

  test.each([
    { title: 'an answer', status: 200, headers: JSON_TYPE, body: '{"a":1}', expected: [{ text: '{"a":1}' }] },
    {
      title: 'an error with words',
      status: 400,
      headers: JSON_TYPE,
      body: '{"error":1}',
      expected: [{ text: '{"error":1}' }],
    },
    {
      title: 'an error of a stranger',
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: '<p>',
      expected: [],
    },
    { title: 'not allowed', status: 405, headers: {}, body: '', expected: [] },
    { title: 'taken', status: 202, headers: {}, body: '', expected: [] },
    { title: 'an error that says it is a stream', status: 404, headers: STREAM, body: 'data: a\n\n', expected: [] },
    {
      title: 'events',
      status: 200,
      headers: STREAM,
      body: 'id: 1\nretry: 5\ndata: \n\nid: 2\ndata: {}\n\nevent: ping\ndata: x\n\nid: \u20ac\ndata: 2\n\n',
      expected: [{ text: '', id: '1', retry: 5 }, { text: '{}', id: '2' }, { text: '2' }],
    },
  ])('is returned: $title', async ({ status, headers, body, expected }) => {
    const answer = await answered(status, headers as unknown as Record<string, string>, body);
    expect(answer.status).toBe(status);
    expect(await all(answer.messages)).toEqual(expected);
  });

  test('closes the connection when the reader stops', async () => {
    let isClosed = false;
    const { origin } = await local((_incoming, response) => {
      response.on('close', () => {
        isClosed = true;
      });
      response.writeHead(200, STREAM).write('data: 1\n\n');
    });
    const { messages } = await upstreamAt(origin).listen({ headers: {}, signal: signal() });
    for await (const _message of messages) break;
    await until(() => isClosed);
  });

  test('throws if the stream breaks, so that it is not taken for complete', async () => {
    const { origin } = await local((_incoming, response) => {
      response.writeHead(200, STREAM).write('data: 1\n\n', () => response.destroy());
    });
    const { messages } = await upstreamAt(origin).post('{}', { headers: {}, signal: signal() });
    await expect(all(messages)).rejects.toMatchObject({ code: 'unreachable' });
  });

  test.each([
    { title: 'new ones are tried once', renewed: true, expected: [401, 2] },
    { title: 'without new ones nothing is tried', renewed: false, expected: [401, 1] },
  ])('with status 401 renews the credentials once: $title', async ({ renewed, expected }) => {
    let tried = 0;
    const { origin } = await local((_incoming, response) => {
      tried++;
      json(response, { error: 'no' }, 401);
    });
    const upstream = upstreamAt(origin, { renew: async () => renewed });
    const { status } = await upstream.post('{}', { headers: {}, signal: signal() });
    expect([status, tried]).toEqual(expected);
  });
});
