import { describe, expect, it } from 'vitest';
import { Gate } from '../src/gate.ts';
import { show } from '../src/show.ts';
import { ACCOUNT, EVIL, POISON, start } from './world.ts';

const chunk = (toolCallId: string, toolName: string, args: unknown) => ({
  type: 'tool-call',
  payload: { toolCallId, toolName, args },
});
const at = (toolCallId: string) => ({ agent: { toolCallId } });
const PAY = { account: ACCOUNT };

async function reading() {
  const conversation = start();
  const gate = new Gate(conversation, undefined);
  await show(conversation, [
    { role: 'system', content: 'You read mail.' },
    { role: 'user', content: [{ type: 'text', text: `Pay ${ACCOUNT}.` }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'r', toolName: 'read', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'r', toolName: 'read', output: { type: 'text', value: POISON } }],
    },
  ]);
  return { conversation, gate };
}

describe('an approval', () => {
  it('is for one run', async () => {
    const { gate } = await reading();
    gate.note([chunk('p', 'pay', PAY)]);
    expect(await gate.refusalOf('pay', PAY, at('p'))).toContain('it waits for the approval');
    expect(await gate.isHeld('pay', PAY, false)).toBe(true);
    expect(await gate.refusalOf('pay', PAY, at('p'))).toBeUndefined();
    expect(await gate.refusalOf('pay', PAY, at('p'))).toContain('it waits for the approval');
  });

  it('is void when the model uses the id again', async () => {
    const { gate } = await reading();
    gate.note([chunk('p', 'pay', PAY)]);
    await gate.isHeld('pay', PAY, false);
    gate.note([chunk('p', 'pay', { account: 'DE99' })]);
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('p'))).toContain('it waits for the approval');
    await gate.isHeld('pay', PAY, false);
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('p'))).toContain('it waits for the approval');
  });

  it('is for what was held: other arguments, and another tool, are asked about', async () => {
    const { gate } = await reading();
    gate.note([chunk('p', 'pay', PAY), chunk('q', 'pay', { account: 'DE99' }), chunk('m', 'mystery', PAY)]);
    await gate.isHeld('pay', PAY, false);
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('q'))).toContain('The call was not made');
    expect(await gate.refusalOf('mystery', PAY, at('m'))).toContain('The call was not made');
    expect(await gate.refusalOf('pay', PAY, at('p'))).toBeUndefined();
  });

  it('is found though the store has put the keys into another order', async () => {
    const { gate } = await reading();
    gate.note([chunk('p', 'pay', { account: ACCOUNT, by: { day: 1, hour: 2 } })]);
    expect(await gate.isHeld('pay', { by: { hour: 2, day: 1 }, account: ACCOUNT }, false)).toBe(true);
    expect(await gate.refusalOf('pay', { account: ACCOUNT, by: { hour: 2, day: 1 } }, at('p'))).toBeUndefined();
  });

  it('does not help where the call is denied', async () => {
    const { gate } = await reading();
    gate.note([chunk('s', 'send', { to: EVIL })]);
    await gate.isHeld('send', { to: EVIL }, true);
    expect(await gate.refusalOf('send', { to: EVIL }, at('s'))).toContain('not the user, asked for it');
  });
});

describe('what a model sends instead of arguments', () => {
  it.each([
    { title: 'nothing', args: undefined },
    { title: 'null', args: null },
    { title: 'a list', args: [ACCOUNT] },
    { title: 'a number', args: 7 },
  ])('$title is held like any', async ({ args }) => {
    const { gate } = await reading();
    gate.note([chunk('p', 'pay', args)]);
    expect(await gate.isHeld('pay', args, false)).toBe(true);
  });

  it('a text is an error: no call is made of text', async () => {
    const { gate } = await reading();
    gate.note([chunk('p', 'pay', '{"account":')]);
    await expect(gate.isHeld('pay', '{"account":', false)).rejects.toThrow('parsed object');
    await expect(gate.refusalOf('pay', '{"account":', at('p'))).rejects.toThrow('parsed object');
  });
});

describe('where nobody knows what the model had read', () => {
  it('waits for a person, but for what only reads', async () => {
    const gate = new Gate(start(), undefined);
    expect(await gate.isHeld('pay', PAY, false)).toBe(true);
    expect(await gate.isHeld('send', { to: EVIL }, false)).toBe(true);
    expect(await gate.isHeld('read', {}, false)).toBe(false);
  });

  it.each([
    { title: 'without memory', context: at('p') },
    {
      title: 'without a thread',
      context: { agent: { toolCallId: 'p' }, memory: { recall: async () => ({ messages: [] }) } },
    },
    {
      title: 'in memory that does not hold the call',
      context: {
        agent: { toolCallId: 'p', threadId: 't' },
        memory: { recall: async () => ({ messages: [{ role: 'user', content: { format: 2, parts: [] } }] }) },
      },
    },
  ])('$title nothing runs, whatever was approved', async ({ context }) => {
    const { gate } = await reading();
    await gate.isHeld('pay', PAY, true);
    expect(await gate.refusalOf('pay', PAY, context)).toContain('nobody here knows');
    const conversation = start();
    await new Gate(conversation, undefined).refusalOf('pay', PAY, context);
    expect(conversation.isBlind).toBe(true);
  });

  it('reads the thread to the end, once', async () => {
    const asked: unknown[] = [];
    const invocation = (state: string, toolCallId: string, toolName: string, args: object, result?: unknown) => ({
      type: 'tool-invocation',
      toolInvocation: { state, toolCallId, toolName, args, result },
    });
    const messages = [
      { role: 'user', content: { format: 2, parts: [{ type: 'text', text: `Pay ${ACCOUNT}.` }] } },
      {
        role: 'assistant',
        content: {
          format: 2,
          parts: [
            invocation('result', 'r', 'read', {}, POISON),
            { type: 'step-start' },
            invocation('call', 'p', 'pay', PAY),
            invocation('call', 's', 'send', { to: EVIL }),
          ],
        },
      },
    ];
    const memory = {
      recall: async (given: unknown) => {
        asked.push(given);
        return { messages };
      },
    };
    const context = (toolCallId: string) => ({ agent: { toolCallId, threadId: 't', resourceId: 'ann' }, memory });
    const gate = new Gate(start(), undefined);
    await gate.isHeld('pay', PAY, false);
    expect(await gate.refusalOf('pay', PAY, context('p'))).toBeUndefined();
    expect(await gate.refusalOf('send', { to: EVIL }, context('s'))).toContain('not the user, asked for it');
    expect(asked).toEqual([{ threadId: 't', resourceId: 'ann', perPage: false }]);
  });
});
