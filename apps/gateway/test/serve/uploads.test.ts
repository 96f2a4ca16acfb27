import { connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '../fixture/eventually.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve, until } from '../upstream/rig.ts';

const MIB = 1024 * 1024;

let installation: Installation;
let server: Local;
let replica: Replica;
let keys: { readonly slow: string; readonly other: string };
let sockets: Socket[] = [];
let answers: string[] = [];

beforeAll(async () => {
  installation = await Installation.make();
  server = await serve(async (request, response) => {
    const { id } = JSON.parse(await bodyOf(request));
    if (id === undefined) response.writeHead(202).end();
    else json(response, { jsonrpc: '2.0', id, result: {} });
  });
  replica = await installation.start({ environment: { SALLYPORT_OPEN: server.origin, SALLYPORT_THREADS: '1' } });
  const workspace = await installation.workspace('uploads');
  await installation.server(workspace, 'mail', { kind: 'http', url: `${server.origin}/mcp` });
  keys = { slow: await installation.key(workspace, 'ann'), other: await installation.key(workspace, 'bob') };
});

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  answers = [];
  await eventually(async () => expect(await ping(keys.slow)).toBe(200));
});

afterAll(async () => {
  await installation?.drop();
  await server?.close();
});

/** Begins a request that claims 4 MiB, sends some of them, and never ends. */
function upload(key: string, bytes: number): void {
  const socket = connect(Number(new URL(replica.origin).port), '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => answers.push(String(chunk).slice(9, 12)));
  socket.write(
    `POST /mcp/mail HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\ncontent-type: application/json\r\n` +
      `content-length: ${4 * MIB}\r\n\r\n${'a'.repeat(bytes)}`,
  );
}

const ping = (key: string): Promise<number> => post(key, '{"jsonrpc":"2.0","id":1,"method":"ping"}');
const notify = (key: string): Promise<number> =>
  post(key, '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}');

async function post(key: string, body: string): Promise<number> {
  const response = await fetch(`${replica.origin}/mcp/mail`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body,
  });
  await response.text();
  return response.status;
}

const shed = async (reason: string): Promise<number> => {
  const metrics = await (await fetch(`${replica.origin}/metrics`)).text();
  return Number(new RegExp(`^sallyport_shed_total\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(metrics)?.[1] ?? 0);
};

const openRequests = async (): Promise<number> => {
  const metrics = await (await fetch(`${replica.origin}/metrics`)).text();
  return Number(/^sallyport_open_requests (\d+)$/m.exec(metrics)?.[1] ?? 0);
};

test('unfinished uploads of one key take nothing from another', async () => {
  for (let index = 0; index < 40; index++) upload(keys.slow, 1);
  await eventually(async () => expect(await openRequests()).toBeGreaterThanOrEqual(40));
  expect(await ping(keys.other)).toBe(200);
  expect(answers).toEqual([]);
});

test('one key may send its share of bytes, and others go on', async () => {
  for (let index = 0; index < 8; index++) upload(keys.slow, 3 * MIB);
  await until(() => answers.length >= 3);
  expect(new Set(answers)).toEqual(new Set(['429']));
  expect(await shed('share')).toBeGreaterThanOrEqual(3);
  expect(await ping(keys.other)).toBe(200);
});

test('requests count as open before their bodies have arrived, and a cancellation is read all the same', async () => {
  for (let index = 0; index < 200; index++) upload(keys.slow, 1);
  await eventually(async () => expect(await openRequests()).toBeGreaterThanOrEqual(200));
  expect([await ping(keys.slow), await notify(keys.slow), await ping(keys.other)]).toEqual([429, 202, 200]);
});
