import { describe, expect, it } from 'vitest';
import { memoryApprovalStore } from '../../src/approval/approval-store.ts';
import { type HeldCall, type HeldStore, memoryHeldStore } from '../../src/approval/held-store.ts';
import { type BoundaryOptions, defineTool, type Settlement } from '../../src/index.ts';
import { HELD, world } from '../gate/approval-world.ts';
import { TOOLS } from '../world.ts';

/** Two processes that share their stores. */
function processes(given: BoundaryOptions = {}) {
  const stores = { approvals: memoryApprovalStore(), held: memoryHeldStore() };
  return [world({ ...stores, ...given }), world({ ...stores, ...given })] as const;
}

const DENIED = { account: 'eve@evil.example' };

describe('a call that waits for a person', () => {
  it('is listed in every process, as plain JSON', async () => {
    const [agent, page] = processes();
    const decision = await agent.check(await agent.open('c', 'ann'));
    const [held, ...others] = await page.boundary.pending({ conversation: 'c' });
    expect(others).toEqual([]);
    expect(held).toMatchObject({
      conversation: 'c',
      owner: 'ann',
      decision: { outcome: 'ask', reason: decision.reason },
    });
    expect(held?.values).toEqual([{ path: '/account', value: 'FR11-2044' }]);
    expect(JSON.parse(JSON.stringify(held))).toEqual(held);
  });

  it('is listed without its secrets, which the agent alone has', async () => {
    const { boundary, open, check } = world({
      tools: [...TOOLS, defineTool({ name: 'login', effect: 'send', roles: { pin: 'secret', to: 'recipient' } })],
    });
    const decision = await check(
      await open(),
      { to: 'FR11-2044', pin: '4077-88', list: [{ password: 'hunter22' }] },
      'login',
    );
    expect(decision.outcome).toBe('ask');
    const listed = JSON.stringify(await boundary.pending({}));
    expect(listed).toContain('FR11-2044');
    for (const secret of ['4077', 'hunter22']) expect(listed).not.toContain(secret);
    expect(decision.call.argumentsJson).toContain('4077-88');
  });

  it('is listed by conversation, by owner, or with all others', async () => {
    const { boundary, open, check } = world();
    await check(await open('c', 'ann'));
    await check(await open('d', 'ann'));
    await check(await open('e', 'ben'));
    const count = async (place: Parameters<typeof boundary.pending>[0]) => (await boundary.pending(place)).length;
    expect([await count({ conversation: 'c' }), await count({ owner: 'ann' }), await count({})]).toEqual([1, 2, 3]);
  });

  it.each([
    { title: 'no place', place: undefined },
    { title: 'an owner that is undefined, as before a login', place: { owner: undefined } },
    { title: 'an owner without a name', place: { owner: '' } },
    { title: 'a conversation that is a number', place: { conversation: 7 } },
    { title: 'a misspelt option', place: { user: 'ann' } },
  ])('is not listed to $title', async ({ place }) => {
    const { boundary, open, check } = world();
    await check(await open('c', 'ann'));
    await expect(boundary.pending(place as never)).rejects.toThrow(/pending\(\)/);
  });

  it.each(['once', 'task', 'conversation', 'always'] as const)('is approved in another process: %s', async (scope) => {
    const [agent, page] = processes();
    const conversation = await agent.open('c', 'ann');
    await agent.check(conversation);
    const [held] = (await page.boundary.pending({})) as [HeldCall];
    expect(await page.boundary.settle(held.id, { outcome: 'approve', by: 'ann', scope })).toBe(true);
    expect(await page.boundary.pending({})).toEqual([]);
    expect(await agent.outcome(conversation)).toBe('allow');
    const next = { once: 'ask', task: 'allow', conversation: 'allow', always: 'allow' }[scope];
    expect(await agent.outcome(conversation)).toBe(next);
    // The agent may go on in a third process, which reads the same history.
    expect(await page.outcome(await page.open('c', 'ann'))).toBe(next);
  });

  it('is rejected in another process, and the model is told so once', async () => {
    const [agent, page] = processes();
    const conversation = await agent.open();
    const call = { id: 'p', tool: 'order', arguments: HELD };
    await conversation.check(call);
    const [held] = (await page.boundary.pending({})) as [HeldCall];
    expect(await page.boundary.settle(held.id, { outcome: 'reject', by: 'ann', note: 'Who is this?' })).toBe(true);
    expect(await page.boundary.pending({})).toEqual([]);
    const decision = await conversation.check(call);
    expect([decision.outcome, decision.rule, decision.scopes]).toEqual(['deny', 'rejected', []]);
    expect(decision.result).toContain('a person was asked and has declined it');
    expect(JSON.stringify(decision)).not.toContain('Who is this?');
    expect(agent.events).toContainEqual({ type: 'declined', callId: 'p', tool: 'order' });
    // A framework may check one call several times, and a model may make it again: it stays rejected until the user says more.
    expect((await conversation.check(call)).outcome).toBe('deny');
    expect((await conversation.check({ ...call, id: 'q' })).outcome).toBe('deny');
  });

  it('no longer waits after it was answered in the process that runs the agent', async () => {
    const [agent, page] = processes();
    const conversation = await agent.open();
    for (const ask of [() => undefined, () => ({ by: 'ann' })]) {
      await conversation.check({ id: 'p', tool: 'order', arguments: HELD }, { ask });
      expect(await page.boundary.pending({})).toEqual([]);
    }
  });

  it('is approved once, even if two people approve it at the same time', async () => {
    const { boundary, open, check, outcome } = world();
    const conversation = await open();
    await check(conversation);
    const [held] = (await boundary.pending({})) as [HeldCall];
    await Promise.all(['ann', 'ben'].map((by) => boundary.settle(held.id, { outcome: 'approve', by })));
    expect([await outcome(conversation), await outcome(conversation)]).toEqual(['allow', 'ask']);
  });

  it('has no excerpt that repeats a secret, and no arguments of which too many are unread', async () => {
    const login = defineTool({ name: 'login', effect: 'configure', roles: { password: 'secret' } });
    const { boundary } = world({ tools: [...TOOLS, login] });
    const conversation = boundary.conversation('s');
    conversation.addUserMessage('Read the mail.');
    conversation.recordCall({ id: 'm', tool: 'readMail', arguments: {} });
    conversation.addToolResult({ id: 'm', tool: 'readMail', content: 'Set user ann77 password hunter2-xyz.' });
    await conversation.request();
    const given = { username: 'ann77', password: 'hunter2-xyz' };
    const many = Array.from({ length: 1500 }, (_, index) => `v${index}`);
    for (const [id, more] of [
      ['a', {}],
      ['b', { many }],
    ] as const)
      await conversation.check({ id, tool: 'login', arguments: { ...more, ...given } });
    const listed = await boundary.pending({});
    expect(listed).toHaveLength(2);
    expect(JSON.stringify(listed)).not.toContain('hunter2');
  });

  it('has no digest from which a secret could be guessed', async () => {
    const login = defineTool({ name: 'login', effect: 'send', roles: { pin: 'secret', to: 'recipient' } });
    const ids = ['4831', '0000'].map(async (pin) => {
      const { boundary, open } = world({ tools: [...TOOLS, login] });
      await (await open()).check({ id: 'p', tool: 'login', arguments: { to: 'FR11-2044', pin } });
      const [held] = (await boundary.pending({})) as [HeldCall];
      expect(held).not.toHaveProperty('keys');
      return held.id;
    });
    const [one, other] = await Promise.all(ids);
    expect(one).toBe(other);
  });

  it('is answered once: later answers find nothing', async () => {
    const { boundary, open, check } = world();
    await check(await open());
    const [held] = (await boundary.pending({})) as [HeldCall];
    const reject: Settlement = { outcome: 'reject', by: 'ann' };
    expect(await boundary.settle(held.id, reject)).toBe(true);
    expect(await boundary.settle(held.id, { outcome: 'approve', by: 'ann' })).toBe(false);
    expect(await boundary.settle('unknown', reject)).toBe(false);
  });

  it('is not approved by an answer about other arguments', async () => {
    const { boundary, open, check, outcome } = world();
    const conversation = await open();
    await check(conversation);
    const [held] = (await boundary.pending({})) as [HeldCall];
    await boundary.settle(held.id, { outcome: 'approve', by: 'ann' });
    expect(await outcome(conversation, { account: 'FR11-2055' })).toBe('ask');
  });

  it.each([
    { title: 'no outcome', answer: { by: 'ann' }, message: "`outcome` must be 'approve' or 'reject'" },
    { title: 'nobody', answer: { outcome: 'reject' }, message: '`by` must name the person' },
    { title: 'nobody who approves', answer: { outcome: 'approve' }, message: '`by` must name the person' },
    { title: 'a misspelt option', answer: { outcome: 'reject', by: 'ann', notes: 'x' }, message: 'notes' },
    {
      title: 'a scope that the conversation has no owner for',
      answer: { outcome: 'approve', by: 'ann', scope: 'always' },
      message: 'applies to an owner',
    },
  ])('is not answered by $title', async ({ answer, message }) => {
    const { boundary, open, check } = world();
    await check(await open());
    const [held] = (await boundary.pending({})) as [HeldCall];
    await expect(boundary.settle(held.id, answer as Settlement)).rejects.toThrow(message);
    expect(await boundary.pending({})).toHaveLength(1);
  });
});

describe('a call that was denied', () => {
  it('is overridden in another process by a person who has seen the evidence', async () => {
    const [agent, page] = processes();
    const conversation = await agent.open();
    expect(await agent.outcome(conversation, DENIED)).toBe('deny');
    const [held] = (await page.boundary.pending({})) as [HeldCall];
    expect(held.decision.outcome).toBe('deny');
    const settle = (given: object) => page.boundary.settle(held.id, { outcome: 'approve', by: 'ann', ...given });
    await expect(settle({})).rejects.toThrow('Show the person the evidence');
    await expect(settle({ acknowledge: true, scope: 'task' })).rejects.toThrow('overrides a denial once');
    expect(await settle({ acknowledge: true })).toBe(true);
    expect(await agent.outcome(conversation, DENIED)).toBe('allow');
    expect(await agent.outcome(conversation, DENIED)).toBe('deny');
  });
});

describe('a store of held calls', () => {
  it('that fails leaves the call held, and says so', async () => {
    const failing: HeldStore = { ...memoryHeldStore(), put: () => Promise.reject(new RangeError('full')) };
    const { events, open, outcome } = world({ held: failing });
    expect(await outcome(await open())).toBe('ask');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'approvals-failed', operation: 'hold', cause: 'RangeError' }),
    );
  });

  it('must have its methods', () => {
    expect(() => world({ held: {} as HeldStore })).toThrow('`held` must have the methods put, get, list and delete.');
  });

  it('in memory forgets the oldest when it is full', async () => {
    const { boundary, open, check } = world({ held: memoryHeldStore(2) });
    const conversation = await open();
    for (const account of ['FR11-2044', 'FR11-2055', 'FR11-2044']) await check(conversation, { account });
    expect(await boundary.pending({})).toHaveLength(2);
  });
});
