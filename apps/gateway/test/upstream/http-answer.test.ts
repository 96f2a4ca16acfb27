import { afterEach, describe, expect, test } from 'vitest';
import { cleanUp, local, upstreamAt } from './http-rig.ts';
import { all, json, signal, until } from './rig.ts';

afterEach(cleanUp);

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
    { title: 'a permanent redirect', status: 301, headers: { location: '/mcp2' }, code: 'redirect' },
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
    { title: 'not UTF-8', headers: JSON_TYPE, body: Buffer.from([0x22, 0xff, 0x22]), code: 'content' },
    {
      title: 'not UTF-8 in an event',
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
