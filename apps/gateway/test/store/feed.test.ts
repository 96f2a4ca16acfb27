import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Feed } from '../../src/store/audit/send-feed.ts';
import { AddressRules } from '../../src/upstream/address.ts';
import { createFetch } from '../../src/upstream/fetch.ts';
import { eventually } from '../fixture/eventually.ts';
import { Installation } from '../fixture/replica.ts';
import { bodyOf, type Local, serve } from '../upstream/rig.ts';
import { openChains } from './chain-rig.ts';

const { opened, keys, grow, freshChain, linesOf } = await openChains();
let receiver: Local;
let fetch: GuardedFetch;
let status = 200;
/** A workspace whose rows the receiver refuses. */
let refused: string | undefined;
const received: { body: string; headers: Record<string, unknown> }[] = [];
const causes: unknown[] = [];
const { database } = opened;

beforeAll(async () => {
  receiver = await serve(async (request, response) => {
    const body = await bodyOf(request);
    const isRefused = refused !== undefined && body.includes(refused);
    if (status === 200 && !isRefused) received.push({ body, headers: request.headers });
    response.writeHead(isRefused ? 413 : status).end();
  });
  fetch = createFetch(new AddressRules({ open: [receiver.origin] }));
});
afterAll(async () => {
  await fetch.close();
  await receiver.close();
});
beforeEach(() => {
  received.length = 0;
});

const feedTo = (url = `${receiver.origin}/rows`, ticks: (() => void)[] = []): Feed =>
  new Feed({
    database,
    url,
    fetch,
    onError: (cause) => void causes.push(cause),
    timer: { set: (work: () => void) => ticks.push(work), clear: () => undefined } as never,
  });

interface Line {
  readonly workspace: string;
  readonly seq: number;
}

function seqsOf(workspace: string): number[] {
  const lines = received.flatMap(({ body }) => body.trimEnd().split('\n')).map((line) => JSON.parse(line) as Line);
  return lines.filter((line) => line.workspace === workspace).map(({ seq }) => seq);
}

/** Ends the claims of other senders, as time would. */
async function expire(): Promise<void> {
  await opened.attacker`update audit_feed set until = now() - interval '1 second'`;
}

test('rows are posted once and in order, signed, and in the form of an export', async () => {
  const workspace = await freshChain();
  const feed = feedTo();
  await feed.send();
  await grow(workspace, 2);
  await feed.send();
  await feed.send();
  expect(seqsOf(workspace)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  const [{ body, headers }] = received as [(typeof received)[number]];
  const [at, signature] = [Number(headers['sallyport-timestamp']), String(headers['sallyport-signature'])];
  expect(keys[0]?.public.hasSignedFeed(at, body, signature)).toBe(true);
  expect(keys[0]?.public.hasSignedFeed(at + 1, body, signature)).toBe(false);
  expect(keys[0]?.public.hasSignedFeed(at, `${body} `, signature)).toBe(false);
  const exported = (await linesOf(workspace)).find((line) => line.includes('"type":"row"')) ?? '';
  expect(JSON.parse(body.split('\n')[0] ?? '')).toEqual({ ...(JSON.parse(exported) as object), workspace });
});

test('what was refused is sent again, by another replica too, and not by two at once', async () => {
  const workspace = await freshChain();
  const [first, second] = [feedTo(), feedTo()];
  status = 503;
  await first.send();
  expect(causes.at(-1)).toMatchObject({ name: 'FeedError', code: '503' });
  status = 200;
  await second.send();
  expect(seqsOf(workspace)).toEqual([]);
  await expire();
  await second.send();
  expect(seqsOf(workspace)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await expire();
  await first.send();
  expect(seqsOf(workspace)).toHaveLength(9);
});

test('rows that the receiver refuses stop no other workspace', async () => {
  await expire();
  const workspaces = [await freshChain(), await freshChain(), await freshChain()];
  const ticks: (() => void)[] = [];
  const feed = feedTo(undefined, ticks);
  feed.start();
  for (const each of workspaces) {
    refused = each;
    await eventually(async () => {
      ticks.shift()?.();
      const others = workspaces.filter((other) => other !== refused);
      for (const other of others) expect(seqsOf(other)).toHaveLength(9);
      expect(causes.at(-1)).toMatchObject({ name: 'FeedError', code: '413' });
    });
    received.length = 0;
    await opened.attacker`update audit_feed set seq = 0`;
  }
  refused = undefined;
  await feed.stop();
});

test('a header for the receiver is sent if it is set', async () => {
  await expire();
  const workspace = await freshChain();
  await new Feed({
    database,
    url: `${receiver.origin}/rows`,
    authorization: 'Splunk 1234',
    fetch,
    onError: (cause) => void causes.push(cause),
  }).send();
  expect(seqsOf(workspace)).toHaveLength(9);
  expect(received.at(-1)?.headers).toMatchObject({ authorization: 'Splunk 1234' });
});

test('attempts are further and further apart, and failures are reported', async () => {
  await expire();
  const workspace = await freshChain();
  const ticks: (() => void)[] = [];
  const feed = feedTo(undefined, ticks);
  feed.start();
  status = 500;
  let failures = causes.length;
  const attempts: number[] = [];
  for (let tick = 0; tick < 12; tick++) {
    ticks.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
    if (causes.length > failures) attempts.push(tick);
    failures = causes.length;
  }
  expect(attempts).toEqual([0, 2, 5, 10]);
  status = 200;
  await eventually(async () => {
    ticks.shift()?.();
    expect(seqsOf(workspace)).toHaveLength(9);
  });
  await feed.stop();
});

test('a replica with the setting sends its rows', async () => {
  const installation = await Installation.make();
  try {
    const workspace = await installation.workspace('fed');
    await installation.key(workspace);
    const environment = { SALLYPORT_OPEN: receiver.origin, SALLYPORT_AUDIT_FEED: `${receiver.origin}/rows` };
    await installation.start({ environment });
    await eventually(() => expect(seqsOf(workspace)).toEqual([1]));
  } finally {
    await installation.drop();
  }
});

test('an address that is not allowed is not contacted', async () => {
  await expire();
  await freshChain();
  const error = await feedTo('https://127.0.0.1/rows')
    .send()
    .catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'FeedError', code: 'address', message: expect.stringContaining('audit feed') });
  await expire();
  await expect(feedTo('https://169.254.169.254/').send()).rejects.toThrow();
});
