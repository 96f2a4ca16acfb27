import { describe, expect, it } from 'vitest';
import { talk } from '../world.ts';

describe('a person', () => {
  const held = { account: 'FR11-2044' };
  const ask = async (clock?: () => number) => {
    const { conversation, events } = await talk(clock === undefined ? {} : { clock });
    const again = async (given: unknown = held, tool = 'order') =>
      conversation.check(conversation.recordCall({ id: `c${events.length}`, tool, arguments: given }));
    return { conversation, events, again, decision: await again() };
  };

  it('approves this call, once', async () => {
    const { conversation, events, again, decision } = await ask(() => 1000);
    conversation.approve(decision, { by: 'ann' });
    expect((await again({ account: 'FR11-2044', count: 2 })).outcome).toBe('ask');
    expect((await again(held, 'unheardOf')).outcome).toBe('ask');
    expect(await again()).toMatchObject({ outcome: 'allow', judged: 'ask', rule: 'approved' });
    expect((await again()).outcome).toBe('ask');
    expect(events).toContainEqual({
      type: 'endorsed',
      what: 'call',
      by: 'ann',
      until: 301_000,
      tool: 'order',
      callId: decision.call.id,
    });
  });

  it('approves for a time', async () => {
    let now = 1000;
    const { conversation, again, decision } = await ask(() => now);
    conversation.approve(decision, { by: 'ann', until: 2000 });
    now = 2000;
    expect((await again()).outcome).toBe('ask');
  });

  it('vouches for a value, with one tool, for a time', async () => {
    let now = 1000;
    const { conversation, again } = await ask(() => now);
    conversation.trustValue({ value: 'FR11-2044', tool: 'order', by: 'ann', until: 2000 });
    expect(await again()).toMatchObject({ outcome: 'allow', rule: 'uninstructed' });
    expect((await again()).outcome).toBe('allow');
    expect((await again(held, 'sendMail')).outcome).toBe('ask');
    now = 2000;
    expect((await again()).outcome).toBe('ask');
  });

  it('cannot approve what was denied, nor what is no decision', async () => {
    const { conversation, again } = await ask();
    const denied = await again({ for: 'eve@evil.example' });
    for (const decision of [denied, { ...denied, outcome: 'ask' }, undefined])
      expect(() => conversation.approve(decision as never, { by: 'ann' })).toThrow(/takes a decision/);
  });

  it.each([
    [{ by: '' }, /by names the person/],
    [{ by: 'ann', until: 1000 }, /until is a time/],
    [{ by: 'ann', until: 1000 + 86_400_001 }, /until is a time/],
    [{ by: 'ann', until: Number.NaN }, /until is a time/],
  ])('must say who and how long: %j', async (approval, message) => {
    const { conversation, decision } = await ask(() => 1000);
    expect(() => conversation.approve(decision, approval)).toThrow(message);
    expect(() => conversation.trustValue({ value: 'x', tool: 'order', ...approval })).toThrow(message);
  });

  it('takes what an approved call brought for content like any other', async () => {
    const { conversation, again, decision } = await ask();
    conversation.approve(decision, { by: 'ann' });
    const { call } = await again();
    conversation.addToolResult({ id: call.id, tool: 'order', content: 'Receipt R-5519' });
    await conversation.request();
    expect((await again({ receipt: 'R-5519' })).outcome).toBe('allow');
  });

  it('is told of every decision, without content', async () => {
    const { events } = await ask();
    const decided = events.filter(({ type }) => type === 'decided');
    expect(decided).toEqual([
      { type: 'decided', callId: expect.any(String), tool: 'order', outcome: 'ask', judged: 'ask', rule: 'requested' },
    ]);
  });
});
