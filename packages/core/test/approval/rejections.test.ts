import { describe, expect, it } from 'vitest';
import { memoryApprovalStore } from '../../src/approval/approval-store.ts';
import { memoryHeldStore } from '../../src/approval/held-store.ts';
import type { BoundaryOptions } from '../../src/index.ts';
import { HELD, world } from '../gate/approval-world.ts';

const PLACE = { conversation: 'c' };
const CALL = { id: 'p', tool: 'order', arguments: HELD };

/** A call that a person rejected in another process. */
async function rejectedCall() {
  const stores = { approvals: memoryApprovalStore(), held: memoryHeldStore() };
  const { boundary, open, events } = world(stores);
  await (await open()).check(CALL);
  const [held] = await boundary.pending(PLACE);
  await boundary.settle(held?.id ?? '', { outcome: 'reject', by: 'ann' });
  return { boundary, events, conversation: await open() };
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
    expect((await conversation.check({ ...CALL, id: 'q' })).outcome).toBe('allow');
  });

  it('is not made if it was declined in the approval of the framework', async () => {
    const conversation = await world().open();
    await conversation.check(CALL);
    await conversation.decline('p');
    conversation.trustValue({ value: HELD.account, tool: 'order', by: 'ben' });
    expect((await conversation.check(CALL)).rule).toBe('rejected');
  });

  it('is not made if the adviser would allow it', async () => {
    let fits = false;
    const advise = async () => ({ fits, reason: 'Ann.' });
    const { boundary, open } = world({ adviser: { advise, settles: ['write'] } });
    await (await open()).check(GIFT);
    const [held] = await boundary.pending(PLACE);
    await boundary.settle(held?.id ?? '', { outcome: 'reject', by: 'ann' });
    fits = true;
    const conversation = await open();
    expect((await conversation.check({ ...GIFT, arguments: { account: 'FR11-2055' } })).rule).toBe('advised');
    for (const id of ['p', 'q']) expect((await conversation.check({ ...GIFT, id })).rule).toBe('rejected');
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

  it('leaves other calls allowed if the store fails, and says so', async () => {
    const held = { ...memoryHeldStore(), get: () => Promise.reject(new TypeError('down')) };
    const { open, events } = world({ held });
    const conversation = await open();
    expect((await conversation.check({ id: 'r', tool: 'readMail', arguments: {} })).outcome).toBe('allow');
    expect(events).toContainEqual({ type: 'approvals-failed', operation: 'hold', callId: 'r', cause: 'TypeError' });
  });
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

  it('reports a store that fails, and leaves the call held', async () => {
    const failing = memoryHeldStore();
    const { open, events } = world({ held: { ...failing, list: () => Promise.reject(new TypeError('down')) } });
    await (await open()).decline('p');
    expect(events).toContainEqual({ type: 'approvals-failed', operation: 'hold', callId: 'p', cause: 'TypeError' });
  });
});
