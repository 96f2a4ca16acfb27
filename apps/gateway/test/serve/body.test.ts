import { connect } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { readBody } from '../../src/serve/body.ts';
import { until } from '../upstream/rig.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const LIMITS = { bytes: 100, milliseconds: 400 };
/** Moves only when a test moves it. */
let time: ManualTime;

beforeEach(() => {
  time = new ManualTime();
});

const given = (body: string | Uint8Array, headers: Record<string, string> = JSON_TYPE) =>
  readBody(new Request('http://localhost/', { method: 'POST', headers, body: body as string }), {
    ...LIMITS,
    timer: time.timer,
  });

describe('accepted', () => {
  test.each([
    { title: 'JSON', headers: JSON_TYPE, body: '{"a":"\u20ac"}' },
    { title: 'with its charset', headers: { 'content-type': 'Application/JSON; charset="UTF-8"' }, body: '{}' },
    { title: 'encoded as it is', headers: { ...JSON_TYPE, 'content-encoding': 'identity' }, body: '{}' },
    { title: 'as long as allowed', headers: JSON_TYPE, body: 'a'.repeat(100) },
    { title: 'empty', headers: JSON_TYPE, body: '' },
  ])('$title', async ({ headers, body }) => {
    expect(await given(body, headers)).toEqual({ type: 'read', text: body });
  });
});

describe('refused', () => {
  test.each([
    { title: 'another type', headers: { 'content-type': 'text/plain' }, body: '{}', status: 415 },
    { title: 'a form', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=b', status: 415 },
    {
      title: 'a type that begins like ours',
      headers: { 'content-type': 'application/json-seq' },
      body: '{}',
      status: 415,
    },
    { title: 'two types', headers: { 'content-type': 'application/json, text/plain' }, body: '{}', status: 415 },
    {
      title: 'another charset',
      headers: { 'content-type': 'application/json; charset=utf-16' },
      body: '{}',
      status: 415,
    },
    {
      title: 'a charset that hides another',
      headers: { 'content-type': 'application/json; charset=utf-8; charset=utf-7' },
      body: '{}',
      status: 415,
    },
    { title: 'compressed', headers: { ...JSON_TYPE, 'content-encoding': 'gzip' }, body: '{}', status: 415 },
    {
      title: 'compressed twice',
      headers: { ...JSON_TYPE, 'content-encoding': 'identity, gzip' },
      body: '{}',
      status: 415,
    },
    { title: 'one byte too long', headers: JSON_TYPE, body: 'a'.repeat(101), status: 413 },
    { title: 'too long in bytes, not in letters', headers: JSON_TYPE, body: '\u20ac'.repeat(40), status: 413 },
    { title: 'too long as it says', headers: { ...JSON_TYPE, 'content-length': '5000' }, body: '{}', status: 413 },
    { title: 'not UTF-8', headers: JSON_TYPE, body: Uint8Array.of(0x22, 0xff, 0x22), status: 400 },
    {
      title: 'a surrogate in UTF-8',
      headers: JSON_TYPE,
      body: Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22),
      status: 400,
    },
    { title: 'half a letter', headers: JSON_TYPE, body: Uint8Array.of(0x22, 0xe2, 0x82), status: 400 },
  ])('$title', async ({ headers, body, status }) => {
    expect(await given(body, headers as unknown as Record<string, string>)).toMatchObject({ type: 'refused', status });
  });

  test('no Content-Type', async () => {
    const request = { headers: new Headers(), body: null };
    expect(await readBody(request)).toMatchObject({ type: 'refused', status: 415 });
  });
});

describe('over a real connection', () => {
  let port: number;
  let server: ReturnType<typeof serve>;

  beforeAll(async () => {
    const app = new Hono();
    app.post('/', async (context) => {
      const body = await readBody(context.req.raw, { ...LIMITS, timer: time.timer });
      if (body.type === 'read') return context.text(body.text);
      return context.text(body.message, body.status, { connection: 'close' });
    });
    port = await new Promise((resolve) => {
      server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => resolve(info.port));
    });
  });
  afterAll(() => void server.close());

  const HEAD = 'POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n';

  interface Talk {
    write(text: string): void;
    /** Everything that the other side has sent, once it has closed the connection. */
    readonly ended: Promise<string>;
  }

  function talk(): Talk {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    let said = '';
    socket.on('data', (chunk) => {
      said += String(chunk);
    });
    const ended = new Promise<string>((resolve) => socket.on('close', () => resolve(said)));
    return { write: (text) => void socket.write(text), ended };
  }

  test('a body that arrives byte by byte times out, and its connection is closed', async () => {
    const { write, ended } = talk();
    write(`${HEAD}Content-Length: 90\r\n\r\n`);
    await until(() => time.waiting.length === 1);
    // One time limit for the whole body: another byte does not restart it.
    for (let left = 400; left > 0; left -= 50) {
      write('a');
      await new Promise((resolve) => setImmediate(resolve));
      expect(time.waiting).toEqual([left]);
      time.advance(50);
    }
    expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
    expect(time.waiting).toEqual([]);
  });

  test('a body that never arrives times out', async () => {
    const { write, ended } = talk();
    write(`${HEAD}Content-Length: 90\r\n\r\n`);
    await until(() => time.waiting.length === 1);
    time.advance(400);
    expect(await ended).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('an endless body is refused by its length before the timeout', async () => {
    const { write, ended } = talk();
    write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
    for (let chunk = 0; chunk < 4; chunk++) write(`20\r\n${'a'.repeat(32)}\r\n`);
    expect(await ended).toMatch(/^HTTP\/1\.1 413 /);
    expect(time.waiting).toEqual([]);
  });

  test('a complete body is read', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: JSON_TYPE, body: '{"a":1}' });
    expect([answer.status, await answer.text()]).toEqual([200, '{"a":1}']);
  });
});
