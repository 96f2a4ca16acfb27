import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { serve as serveHono } from '@hono/node-server';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { createMcpHandler, McpServer as ServerV2 } from '@modelcontextprotocol/server';
import type { HttpUpstream } from '@sallyport/mcp-proxy/http';
import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cleanUp, cleanups, local, upstreamAt, values } from './http-rig.ts';
import { all, bodyOf, EVERYTHING, json, serve, signal, until } from './rig.ts';

afterEach(cleanUp);

const request = (id: unknown, method: string, params: unknown = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });
const INITIALIZE = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1.0.0' },
});
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const VERSION = { 'mcp-protocol-version': '2025-11-25' };
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
