import { describe, expect, it } from 'vitest';
import { memoryApprovalStore } from '../../src/approval/approval-store.ts';
import { memoryHeldStore } from '../../src/approval/held-store.ts';
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
