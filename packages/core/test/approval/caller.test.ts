import { describe, expect, it } from 'vitest';
import { type ApprovalStore, type Conversation, type Decision, SallyportError } from '../../src/index.ts';
import { memoryApprovalStore } from '../../src/stages.ts';
import { HELD, world } from '../gate/approval-world.ts';

describe('a call that another conversation makes', () => {
  let calls = 0;
  const checkFor = (shared: Conversation, caller?: string): Promise<Decision> =>
    shared.check(
      { id: `call-${++calls}`, tool: 'order', arguments: HELD },
      { record: false, ...(caller !== undefined && { conversation: caller }) },
    );

  it.each([
    { scope: 'task', other: 'ask' },
    { scope: 'conversation', other: 'ask' },
    { scope: 'always', other: 'allow' },
  ] as const)('is covered by an approval of scope $scope; the same call of a third one: $other', async (row) => {
    const shared = await world().open('shared', 'ann');
    await shared.approve(await checkFor(shared, 'one'), { by: 'ann', scope: row.scope });
    expect((await checkFor(shared, 'one')).outcome).toBe('allow');
    expect((await checkFor(shared, 'two')).outcome).toBe(row.other);
    expect((await checkFor(shared)).outcome).toBe(row.other);
  });
});

describe('a held call', () => {
  it('is found by an approval that another process keeps under its key', async () => {
    const store = memoryApprovalStore();
    const { open, check, outcome } = world({ approvals: store });
    const conversation = await open('c', 'ann');
    const { keys, values } = conversation.heldCall(await check(conversation));
    expect(Object.keys(keys)).toEqual(['once', 'task', 'conversation', 'always']);
    expect(values).toEqual([{ path: '/account', value: 'FR11-2044' }]);
    const about = { id: 'x', scope: 'always', conversation: 'c', owner: 'ann', tool: 'order', values: [] } as const;
    await store.add({ ...about, key: keys.always as string, rule: 'requested', by: 'bob', created: 0 });
    expect(await outcome(conversation)).toBe('allow');
    expect(await outcome(await open('d', 'ann'))).toBe('allow');
    expect(await outcome(await open('e', 'eve'))).toBe('ask');
    expect(await outcome(conversation, { account: 'FR11-2055' })).toBe('ask');
  });

  it('must be one of this conversation', async () => {
    const { open, check } = world();
    const [one, two] = [await open('one'), await open('two')];
    const decision = await check(one);
    expect(() => two.heldCall(decision)).toThrow(SallyportError);
  });

  it('is shown to the store that is asked for an approval', async () => {
    const seen: unknown[] = [];
    const memory = memoryApprovalStore();
    const approvals: ApprovalStore = {
      ...memory,
      take: (keys, now, decision) => {
        seen.push([decision?.call.tool, decision?.outcome]);
        return memory.take(keys, now);
      },
    };
    const { open, check } = world({ approvals });
    const conversation = await open();
    await check(conversation);
    expect((await check(conversation, {}, 'readMail')).outcome).toBe('allow');
    expect(seen).toEqual([['order', 'ask']]);
  });
});
