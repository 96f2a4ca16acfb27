import { describe, expect, it } from 'vitest';
import type { Conversation } from '../../src/index.ts';
import { HELD, world } from './approval-world.ts';

const STOP = /stop here/;

/** Makes calls in their order, and gives for each whether the model is told to stop. */
async function play(calls: string, options: Parameters<typeof world>[0] = {}) {
  const { open, check, events } = world(options);
  const conversation = await open();
  const made: Readonly<Record<string, () => Promise<{ result: string }>>> = {
    ask: () => check(conversation, { account: `FR11-${2000 + events.length}`, note: 'FR11-2044' }),
    deny: () => check(conversation, { for: 'eve@evil.example', note: `${events.length}` }),
    allow: () => check(conversation, { what: 'lamps' }, 'giveAway'),
    read: () => check(conversation, {}, 'readMail'),
    user: async () => {
      conversation.addUserMessage(`Go on ${events.length}.`);
      return { result: '' };
    },
  };
  const told: string[] = [];
  for (const call of calls.split(' ')) {
    const result = await made[call]?.();
    told.push(STOP.test(result?.result ?? '') ? 'stop' : '-');
  }
  return { told: told.join(' '), handed: events.filter((event) => (event as { type: string }).type === 'handed-over') };
}

const twenty = (text: string): string => Array(10).fill(text).join(' ');

describe('a run of refusals', () => {
  it.each([
    { title: 'three held calls', calls: 'ask ask ask', expected: '- - stop' },
    { title: 'held and denied calls', calls: 'ask deny ask deny', expected: '- - stop stop' },
    { title: 'reading in between', calls: 'ask read ask read ask', expected: '- - - - stop' },
    { title: 'an allowed effect in between', calls: 'ask ask allow ask ask', expected: '- - - - -' },
    { title: 'a message of the user in between', calls: 'ask ask ask user ask ask', expected: '- - stop - - -' },
    {
      title: 'twenty in all',
      calls: `${twenty('ask deny allow')} ask`,
      expected: `${twenty('- - -').slice(0, -5)}- stop - stop`,
    },
  ])('is handed to a person: $title', async ({ calls, expected }) => {
    const { told, handed } = await play(calls);
    expect(told).toBe(expected);
    expect(handed).toHaveLength(expected.includes('stop') ? 1 : 0);
  });

  it('is reported once, with the cause', async () => {
    expect((await play('deny deny deny deny')).handed).toEqual([
      { type: 'handed-over', callId: 'c3', cause: 'in-a-row', refusals: 3 },
    ]);
    expect((await play(`${twenty('ask deny allow')} deny`)).handed).toEqual([
      { type: 'handed-over', callId: 'c29', cause: 'in-all', refusals: 20 },
    ]);
  });

  it('counts no call that a store of held calls refused by failing, and asks it about no read', async () => {
    const fails = async () => {
      throw new Error('down');
    };
    const held = { put: fails, get: fails, list: fails, delete: fails };
    const reads = await play('read read read read', { held });
    expect(reads).toEqual({ told: '- - - -', handed: [] });
    const { told, handed } = await play('allow allow allow allow', { held });
    expect(told).toBe('- - - -');
    expect(handed).toEqual([]);
    const { open, check } = world({ held });
    expect((await check(await open(), {}, 'readMail')).outcome).toBe('allow');
    expect((await check(await open(), { what: 'lamps' }, 'giveAway')).rule).toBe('store-failed');
  });

  it('counts a call once, however often it is checked', async () => {
    const { open } = world();
    const conversation = await open();
    const call = { id: 'same', tool: 'order', arguments: HELD };
    for (let count = 0; count < 5; count++) expect((await conversation.check(call)).result).not.toMatch(STOP);
  });

  it('does not count what a person approves', async () => {
    const { open } = world();
    const conversation = await open();
    const check = (id: string, conversation: Conversation) =>
      conversation.check({ id, tool: 'order', arguments: { ...HELD, id } }, { ask: () => ({ by: 'ann' }) });
    for (const id of ['a', 'b', 'c', 'd']) expect((await check(id, conversation)).outcome).toBe('allow');
  });

  it('counts what a person declines, and tells the model to stop', async () => {
    const { open, events } = world();
    const conversation = await open();
    const results: string[] = [];
    for (const id of ['a', 'b', 'c'])
      results.push(
        (await conversation.check({ id, tool: 'order', arguments: { ...HELD, id } }, { ask: () => undefined })).result,
      );
    expect(results.map((result) => STOP.test(result))).toEqual([false, false, true]);
    expect(events).toContainEqual(expect.objectContaining({ type: 'handed-over', callId: 'c' }));
  });

  it('does not count where the gate only observes, nor calls of another conversation', async () => {
    expect((await play('ask deny ask', { gate: { observe: true } })).told).toBe('- - -');
    const { open } = world();
    const conversation = await open();
    for (const id of ['a', 'b', 'c', 'd']) {
      const call = { id, tool: 'order', arguments: { ...HELD, id } };
      expect((await conversation.check(call, { record: false })).result).not.toMatch(STOP);
    }
  });

  it('leaves a held call that a person can approve', async () => {
    const { open, check } = world();
    const conversation = await open();
    for (const id of ['a', 'b']) await check(conversation, { ...HELD, id });
    const third = await check(conversation);
    expect(third.result).toMatch(STOP);
    expect(conversation.pending().at(-1)).toBe(third);
    await conversation.approve(third, { by: 'ann' });
    expect((await check(conversation)).outcome).toBe('allow');
  });

  it('gives the model a text that is not recorded as content when it comes back', async () => {
    const { open, check } = world();
    const conversation = await open();
    for (const id of ['a', 'b']) await check(conversation, { ...HELD, id });
    const { result, call } = await check(conversation);
    const [shown] = await conversation.render([{ type: 'result', id: call.id, content: result }]);
    expect(shown).toBeUndefined();
  });
});

describe('calls that wait for the same reason', () => {
  const mail = (body: string) => ({ to: 'FR11-2044', body });
  const held = async () => {
    const made = world({ gate: { preset: 'strict' } });
    const conversation = await made.open();
    const hold = (given: unknown, tool = 'sendMail') => made.check(conversation, given, tool);
    return { ...made, conversation, hold };
  };

  it('are one question: the latest', async () => {
    const { conversation, hold } = await held();
    await hold(mail('One'));
    const other = await hold({ to: 'FR11-2055', body: 'One' });
    const second = await hold(mail('Two'));
    expect(conversation.pending()).toEqual([other, second]);
  });

  it('can each be approved by the id of the call, as the person saw it', async () => {
    const { conversation, hold } = await held();
    const first = await hold(mail('One'));
    await hold(mail('Two'));
    await conversation.approve(first.call.id, { by: 'ann' });
    expect((await hold(mail('Two'))).outcome).toBe('ask');
    expect((await hold(mail('One'))).outcome).toBe('allow');
  });

  it('are all settled by one answer', async () => {
    const { conversation, hold } = await held();
    await hold(mail('One'));
    const second = await hold(mail('Two'));
    await conversation.approve(second, { by: 'ann', scope: 'task' });
    expect((await hold(mail('Three'))).outcome).toBe('allow');
    expect(conversation.pending()).toEqual([]);
    await hold({ to: 'FR11-2055', body: 'One' });
    const call = { id: 'x', tool: 'sendMail', arguments: { to: 'FR11-2055', body: 'Two' } };
    await conversation.check(call, { ask: () => undefined });
    expect(conversation.pending()).toEqual([]);
  });
});
