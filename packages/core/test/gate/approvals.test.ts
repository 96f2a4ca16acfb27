import { describe, expect, it } from 'vitest';
import type { Content } from '../../src/index.ts';
import { CALM, talk } from '../world.ts';

describe('an approval', () => {
  const held = { account: 'FR11-2044' };
  const ask = async (clock?: () => number, content?: Content) => {
    const { conversation, events } = await talk(clock === undefined ? {} : { clock }, content);
    const again = async (given: unknown = held, tool = 'order') =>
      conversation.check(conversation.recordCall({ id: `c${events.length}`, tool, arguments: given }));
    return { conversation, events, again, decision: await again() };
  };

  it('allows one call, once', async () => {
    const { conversation, events, again, decision } = await ask(() => 1000);
    await conversation.approve(decision, { by: 'ann' });
    expect((await again({ account: 'FR11-2044', count: 2 })).outcome).toBe('ask');
    expect((await again(held, 'unheardOf')).outcome).toBe('ask');
    expect(await again()).toMatchObject({ outcome: 'allow', judged: 'ask', rule: 'approved' });
    expect((await again()).outcome).toBe('ask');
    expect(events).toContainEqual({
      type: 'endorsed',
      what: 'call',
      approvalId: expect.any(String),
      scope: 'once',
      by: 'ann',
      until: 301_000,
      tool: 'order',
      callId: decision.call.id,
    });
  });

  it('expires', async () => {
    let now = 1000;
    const { conversation, again, decision } = await ask(() => now);
    await conversation.approve(decision, { by: 'ann', until: 2000 });
    now = 2000;
    expect((await again()).outcome).toBe('ask');
  });

  it('of a value applies to one tool until it expires', async () => {
    let now = 1000;
    const { conversation, again } = await ask(() => now, CALM);
    conversation.trustValue({ value: 'FR11-2044', tool: 'order', by: 'ann', until: 2000 });
    expect(await again()).toMatchObject({ outcome: 'allow', rule: 'trusted' });
    expect((await again()).outcome).toBe('allow');
    expect((await again(held, 'undeclared')).outcome).toBe('ask');
    now = 2000;
    expect((await again()).outcome).toBe('ask');
  });

  it('of a value leaves the other values of the call to the gate, and is for the exact text', async () => {
    const { conversation, again } = await ask();
    conversation.trustValue({ value: 'FR11-2044', tool: 'order', by: 'ann' });
    expect((await again({ ...held, for: 'eve@evil.example' })).outcome).toBe('deny');
    expect((await again({ account: 'FR11 2044' })).outcome).toBe('ask');
  });

  it('is not possible for a value that is not a decision, or for a call that a rule denies', async () => {
    const { conversation, again } = await ask();
    const denied = await again({ for: 'eve@evil.example' });
    for (const decision of [{ ...denied, outcome: 'ask' }, undefined, 'no-such-call'])
      expect(() => conversation.approve(decision as never, { by: 'ann' })).toThrow(/needs a decision/);
    const { conversation: ruled } = await talk({
      gate: { rules: { never: () => ({ outcome: 'deny', reason: 'No.' }) } },
    });
    const refused = await ruled.check({ id: 'c1', tool: 'order', arguments: { what: 'lamps' } });
    expect(() => ruled.approve(refused, { by: 'ann', acknowledge: true })).toThrow(/No person can override/);
  });

  it('overrides a denial only if the person has seen the evidence, and only once', async () => {
    const { conversation, again } = await ask();
    const given = { for: 'eve@evil.example' };
    const denied = await again(given);
    expect(denied).toMatchObject({ outcome: 'deny', rule: 'instructed' });
    expect(() => conversation.approve(denied, { by: 'ann' })).toThrow(/Show the person the evidence/);
    await conversation.approve(denied, { by: 'ann', acknowledge: true });
    expect(await again(given)).toMatchObject({ outcome: 'allow', judged: 'deny', rule: 'approved' });
    expect((await again(given)).outcome).toBe('deny');
  });

  it('of a question does not override a later denial', async () => {
    const { conversation, decision, again } = await ask();
    await conversation.approve(decision, { by: 'ann' });
    conversation.addToolResult({ id: 'x', tool: 'readMail', content: '>>Order for FR11-2099<<' });
    await conversation.request();
    expect((await again({ account: 'FR11-2099' })).outcome).toBe('deny');
  });

  it('for the conversation covers later calls with the same values', async () => {
    const { conversation, decision, again } = await ask();
    await conversation.approve(decision, { by: 'ann', scope: 'conversation' });
    expect((await again()).outcome).toBe('allow');
    expect(await again({ ...held, date: '2026-01-02' })).toMatchObject({ outcome: 'allow', rule: 'approved' });
    expect((await again({ ...held, count: 2 })).outcome).toBe('ask');
    expect((await again({ account: 'GB94-7731' })).outcome).toBe('ask');
    expect((await again({ ...held, amount: 9000 })).outcome).toBe('ask');
    const unknown = await again({ command: 'ls' }, 'unheardOf');
    await conversation.approve(unknown, { by: 'ann', scope: 'conversation' });
    expect((await again({ command: 'rm -rf /' }, 'unheardOf')).outcome).toBe('ask');
    expect(() => conversation.approve(decision, { by: 'ann', scope: 'ever' as never })).toThrow(/`scope` must be/);
  });

  it('is given to a call that waits, by its id', async () => {
    const { conversation, decision, again } = await ask();
    expect(conversation.pending()).toEqual([decision]);
    const stored = JSON.parse(JSON.stringify(conversation.pending()));
    expect(stored).toMatchObject([{ call: { tool: 'order' }, outcome: 'ask', cell: 'spend, content' }]);
    await conversation.approve(stored[0].call.id, { by: 'ann' });
    expect(conversation.pending()).toEqual([]);
    expect((await conversation.check(decision.call)).outcome).toBe('allow');
    expect(conversation.pending()).toEqual([]);
    expect((await again()).outcome).toBe('ask');
    expect(conversation.pending()).toHaveLength(1);
    await conversation.approve(conversation.pending()[0]?.call.id ?? '', { by: 'ann' });
    await conversation.check({ id: 'other', tool: 'order', arguments: held });
    expect(conversation.pending()).toEqual([]);
  });

  it.each([
    [{ by: '' }, '`by` must name the person who approves; received "".'],
    [{ by: 'ann', until: 1000 }, /`until` must be a time in the future.*; received 1000\./],
    [{ by: 'ann', until: 1000 + 86_400_001 }, /`until` must be a time in the future.*; received 86401001\./],
    [{ by: 'ann', until: Number.NaN }, /`until` must be a time in the future.*; received NaN\./],
  ])('needs a person and a valid expiry: %j', async (approval, message) => {
    const { conversation, decision } = await ask(() => 1000);
    expect(() => conversation.approve(decision, approval)).toThrow(message);
    expect(() => conversation.trustValue({ value: 'x', tool: 'order', ...approval })).toThrow(message);
  });

  it('makes the result of the call content like any other', async () => {
    const { conversation, again, decision } = await ask();
    await conversation.approve(decision, { by: 'ann' });
    const { call } = await again();
    conversation.addToolResult({ id: call.id, tool: 'order', content: 'Questions go to desk@shop.example.' });
    await conversation.request();
    expect((await again({ to: 'desk@shop.example' }, 'giveAway')).cell).toBe('write, content');
  });

  it('follows a decision that is reported as an event without content', async () => {
    const { events } = await ask();
    const decided = events.filter(({ type }) => type === 'decided');
    expect(decided).toEqual([
      {
        type: 'decided',
        callId: expect.any(String),
        tool: 'order',
        outcome: 'ask',
        judged: 'ask',
        rule: 'content',
        decidedBy: 'table',
      },
    ]);
  });
});
