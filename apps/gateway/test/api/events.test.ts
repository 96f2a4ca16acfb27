import { afterAll, beforeAll, expect, test } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { eventually } from '../fixture/eventually.ts';
import { openRig, type Rig, type World } from './rig.ts';

/** The gateway polls and times out only when a test moves this clock. */
const time = new ManualTime();
let rig: Rig;
let mine: World;
let other: World;

beforeAll(async () => {
  rig = await openRig(time.timer);
  mine = await rig.world('mine');
  other = await rig.world('other');
});

afterAll(async () => {
  // Ends what a failed test has left pending.
  const passing = setInterval(() => time.advance(1000), 10);
  await rig.close();
  clearInterval(passing);
});

interface Listening {
  readonly events: { what: string; waiting: number }[];
  hasEnded: boolean;
  cancel(): Promise<void>;
}

async function listen(key: string): Promise<Listening> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await rig.gateway.fetch(new Request('http://gateway/api/v1/events', { headers }));
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader();
  const listening: Listening = { events: [], hasEnded: false, cancel: () => reader.cancel() };
  void (async () => {
    for (let next = await reader.read(); !next.done; next = await reader.read())
      for (const [, data] of next.value.matchAll(/^data: (.+)$/gm)) listening.events.push(JSON.parse(data as string));
    listening.hasEnded = true;
  })();
  await eventually(() => expect(listening.events.length).toBe(2));
  return listening;
}

test('events describe the current state and then changes, of one workspace only', async () => {
  const { events, cancel } = await listen(mine.key);
  expect(events).toEqual([
    { what: 'approvals', waiting: 1 },
    { what: 'pins', waiting: 1 },
  ]);
  await rig.hold(other.workspace, 'another');
  await rig.holdPin(other.workspace, 'web', 'another');
  const stranger = await listen(other.key);
  expect(stranger.events).toEqual([
    { what: 'approvals', waiting: 2 },
    { what: 'pins', waiting: 2 },
  ]);
  await stranger.cancel();
  const id = await rig.hold(mine.workspace, 'second');
  // Noticed by polling: the question was stored by another process without Redis.
  expect(events).toHaveLength(2);
  await eventually(() => {
    time.advance(500);
    expect(events.at(-1)).toEqual({ what: 'approvals', waiting: 2 });
  });
  await rig.ask('POST', `/approvals/${id}`, { key: mine.key, body: { answer: 'denied' } });
  await eventually(() => expect(events.at(-1)).toEqual({ what: 'approvals', waiting: 1 }));
  const accepted = await rig.ask('POST', `/pins/${mine.server}/accept`, { key: mine.key, body: { digest: mine.pin } });
  expect(accepted.status).toBe(204);
  await eventually(() => expect(events.at(-1)).toEqual({ what: 'pins', waiting: 0 }));
  expect(events.length).toBe(5);
  await cancel();
});

test('events need a valid key with the scope approve or pins', async () => {
  expect((await rig.ask('GET', '/events')).status).toBe(401);
  const key = await rig.keyOf(mine.workspace, ['mcp', 'submit', 'audit', 'admin']);
  expect((await rig.ask('GET', '/events', { key })).status).toBe(403);
  expect((await rig.ask('HEAD', '/events', { key: mine.key })).status).toBe(405);
  expect((await rig.ask('GET', "/events?a=';drop", { key: mine.key })).status).toBe(422);
});

test('events end when the key is revoked', async () => {
  const key = await rig.keyOf(mine.workspace, ['approve:any', 'pins']);
  const listening = await listen(key);
  await rig.ask('DELETE', `/keys/${key.slice(3, 11)}`, { key: mine.key });
  await eventually(() => expect(listening.hasEnded).toBe(true));
});

test('the number of event streams of a workspace is limited', async () => {
  const open = await Promise.all(Array.from({ length: 100 }, () => listen(other.key)));
  expect((await rig.ask('GET', '/events', { key: other.key })).status).toBe(429);
  await (await listen(mine.key)).cancel();
  await Promise.all(open.map(({ cancel }) => cancel()));
  await eventually(async () => void (await (await listen(other.key)).cancel()));
});

test('events end when the client disconnects', async () => {
  const port = await rig.gateway.listen();
  const headers = { authorization: `Bearer ${other.key}` };
  for (let round = 0; round < 3; round++)
    // The streams of the previous round would exceed the maximum if they were still counted.
    await eventually(async () => {
      const gone = new AbortController();
      const open = (): Promise<number> =>
        fetch(`http://127.0.0.1:${port}/api/v1/events`, { headers, signal: gone.signal }).then(({ status }) => status);
      const statuses = await Promise.all(Array.from({ length: 60 }, open));
      gone.abort();
      expect(new Set(statuses)).toEqual(new Set([200]));
    });
});

test('events end when the replica stops, which does not wait for them', async () => {
  const listening = await listen(mine.key);
  // The clock does not move: if it waited for the stream, it would wait forever.
  await rig.gateway.drain();
  await eventually(() => expect(listening.hasEnded).toBe(true));
});
