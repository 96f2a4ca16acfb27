import { describe, expect, it } from 'vitest';
import { memoryApprovalStore } from '../../src/approval/approval-store.ts';
import { memoryHeldStore } from '../../src/approval/held-store.ts';
import { isRefusal } from '../../src/gate/settled.ts';
import type { BoundaryOptions } from '../../src/index.ts';
import { DAY, HELD, world } from '../gate/approval-world.ts';

const ANSWER = { act: true, target: true, careful: false, reason: 'Ann.' };
const PLACE = { conversation: 'c' };
const CALL = { id: 'p', tool: 'order', arguments: HELD };

/** A call that a person rejected in another process. */
async function rejectedCall() {
  const stores = { approvals: memoryApprovalStore(), held: memoryHeldStore() };
  const { boundary, open, events, time } = world(stores);
  await (await open()).check(CALL);
  const [waiting] = await boundary.pending(PLACE);
  await boundary.settle(waiting?.id ?? '', { outcome: 'reject', by: 'ann' });
  return { boundary, events, time, conversation: await open(), held: stores.held };
}

const ROWS = [
  { title: 'the same call', payload: CALL, expected: 'deny rejected' },
  { title: 'the same call under another id', payload: { ...CALL, id: 'q' }, expected: 'deny rejected' },
  {
    title: 'not a call with other arguments',
    payload: { ...CALL, id: 'q', arguments: { account: 'FR11-2055' } },
    expected: 'ask content',
  },
];

describe('a rejection in another process', () => {
  it.each(ROWS)('covers $title', async ({ payload, expected }) => {
    const { conversation } = await rejectedCall();
    const { outcome, rule } = await conversation.check(payload);
    expect(`${outcome} ${outcome === 'deny' ? rule : 'content'}`).toBe(expected);
  });

  it('holds for a call that is checked again before it is made', async () => {
    const { conversation, events } = await rejectedCall();
    for (let check = 0; check < 3; check++) expect((await conversation.check(CALL)).rule).toBe('rejected');
    expect(events.filter((event) => JSON.stringify(event).includes('declined'))).toHaveLength(1);
  });

  it('covers two calls that differ in the text of the model, in any order and in any process', async () => {
    const { boundary, conversation } = await rejectedCall();
    expect((await conversation.check({ ...CALL, id: 'q' })).rule).toBe('rejected');
    expect((await conversation.check(CALL, { ask: () => ({ by: 'ann' }) })).rule).toBe('rejected');
    expect(await boundary.pending(PLACE)).toEqual([]);
  });

  it('ends after 24 hours, and is then deleted from the store', async () => {
    const { boundary, conversation, held, time } = await rejectedCall();
    time.now += DAY + 1;
    expect((await conversation.check({ ...CALL, id: 'q' })).outcome).toBe('ask');
    expect(await boundary.pending(PLACE)).toMatchObject([{ decision: { call: { id: 'q' } } }]);
    expect((await held.list(PLACE)).filter(({ rejection }) => rejection !== undefined)).toEqual([]);
  });

  it('holds until then', async () => {
    const { conversation, time } = await rejectedCall();
    time.now += DAY;
    expect((await conversation.check({ ...CALL, id: 'q' })).rule).toBe('rejected');
  });

  it('ends with the next message of the user', async () => {
    const { conversation } = await rejectedCall();
    conversation.addUserMessage('Ask me again.');
    await conversation.request();
    expect((await conversation.check({ ...CALL, id: 'q' })).outcome).toBe('ask');
  });
});

describe('a rejected call that would be allowed by now', () => {
  // A value that is in no text is the model's own, which may be given away.
  const GIFT = { ...CALL, tool: 'giveAway' };

  /** The same conversation in a process that was shown less: the mail with the account is missing. */
  async function lessKnown(given: BoundaryOptions = {}, id = 'c') {
    const stores = { approvals: memoryApprovalStore(), held: memoryHeldStore() };
    const { boundary, open, events } = world({ ...stores, ...given });
    const { reason } = await (await open()).check(GIFT);
    const [held] = await boundary.pending(PLACE);
    await boundary.settle(held?.id ?? '', { outcome: 'reject', by: 'ann' });
    const conversation = boundary.conversation(id);
    conversation.addUserMessage('Read the mail, then order lamps and mail bob.');
    await conversation.request();
    return { conversation, events, reason };
  }

  it.each([
    { title: 'is not made', payload: GIFT, expected: 'deny rejected' },
    { title: 'says nothing of another call id', payload: { ...GIFT, id: 'q' }, expected: 'allow' },
    {
      title: 'says nothing of other arguments',
      payload: { ...GIFT, arguments: { account: 'FR11-2055' } },
      expected: 'allow',
    },
    { title: 'says nothing of another conversation', payload: GIFT, place: 'd', expected: 'allow' },
  ])('$title', async ({ payload, place, expected }) => {
    const { conversation } = await lessKnown({}, place);
    const { outcome, rule } = await conversation.check(payload);
    expect(outcome === 'deny' ? `deny ${rule}` : outcome).toBe(expected);
  });

  it('tells why it was held, and is reported once', async () => {
    const { conversation, events, reason } = await lessKnown();
    for (let check = 0; check < 3; check++)
      expect(await conversation.check(GIFT)).toMatchObject({
        ...{ outcome: 'deny', judged: 'allow', rule: 'rejected' },
        reason: `A person rejected this call. It was held because: ${reason}`,
      });
    expect(events.filter((event) => JSON.stringify(event).includes('declined'))).toHaveLength(1);
  });

  it('is not made after the next message of the user, who may ask for it with another call', async () => {
    const { conversation } = await lessKnown();
    conversation.addUserMessage('Give it to the account FR11-2044.');
    await conversation.request();
    expect((await conversation.check(GIFT)).rule).toBe('rejected');
    expect((await conversation.check({ ...GIFT, id: 'q' })).outcome).toBe('allow');
  });

  it('is not made if someone vouches for its value', async () => {
    const { conversation } = await rejectedCall();
    conversation.trustValue({ value: HELD.account, tool: 'order', by: 'ben' });
    expect((await conversation.check(CALL)).rule).toBe('rejected');
    expect((await conversation.check({ ...CALL, id: 'q' })).rule).toBe('alarm');
  });

  it('is not made if it was declined in the approval of the framework', async () => {
    const conversation = await world().open();
    await conversation.check(CALL);
    await conversation.decline('p');
    conversation.trustValue({ value: HELD.account, tool: 'order', by: 'ben' });
    expect((await conversation.check(CALL)).rule).toBe('rejected');
  });

  it('is not made if the judge would allow it', async () => {
    let fits = false;
    const { boundary, open } = world({ judge: () => ({ ...ANSWER, act: fits }) });
    await (await open()).check(GIFT);
    const [held] = await boundary.pending(PLACE);
    await boundary.settle(held?.id ?? '', { outcome: 'reject', by: 'ann' });
    fits = true;
    const conversation = await open();
    expect((await conversation.check({ ...GIFT, arguments: { account: 'FR11-2055' } })).rule).toBe('judge');
    expect((await conversation.check(GIFT)).rule).toBe('rejected');
  });

  it('is made if a person approves the same values later', async () => {
    const { boundary, conversation } = await rejectedCall();
    conversation.addUserMessage('Ask me again.');
    await conversation.request();
    await conversation.check({ ...CALL, id: 'q' });
    const [held] = await boundary.pending(PLACE);
    await boundary.settle(held?.id ?? '', { outcome: 'approve', by: 'ann', scope: 'conversation' });
    expect((await conversation.check(CALL)).rule).toBe('approved');
  });

  it.each([
    { title: 'that the rules allow', payload: { ...GIFT, id: 'r' }, options: {} },
    {
      title: 'that the judge would allow',
      payload: { ...GIFT, id: 'r' },
      options: { judge: () => ANSWER },
      isKnown: true,
    },
    {
      title: 'that only reads, with a rule of its own',
      payload: { id: 'r', tool: 'readMail', arguments: {} },
      options: { gate: { rules: { quiet: () => undefined } } },
    },
  ] satisfies { title: string; payload: object; options: BoundaryOptions; isKnown?: boolean }[])(
    'denies a call $title while the store cannot be read, and says so',
    async ({ payload, options, isKnown }) => {
      const memory = memoryHeldStore();
      let isDown = true;
      const down = async () => {
        if (isDown) throw new TypeError('down');
      };
      const held = {
        ...memory,
        get: (id: string) => down().then(() => memory.get(id)),
        list: (place: object) => down().then(() => memory.list(place)),
      };
      const { boundary, open, events } = world({ held, ...options });
      const conversation = isKnown ? await open() : boundary.conversation('c');
      conversation.addUserMessage('Order lamps.');
      await conversation.request();
      const decision = await conversation.check(payload);
      expect(decision).toMatchObject({
        ...{ outcome: 'deny', rule: 'store-failed', scopes: [] },
        reason:
          'The store of held calls could not be read (TypeError), so a person may have rejected this call before.',
        result: expect.stringContaining('the record of rejected calls could not be read. Try again later.'),
      });
      expect(isRefusal(decision.result)).toBe(true);
      expect(events).toContainEqual({ type: 'approvals-failed', operation: 'hold', callId: 'r', cause: 'TypeError' });
      isDown = false;
      expect((await conversation.check(payload)).outcome).toBe('allow');
    },
  );

  it.each([
    { title: 'a call that a person approved', options: {}, given: { by: 'ann' } },
    { title: 'any call if the gate only observes', options: { gate: { observe: true } }, given: undefined },
  ] satisfies { title: string; options: BoundaryOptions; given: object | undefined }[])(
    'allows $title while the store cannot be read',
    async ({ options, given }) => {
      const down = () => Promise.reject(new TypeError('down'));
      const { open } = world({ held: { put: down, get: down, list: down, delete: down }, ...options });
      const conversation = await open();
      const decision = await conversation.check(CALL);
      if (given !== undefined) await conversation.approve(decision, given);
      expect((await conversation.check(CALL)).outcome).toBe('allow');
    },
  );
});

describe('decline()', () => {
  it('ends the wait of a call, in every process, and is reported once', async () => {
    const { boundary, open, events } = world();
    const conversation = await open();
    await conversation.check(CALL);
    for (const _ of [1, 2]) await conversation.decline('p');
    expect(await boundary.pending(PLACE)).toEqual([]);
    expect(conversation.pending()).toEqual([]);
    expect(events.filter((event) => JSON.stringify(event).includes('declined'))).toEqual([
      { type: 'declined', callId: 'p', tool: 'order' },
    ]);
    expect((await conversation.check(CALL)).rule).toBe('rejected');
  });

  it('leaves other calls and other conversations', async () => {
    const { boundary, open } = world();
    for (const id of ['c', 'd']) await (await open(id)).check(CALL);
    await (await open('d')).decline('q');
    await (await open('c')).decline('p');
    expect((await boundary.pending({ conversation: 'd' })).length).toBe(1);
  });

  it('counts in this process even if the store fails', async () => {
    const memory = memoryHeldStore();
    let isDown = false;
    const list: typeof memory.list = async (place) => {
      if (isDown) throw new TypeError('down');
      return memory.list(place);
    };
    const conversation = await world({ held: { ...memory, list } }).open();
    await conversation.check(CALL);
    isDown = true;
    await conversation.decline('p');
    isDown = false;
    conversation.trustValue({ value: HELD.account, tool: 'order', by: 'ben' });
    expect((await conversation.check(CALL)).rule).toBe('rejected');
  });

  it('reports a store that fails, and leaves the call held', async () => {
    const failing = memoryHeldStore();
    const { open, events } = world({ held: { ...failing, list: () => Promise.reject(new TypeError('down')) } });
    await (await open()).decline('p');
    expect(events).toContainEqual({ type: 'approvals-failed', operation: 'hold', callId: 'p', cause: 'TypeError' });
  });
});
