import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EVE, POISON, signs } from '../../../../packages/mcp-proxy/test/fixture/rig.ts';
import { Installation, type Replica } from '../fixture/replica.ts';
import { bodyOf, json, type Local, serve } from '../upstream/rig.ts';

const TOOLS = { read: { effect: 'read' }, send: { effect: 'send' } };
const POLICY = { askTimeout: 0.05, servers: { mail: { tools: TOOLS } } };

let installation: Installation;
let server: Local;
/** What the tool `read` returns, and whom the tool `send` was called for. */
const mail = { text: '', sent: [] as string[] };
let names = 0;
let classified: string[] = [];
/** Counts what is classified. */
const counting = {
  ...signs,
  doClassify: (input: Parameters<typeof signs.doClassify>[0]) => {
    classified.push(input.text);
    return signs.doClassify(input);
  },
};

beforeAll(async () => {
  installation = await Installation.make();
  server = await serve(async (request, response) => {
    const { id, params } = JSON.parse(await bodyOf(request));
    const { name, arguments: given } = params;
    if (name === 'send') mail.sent.push(given.to);
    const text = name === 'send' ? 'Sent to the person that was named' : mail.text;
    json(response, { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } });
  });
});

afterAll(async () => {
  await installation?.drop();
  await server?.close();
});

function start(environment: Readonly<Record<string, string>> = {}): Promise<Replica> {
  return installation.start({
    environment: { SALLYPORT_OPEN: server.origin, SALLYPORT_THREADS: '1', ...environment },
    classifier: counting,
  });
}

async function team(): Promise<{ readonly workspace: string; readonly key: string }> {
  const workspace = await installation.workspace(`team-${++names}`);
  await installation.server(workspace, 'mail', { kind: 'http', url: `${server.origin}/mcp` });
  await installation.policy(workspace, POLICY);
  return { workspace, key: await installation.key(workspace) };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

async function post(replica: Replica, key: string, body: string, conversation?: string): Promise<Answer> {
  const response = await fetch(`${replica.origin}/mcp/mail`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(conversation === undefined ? {} : { 'sallyport-conversation': conversation }),
    },
    body,
  });
  return { status: response.status, text: await response.text() };
}

const callOf = (name: string, given: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;

/** The longest time without an answer of `/health` while something else happens. */
async function worstHealth(replica: Replica, work: () => Promise<unknown>): Promise<number> {
  let [worst, isOver] = [0, false];
  const watching = (async () => {
    while (!isOver) {
      const begun = performance.now();
      await (await fetch(`${replica.origin}/health`)).text();
      worst = Math.max(worst, performance.now() - begun);
      await pause(5);
    }
  })();
  await work();
  isOver = true;
  await watching;
  return worst;
}

test('a call that takes long to check does not hold up the health check', async () => {
  const replica = await start();
  const { key } = await team();
  await post(replica, key, callOf('read', '{}'));
  const text = 'a '.repeat(1_500_000);
  let took = 0;
  const worst = await worstHealth(replica, async () => {
    const begun = performance.now();
    await post(replica, key, callOf('send', JSON.stringify({ to: text })));
    took = performance.now() - begun;
  });
  expect(worst).toBeLessThan(took / 2);
});

test('a message that exceeds the limit says so, and the others of its thread go on', async () => {
  const replica = await start({ SALLYPORT_TURN_LIMIT: '500' });
  const [busy, other] = [await team(), await team()];
  mail.text = POISON;
  // A message that is long, and quick to check: now both are in one thread.
  await post(replica, other.key, callOf('read', JSON.stringify({ note: 'a'.repeat(300_000) })));
  const answer = await post(replica, busy.key, callOf('send', JSON.stringify({ to: 'a '.repeat(1_900_000) })));
  expect(answer).toMatchObject({ status: 503, text: expect.stringContaining('This is a limit, and says nothing') });
  // The other principal's memory was in the thread that was ended. It is read from the log again.
  mail.sent.length = 0;
  const sent = await post(replica, other.key, callOf('send', JSON.stringify({ to: EVE })));
  expect(sent.text).toContain('not made');
  expect(mail.sent).toEqual([]);
  const metrics = await (await fetch(`${replica.origin}/metrics`)).text();
  expect(metrics).toContain('sallyport_threads_ended_total{reason="overrun"} 1');
});

test('a message that is long does not hold up the others, not even the first time', async () => {
  const replica = await start({ SALLYPORT_THREADS: '1' });
  const [busy, other] = [await team(), await team()];
  await post(replica, busy.key, callOf('read', '{}'));
  await post(replica, other.key, callOf('read', '{}'));
  const begun = performance.now();
  const time = async (request: Promise<unknown>): Promise<number> => {
    await request;
    return performance.now() - begun;
  };
  const long = time(post(replica, busy.key, callOf('send', JSON.stringify({ to: 'a '.repeat(1_500_000) }))));
  await pause(200);
  const short = await time(post(replica, other.key, callOf('send', JSON.stringify({ to: EVE }))));
  expect(short).toBeLessThan((await long) / 2);
});

const OTHER = 'someone.else@firm.example';

describe('a policy change keeps what was read', () => {
  // `before` and `after`: the rule that holds a call with a value that only the model supplied, `made` if none does.
  test.each([
    { title: 'askTimeout', from: {}, to: { askTimeout: 0.06 }, before: 'alarm', after: 'alarm' },
    { title: 'preset', from: { preset: 'strict' }, to: { preset: 'balanced' }, before: 'model', after: 'alarm' },
    { title: 'table', from: { table: { send: { model: 'deny' } } }, to: {}, before: 'model', after: 'alarm' },
    { title: 'observe', from: { observe: true }, to: {}, before: 'made', after: 'alarm' },
  ])('$title', async ({ from, to, before, after }) => {
    const replica = await start();
    const { workspace, key } = await team();
    const send = async (address: string): Promise<string> => {
      const { text } = await post(replica, key, callOf('send', JSON.stringify({ to: address })));
      return /"rule":"([^"]+)"/.exec(text)?.[1] ?? 'made';
    };
    await installation.policy(workspace, { ...POLICY, ...from }, 1);
    mail.text = POISON;
    await post(replica, key, callOf('read', '{}'));
    expect(await send(OTHER)).toBe(before);
    // Nothing can be read again: what is known now was never dropped.
    await installation.test.attacker`delete from log where workspace_id = ${workspace}`;
    classified = [];
    await installation.policy(workspace, { ...POLICY, ...to }, 2);
    await pause(1100);
    expect(await send(OTHER)).toBe(after);
    expect(await send(EVE)).toBe('instructed');
    expect(classified).not.toContain(POISON);
  });
});

test('a change of thresholds reads again what was read', async () => {
  const replica = await start();
  const { workspace, key } = await team();
  mail.text = POISON;
  const send = (): Promise<Answer> => post(replica, key, callOf('send', JSON.stringify({ to: EVE })));
  await post(replica, key, callOf('read', '{}'));
  expect((await send()).text).toContain('not made');
  classified = [];
  await installation.policy(workspace, { ...POLICY, thresholds: { imperative: 'medium' } }, 1);
  await pause(1100);
  expect((await send()).text).toContain('not made');
  expect(classified).toContain(POISON);
});

test('memory is freed when conversations have read more than the replica may keep, and nothing is forgotten', async () => {
  // 1 MB is enough for 65,536 characters, and 8,192 in one conversation.
  const replica = await start({ SALLYPORT_MEMORY: '1' });
  const { key } = await team();
  mail.text = POISON;
  await post(replica, key, callOf('read', '{}'), 'first');
  mail.text = 'The report of the quarter is in the folder of the team. '.repeat(100);
  for (let index = 0; index < 20; index++) await post(replica, key, callOf('read', '{}'), `other-${index}`);
  const metrics = await (await fetch(`${replica.origin}/metrics`)).text();
  const kept = Number(/^sallyport_remembered_characters (\d+)$/m.exec(metrics)?.[1]);
  expect(kept).toBeLessThan(65_536 / 2);
  mail.sent.length = 0;
  expect((await post(replica, key, callOf('send', JSON.stringify({ to: EVE })), 'first')).text).toContain('not made');
  expect(mail.sent).toEqual([]);
});
