import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { META } from '../src/index.ts';
import { EVE, listed, POISON, type Rig, SEND } from './fixture/rig.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

const ALARM = { [META.decision]: { outcome: 'ask', rule: 'alarm' } };
const FORGOTTEN = { [META.decision]: { outcome: 'ask', rule: 'forgotten' } };
const meta = (id: string) => ({ _meta: { [META.conversation]: id } });

async function outcome(rig: Rig, given: unknown, more = {}): Promise<unknown> {
  rig.server.length = 0;
  await rig.call('o', given, more);
  await rig.settle();
  if (rig.server.splice(0).length === 0) return rig.message().result._meta;
  await rig.tell({ jsonrpc: '2.0', id: 'o', result: {} });
  rig.got();
  return 'sent';
}

describe('content of no single conversation', () => {
  const DENIED = { [META.decision]: { outcome: 'deny', rule: 'instructed' } };

  it.each(['c', 'd'])('a definition counts for conversation %s', async (id) => {
    const rig = await listed({}, [{ ...SEND, description: POISON }]);
    expect(await outcome(rig, { to: EVE }, meta(id))).toEqual(DENIED);
    expect(await outcome(rig, { to: 'bob' }, meta(id))).toBe('sent');
  });

  it('a log line counts for a conversation that begins later', async () => {
    const rig = await listed();
    await rig.tell({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: POISON } });
    rig.client.length = 0;
    expect(await outcome(rig, { to: EVE }, meta('new'))).toEqual(DENIED);
  });
});

describe('a conversation beyond its memory limit', () => {
  it('asks about every effect, and continues to read', async () => {
    const rig = await listed({ maxRead: 20_000 });
    await rig.read('Some words to begin with');
    expect(await outcome(rig, { to: 'bob' })).toBe('sent');
    await rig.read(`${'word '.repeat(5000)}`);
    expect(await outcome(rig, { to: 'bob' })).toEqual(FORGOTTEN);
    await rig.say({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: {} } });
    expect(JSON.parse(rig.sent()).id).toBe(1);
    await rig.read(POISON);
    expect(await outcome(rig, { to: EVE })).toEqual({ [META.decision]: { outcome: 'deny', rule: 'instructed' } });
    expect(await outcome(rig, { to: 'bob' })).toEqual(FORGOTTEN);
  });

  it('does not affect another conversation', async () => {
    const rig = await listed({ maxRead: 20_000 });
    await rig.read('word '.repeat(5000), { [META.conversation]: 'a' });
    expect(await outcome(rig, { to: 'bob' }, meta('a'))).toEqual(FORGOTTEN);
    expect(await outcome(rig, { to: 'bob' }, meta('b'))).toBe('sent');
  });

  it('is not filled by the calls of other conversations', async () => {
    const rig = await listed({ maxRead: 20_000 });
    for (let index = 0; index < 30; index++) expect(await outcome(rig, { to: 'bob' }, meta(`c${index}`))).toBe('sent');
    expect(await outcome(rig, { to: 'bob' })).toBe('sent');
  });
});

describe('more conversations than are remembered', () => {
  it('the least recently used one asks about every effect, the others do not', async () => {
    const rig = await listed();
    for (const id of ['first', 'second']) await rig.read(POISON, { [META.conversation]: id });
    for (let count = 0; count < 999; count++) {
      await rig.say({ jsonrpc: '2.0', id: count, method: 'ping', params: meta(`c${count}`) });
      if (count === 500) expect(await outcome(rig, { to: 'bob' }, meta('second'))).toEqual(ALARM);
    }
    expect(await outcome(rig, { to: 'bob' }, meta('first'))).toEqual(FORGOTTEN);
    expect(await outcome(rig, { to: EVE }, meta('second'))).toMatchObject({ [META.decision]: { rule: 'instructed' } });
    expect(await outcome(rig, { to: 'bob' }, meta('c998'))).toBe('sent');
  });
});

describe('thousands of messages', () => {
  const heap = (): number => {
    collect();
    return process.memoryUsage().heapUsed;
  };

  /** Megabytes still allocated after a number of rounds. */
  async function growth(rig: Rig, rounds: number, round: (index: number) => Promise<unknown>): Promise<number> {
    for (let index = 0; index < 200; index++) await round(index);
    const before = heap();
    for (let index = 200; index < rounds; index++) {
      await round(index);
      rig.client.length = 0;
      rig.server.length = 0;
      rig.events.length = 0;
    }
    return (heap() - before) / 1_000_000;
  }

  const long = 'x'.repeat(2000);

  it('without a request use no memory', async () => {
    const rig = await listed();
    const grown = await growth(rig, 3000, async (index) => {
      await rig.tell({ jsonrpc: '2.0', id: `${long}${index}`, result: { a: long } });
      await rig.tell(`no message ${long}`);
      await rig.say({ jsonrpc: '2.0', id: index, method: `x/${long}${index}` });
      await rig.say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: index } });
    });
    expect(grown).toBeLessThan(5);
  });

  it('answered with questions keep the latest thousand', async () => {
    let isClosed = false;
    const closed = () => (isClosed ? { outcome: 'ask' as const, reason: 'The office is closed.' } : undefined);
    const rig = await listed({ gate: { rules: { closed } } });
    const result = { resultType: 'input_required', requestState: 's' };
    for (let n = 0; n < 1001; n++) {
      await rig.call(n, { to: EVE, n });
      await rig.tell({ jsonrpc: '2.0', id: n, result });
      rig.client.length = 0;
    }
    rig.server.length = 0;
    isClosed = true;
    expect(await outcome(rig, { to: EVE, n: 1000 }, { requestState: 's' })).toBe('sent');
    expect(await outcome(rig, { to: EVE, n: 0 }, { requestState: 's' })).toMatchObject({
      [META.decision]: { outcome: 'ask', rule: 'closed' },
    });
  });

  it('that start tasks keep the latest ten thousand', async () => {
    const rig = await listed({ replays: true });
    await rig.call(1, {});
    for (let n = 0; n < 10_001; n++) await rig.tell({ jsonrpc: '2.0', id: 1, result: { task: { taskId: `t${n}` } } });
    rig.client.length = 0;
    rig.server.length = 0;
    const answer = { result: { content: [{ type: 'text', text: 'one two three' }] } };
    expect(await rig.ask('tasks/result', answer, { taskId: 't10000' })).toContain(' from=send>');
    expect(await rig.ask('tasks/result', answer, { taskId: 't0' })).toContain(' from=mail>');
  });

  it('of one repeated text are recorded once', async () => {
    const rig = await listed();
    const grown = await growth(rig, 2000, () =>
      rig.tell({ jsonrpc: '2.0', method: 'notifications/message', params: { data: `one two three ${long}` } }),
    );
    expect(grown).toBeLessThan(5);
  });

  it('of new texts are dropped beyond the limit', async () => {
    const rig = await listed({ maxRead: 100_000 });
    const grown = await growth(rig, 1500, (index) =>
      rig.tell({ jsonrpc: '2.0', method: 'notifications/message', params: { data: `one two ${index} ${long}` } }),
    );
    expect(grown).toBeLessThan(5);
  });
});
