import type { ServerResponse } from 'node:http';
import { type GuardedFetch, HttpUpstream, textOf } from '@sallyport/mcp-proxy/http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AddressRules } from '../../src/upstream/address.ts';
import { type CountedFetch, createFetch, standardFetch } from '../../src/upstream/fetch.ts';
import { bodyOf, type Local, serve, signal, until } from './rig.ts';

let local: Local;
let seen: { url: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
let closed = 0;
const made: GuardedFetch[] = [];

function fetchWith(open: readonly string[], answers: readonly (readonly string[])[] = [], options = {}): CountedFetch {
  let asked = 0;
  const resolve = async (): Promise<readonly string[]> => answers[Math.min(asked++, answers.length - 1)] ?? [];
  const fetch = createFetch(new AddressRules({ open, ...(answers.length > 0 ? { resolve } : {}) }), options);
  made.push(fetch);
  return fetch;
}

const get = (fetch: GuardedFetch, url: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'GET', headers, signal: signal() });

const ANSWERS: Record<string, (response: ServerResponse) => unknown> = {
  '/redirect': (response) => response.writeHead(307, { location: '/secret' }).end(),
  '/slow': () => undefined,
  '/drip': (response) => response.write('a'),
  '/headers': (response) => {
    for (let index = 0; index < 40; index++) response.setHeader(`x-${index}`, 'a'.repeat(1000));
    response.end();
  },
  '/long': (response) => response.end('a'.repeat(5000)),
  '/bytes': (response) => response.end(Buffer.from([0x7b, 0xff, 0x7d])),
  '/hang-up': (response) => response.destroy(),
};

beforeAll(async () => {
  local = await serve(async (request, response) => {
    response.on('close', () => closed++);
    seen.push({ url: request.url, headers: request.headers, body: await bodyOf(request) });
    await (ANSWERS[request.url ?? ''] ?? ((other) => other.end('hello')))(response);
  });
});
beforeEach(() => {
  seen = [];
  closed = 0;
});
afterAll(async () => {
  await Promise.all(made.map((fetch) => fetch.close()));
  await local.close();
});

test('an allowed origin receives exactly the given headers and body', async () => {
  const fetch = fetchWith([local.origin]);
  const answer = await fetch(`${local.origin}/a?b=c`, {
    method: 'POST',
    headers: { 'X-One': '1' },
    body: 'text',
    signal: signal(),
  });
  expect([answer.status, await textOf(answer, 100)]).toEqual([200, 'hello']);
  expect(seen).toEqual([
    {
      url: '/a?b=c',
      headers: { host: new URL(local.origin).host, connection: 'keep-alive', 'x-one': '1', 'content-length': '4' },
      body: 'text',
    },
  ]);
});

test('no connection is made to an origin that is not allowed', async () => {
  let connections = 0;
  const count = (): void => void connections++;
  local.server.on('connection', count);
  await expect(get(fetchWith([]), `${local.origin}/`)).rejects.toMatchObject({ code: 'address' });
  await expect(get(fetchWith([]), `https://127.0.0.1:${local.port}/`)).rejects.toMatchObject({ code: 'address' });
  const named = fetchWith([], [['127.0.0.1']]);
  await expect(get(named, `https://named.example:${local.port}/`)).rejects.toMatchObject({ code: 'address' });
  const second = fetchWith([], [['93.184.216.34', '127.0.0.1']]);
  await expect(get(second, `https://named.example:${local.port}/`)).rejects.toMatchObject({ code: 'address' });
  local.server.off('connection', count);
  expect(connections).toBe(0);
});

test('both the URL and the resolved address are checked', async () => {
  const named = fetchWith([], [['93.184.216.34']]);
  await expect(get(named, 'http://named.example:8080/')).rejects.toMatchObject({ code: 'address' });
  // An allowed origin may resolve to any address, except to cloud metadata.
  const opened = fetchWith(['http://169.254.169.254']);
  await expect(get(opened, 'http://169.254.169.254/')).rejects.toMatchObject({ code: 'address' });
});

test('a name that resolves elsewhere after registration is refused', async () => {
  let connections = 0;
  const count = (): void => void connections++;
  local.server.on('connection', count);
  const answers = [['93.184.216.34'], ['127.0.0.1']];
  let asked = 0;
  const rules = new AddressRules({ resolve: async () => answers[asked++] ?? ['127.0.0.1'] });
  const fetch = createFetch(rules);
  made.push(fetch);
  const url = `https://rebinds.example:${local.port}/`;
  // The address is public at registration, but not when the connection is made.
  await rules.check(url);
  await expect(get(fetch, url)).rejects.toMatchObject({ code: 'address' });
  local.server.off('connection', count);
  expect([asked, connections]).toEqual([2, 0]);
});

test('the connection uses the address that was checked, without a second lookup', async () => {
  let asked = 0;
  const rules = new AddressRules({
    open: [`http://pinned.example:${local.port}`],
    resolve: async () => {
      asked++;
      return ['127.0.0.1'];
    },
  });
  const fetch = createFetch(rules);
  made.push(fetch);
  const answer = await get(fetch, `http://pinned.example:${local.port}/`);
  expect(await textOf(answer, 100)).toBe('hello');
  expect(asked).toBe(1);
  expect(seen[0]?.headers.host).toBe(`pinned.example:${local.port}`);
});

test('a redirect is not followed', async () => {
  const answer = await get(fetchWith([local.origin]), `${local.origin}/redirect`);
  answer.discard();
  expect(answer.status).toBe(307);
  expect(seen.map(({ url }) => url)).toEqual(['/redirect']);
});

test.each([
  { title: 'a line end', payload: { 'x-a': 'a\r\nx-b: c' } },
  { title: 'LF alone', payload: { 'x-a': 'a\nx-b: c' } },
  { title: 'CR alone', payload: { 'x-a': 'a\rx-b: c' } },
  { title: 'NUL', payload: { 'x-a': 'a\0b' } },
  { title: 'a letter beyond ASCII that ends in the byte of LF', payload: { 'x-a': 'a\u010ax-b: c' } },
  { title: 'a line end in the name', payload: { 'x-a\r\nx-b': 'c' } },
  { title: 'a colon in the name', payload: { 'x-a:b': 'c' } },
  { title: 'no name', payload: { '': 'c' } },
  { title: 'too long', payload: { 'x-a': 'a'.repeat(9000) } },
])('a header that cannot be sent is refused: $title', async ({ payload }) => {
  const fetch = fetchWith([local.origin]);
  const headers = payload as unknown as Record<string, string>;
  await expect(get(fetch, `${local.origin}/`, headers)).rejects.toMatchObject({ code: 'header' });
  expect(seen).toEqual([]);
});

test.each([
  { title: 'no head in time', path: '/slow', code: 'timeout', options: { headersTimeout: 50 } },
  { title: 'too many headers', path: '/headers', code: 'oversized' },
  { title: 'a broken connection', path: '/hang-up', code: 'unreachable' },
])('a failing server yields a failure code: $title', async ({ path, code, options }) => {
  const fetch = fetchWith([local.origin], [], options);
  await expect(get(fetch, local.origin + path)).rejects.toMatchObject({ code });
});

test.each([
  { title: 'a body that stops', path: '/drip', code: 'timeout', options: { idleTimeout: 50 } },
  { title: 'a body that is too long', path: '/long', code: 'oversized' },
  { title: 'a body that is not UTF-8', path: '/bytes', code: 'content' },
])('a server that fails while its body is read yields a failure code: $title', async ({ path, code, options }) => {
  const fetch = fetchWith([local.origin], [], options);
  const answer = await get(fetch, local.origin + path);
  await expect(textOf(answer, 1000)).rejects.toMatchObject({ code });
});

test('a port without a listener is unreachable', async () => {
  const other = await serve(() => undefined);
  await other.close();
  await expect(get(fetchWith([other.origin]), other.origin)).rejects.toMatchObject({ code: 'unreachable' });
});

test('an abort closes the connection', async () => {
  const controller = new AbortController();
  const fetch = fetchWith([local.origin]);
  const answer = await fetch(`${local.origin}/drip`, { method: 'GET', headers: {}, signal: controller.signal });
  expect(closed).toBe(0);
  controller.abort(new Error('gone'));
  await expect(textOf(answer, 1000)).rejects.toThrow('gone');
  await until(() => closed === 1);
});

test('the standard fetch limits the size and refuses compressed answers', async () => {
  const big = await serve((request, response) => {
    if (request.url === '/zip') response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    else response.end('a'.repeat(2 * 1024 * 1024));
  });
  const fetch = standardFetch(fetchWith([big.origin]));
  await expect(fetch(big.origin)).rejects.toMatchObject({ code: 'oversized' });
  await expect(fetch(`${big.origin}/zip`)).rejects.toMatchObject({ code: 'content' });
  await big.close();
});

test('open streams do not use up the connections of calls, and one too many is refused at once', async () => {
  let refused = 0;
  const fetch = fetchWith([local.origin], [], { max: { calls: 1, streams: 2 }, onBusy: () => refused++ });
  expect(fetch.open()).toEqual({ calls: 0, streams: 0 });
  const streams = [await get(fetch, `${local.origin}/drip`), await get(fetch, `${local.origin}/drip`)];
  await expect(get(fetch, `${local.origin}/drip`)).rejects.toMatchObject({ code: 'busy' });
  expect([fetch.open(), refused]).toEqual([{ calls: 0, streams: 2 }, 1]);
  const answer = await fetch(`${local.origin}/long`, { method: 'POST', headers: {}, body: '{}', signal: signal() });
  expect(await textOf(answer, 10_000)).toHaveLength(5000);
  for (const stream of streams) stream.discard();
  await until(() => fetch.open().streams === 0);
});

const LISTEN = '{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{}}';

test.each([
  { title: 'the request that listens in the protocol of 2026', payload: LISTEN, expected: { calls: 0, streams: 1 } },
  {
    title: 'the same with an escape in its name',
    payload: LISTEN.replace('/listen', '\\/listen'),
    expected: { calls: 0, streams: 1 },
  },
  {
    title: 'a call that only names it',
    payload: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"subscriptions/listen"}}',
    expected: { calls: 1, streams: 0 },
  },
  { title: 'a message that is not JSON', payload: '"subscriptions/listen', expected: { calls: 1, streams: 0 } },
])('a POST that stays open counts as what it is: $title', async ({ payload, expected }) => {
  const open = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n');
  });
  const fetch = fetchWith([open.origin], [], { max: { calls: 1, streams: 2 } });
  const upstream = new HttpUpstream({ url: open.origin, fetch, headers: async () => ({}) });
  const controller = new AbortController();
  await upstream.post(payload, { headers: {}, signal: controller.signal });
  expect(fetch.open()).toEqual(expected);
  controller.abort();
  await until(() => fetch.open().calls + fetch.open().streams === 0);
  await open.close();
});

test('one principal has a share of the calls to an origin, and others have theirs', async () => {
  let refused = 0;
  const options = { max: { calls: 4, streams: 4 }, share: { calls: 2, streams: 2 }, onBusy: () => refused++ };
  const fetch = fetchWith([local.origin], [], options);
  const call = (countsFor: string, path = '/drip') =>
    fetch(local.origin + path, { method: 'POST', headers: {}, body: '{}', signal: signal(), countsFor });
  const open = [await call('ann'), await call('ann')];
  await expect(call('ann')).rejects.toMatchObject({
    code: 'busy',
    message: expect.stringContaining('of your requests'),
  });
  expect(refused).toBe(1);
  expect(await textOf(await call('bob', '/long'), 10_000)).toHaveLength(5000);
  // A stream of the same principal does not count as a call.
  open.push(await fetch(`${local.origin}/drip`, { method: 'GET', headers: {}, signal: signal(), countsFor: 'ann' }));
  open[0]?.discard();
  await until(() => fetch.open().calls === 1);
  expect(await textOf(await call('ann', '/long'), 10_000)).toHaveLength(5000);
  await expect(call('ann', '/hang-up')).rejects.toMatchObject({ code: 'unreachable' });
  expect(await textOf(await call('ann', '/long'), 10_000)).toHaveLength(5000);
  for (const each of open) each.discard();
});
