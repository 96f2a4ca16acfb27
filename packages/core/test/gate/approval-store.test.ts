import { describe, expect, it } from 'vitest';
import { type ApprovalStore, createBoundary, type StoredApproval } from '../../src/index.ts';
import { memoryApprovalStore } from '../../src/stages.ts';
import { DAY, HELD, world } from './approval-world.ts';

describe('the list of approvals', () => {
  it('has what the person saw, and only what applies here', async () => {
    const { open, check, time } = world();
    const conversation = await open('c', 'ann');
    const other = await open('other', 'bob');
    await conversation.approve(await check(conversation, { ...HELD, pin: '4711' }), { by: 'ann', scope: 'task' });
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'always', uses: 3 });
    await conversation.approve(await check(conversation, { account: 'FR11-2055' }), { by: 'ann', until: 2000 });
    expect(await conversation.approvals()).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{16,}$/),
        key: expect.stringMatching(/^[0-9a-f]{64}$/),
        scope: 'task',
        conversation: 'c',
        tool: 'order',
        values: [
          { path: '/account', value: 'FR11-2044' },
          { path: '/pin', value: '(secret)' },
        ],
        rule: 'disclosure',
        by: 'ann',
        created: 1000,
        until: 1000 + DAY,
      },
      expect.objectContaining({
        scope: 'always',
        owner: 'ann',
        uses: 3,
        values: [{ path: '/account', value: 'FR11-2044' }],
      }),
      expect.objectContaining({ scope: 'once', cell: 'spend, content', until: 2000, uses: 1 }),
    ]);
    expect(await other.approvals()).toEqual([]);
    expect(await (await open('later', 'ann')).approvals()).toMatchObject([{ scope: 'always' }]);
    time.now = 2000;
    expect(await conversation.approvals()).toHaveLength(2);
    const listed = await conversation.approvals();
    expect(JSON.parse(JSON.stringify(listed))).toEqual(listed);
  });

  it('loses what a person revokes', async () => {
    const { open, check, outcome, events } = world();
    const conversation = await open('c', 'ann');
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'always' });
    const [{ id } = { id: '' }] = await conversation.approvals();
    const other = await open('other', 'bob');
    expect(await other.revoke(id)).toBe(false);
    expect(await outcome(conversation)).toBe('allow');
    expect(await conversation.revoke(id)).toBe(true);
    expect(await outcome(conversation)).toBe('ask');
    expect(await conversation.revoke(id)).toBe(false);
    expect(events).toContainEqual({ type: 'revoked', approvalId: id, scope: 'always', tool: 'order' });
  });

  it('is reported when an approval is given and when it is used', async () => {
    const { open, check, outcome, events } = world();
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'conversation' });
    await outcome(conversation);
    const [{ id: approvalId } = { id: '' }] = await conversation.approvals();
    expect(events).toContainEqual({
      type: 'endorsed',
      what: 'call',
      approvalId,
      scope: 'conversation',
      by: 'ann',
      until: 1000 + DAY,
      tool: 'order',
      callId: 'c1',
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'decided', callId: 'c2', outcome: 'allow', rule: 'approved', approvalId }),
    );
  });
});

describe('a store', () => {
  const failing = (operation: keyof ApprovalStore, how: 'throws' | 'rejects'): ApprovalStore => ({
    ...memoryApprovalStore(),
    [operation]: () => {
      if (how === 'throws') throw new RangeError('secret words');
      return Promise.reject(new RangeError('secret words'));
    },
  });

  it.each(['throws', 'rejects'] as const)('that %s leaves the call held, and an event names the cause', async (how) => {
    const { open, check, events } = world({ approvals: failing('take', how) });
    const conversation = await open();
    const decision = await check(conversation);
    await conversation.approve(decision, { by: 'ann', scope: 'conversation' });
    expect((await check(conversation)).outcome).toBe('ask');
    const failed = { type: 'approvals-failed', operation: 'take', callId: 'c2', cause: 'RangeError' };
    expect(events).toContainEqual(failed);
  });

  it.each(['throws', 'rejects'] as const)('that %s when it adds gives no approval', async (how) => {
    const { open, check, outcome, events } = world({ approvals: failing('add', how) });
    const conversation = await open();
    const decision = await check(conversation);
    await expect(conversation.approve(decision, { by: 'ann' })).rejects.toThrow(/secret words/);
    expect(await outcome(conversation)).toBe('ask');
    const asked = await conversation.check({ id: 'x', tool: 'order', arguments: HELD }, { ask: () => ({ by: 'ann' }) });
    expect(asked.outcome).toBe('ask');
    expect(events).toContainEqual({ type: 'approvals-failed', operation: 'add', callId: 'x', cause: 'RangeError' });
    expect(events).not.toContainEqual(expect.objectContaining({ type: 'endorsed' }));
  });

  it.each<{ title: string; change: (approval: StoredApproval) => unknown }>([
    { title: 'that has expired', change: (approval) => ({ ...approval, until: 1000 }) },
    { title: 'that is used up', change: (approval) => ({ ...approval, uses: 0 }) },
    { title: 'of another key', change: (approval) => ({ ...approval, key: 'x' }) },
    { title: 'that is not an object', change: () => 'yes' },
    { title: 'that is null', change: () => null },
  ])('is not believed about an approval $title', async ({ change }) => {
    const memory = memoryApprovalStore();
    const approvals: ApprovalStore = {
      ...memory,
      take: async (keys, now) => {
        const taken = await memory.take(keys, now);
        return taken && (change(taken) as StoredApproval);
      },
    };
    const { open, check, outcome } = world({ approvals });
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'conversation' });
    expect(await outcome(conversation)).toBe('ask');
  });

  it('that answers later is waited for', async () => {
    const memory = memoryApprovalStore();
    const slow = <Result>(result: Result) => new Promise<Result>((resolve) => setTimeout(() => resolve(result), 1));
    const approvals: ApprovalStore = {
      take: async (keys, now) => slow(memory.take(keys, now)),
      add: async (approval) => slow(memory.add(approval)),
      list: async (place) => slow(memory.list(place)),
      revoke: async (id) => slow(memory.revoke(id)),
    };
    const { open, check, outcome } = world({ approvals });
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'conversation', uses: 1 });
    expect(await conversation.approvals()).toHaveLength(1);
    expect(await outcome(conversation)).toBe('allow');
    expect(await outcome(conversation)).toBe('ask');
  });

  it('must have four methods', () => {
    const approvals = { take: () => undefined } as never;
    expect(() => createBoundary({ approvals })).toThrow(/`approvals` must have the methods take, add, list and revoke/);
  });

  it('in memory keeps the latest approvals', async () => {
    const { open, check, outcome } = world({ approvals: memoryApprovalStore(1) });
    const conversation = await open();
    await conversation.approve(await check(conversation), { by: 'ann', scope: 'conversation' });
    await conversation.approve(await check(conversation, { account: 'FR11-2055' }), { by: 'ann', scope: 'task' });
    expect(await outcome(conversation)).toBe('ask');
    expect(await outcome(conversation, { account: 'FR11-2055' })).toBe('allow');
  });
});

describe('the owner of a conversation', () => {
  it.each([{ owner: '' }, { owner: 7 }, { owns: 'ann' }, { project: '' }, null])('must be a name: %j', (options) => {
    expect(() => createBoundary().conversation('c', options as never)).toThrow(/owner|project/);
  });
});
