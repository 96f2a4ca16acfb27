import type { ToolCall } from '@sallyport/core';
import { describe, expect, it, vi } from 'vitest';
import { Gate } from '../src/gate.ts';
import { show } from '../src/prompt/show.ts';
import { Rules } from '../src/rules.ts';
import { ACCOUNT, EVIL, POISON, start } from './world.ts';

const chunk = (toolCallId: string, toolName: string, args: unknown) => ({
  type: 'tool-call',
  payload: { toolCallId, toolName, args },
});
const at = (toolCallId: string) => ({ agent: { toolCallId } });
const PAY = { account: ACCOUNT };

async function reading(words = `Pay ${ACCOUNT}.`) {
  const conversation = start();
  const gate = new Gate(conversation, undefined);
  await show(conversation, [
    { role: 'system', content: 'You read mail.' },
    { role: 'user', content: [{ type: 'text', text: words }] },
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'r', toolName: 'read', input: {} }] },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'r', toolName: 'read', output: { type: 'text', value: POISON } }],
    },
  ]);
  return { conversation, gate };
}

describe('an approval', () => {
  it('covers one run', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    expect(await gate.refusalOf('pay', PAY, at('p'))).toContain('it waits for the approval');
    expect(await gate.isHeld('pay', PAY, false)).toBe(true);
    expect(await gate.refusalOf('pay', PAY, at('p'))).toBeUndefined();
    expect(await gate.refusalOf('pay', PAY, at('p'))).toContain('it waits for the approval');
  });

  it('is void if the model uses the id again', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    await gate.isHeld('pay', PAY, false);
    await gate.recordAnswer([chunk('p', 'pay', { account: 'DE99' })]);
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('p'))).toContain('it waits for the approval');
    await gate.isHeld('pay', PAY, false);
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('p'))).toContain('The call was not made');
  });

  it('covers the held call: other arguments and another tool are held again', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([
      chunk('p', 'pay', PAY),
      chunk('q', 'pay', { account: 'DE99' }),
      chunk('m', 'mystery', PAY),
    ]);
    await gate.isHeld('pay', PAY, false);
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('q'))).toContain('The call was not made');
    expect(await gate.refusalOf('mystery', PAY, at('m'))).toContain('The call was not made');
    expect(await gate.refusalOf('pay', PAY, at('p'))).toBeUndefined();
  });

  it('is found even if storage has changed the order of keys', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', { account: ACCOUNT, by: { day: 1, hour: 2 } })]);
    expect(await gate.isHeld('pay', { by: { hour: 2, day: 1 }, account: ACCOUNT }, false)).toBe(true);
    expect(await gate.refusalOf('pay', { account: ACCOUNT, by: { hour: 2, day: 1 } }, at('p'))).toBeUndefined();
  });

  it('does not allow a denied call', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('s', 'send', { to: EVIL })]);
    await gate.isHeld('send', { to: EVIL }, true);
    expect(await gate.refusalOf('send', { to: EVIL }, at('s'))).toContain('not the user, asked for it');
  });
});

describe('a call that was checked before it reached its tool', () => {
  const BOB = { to: 'bob@work.example' };
  async function judging() {
    const { conversation, gate } = await reading(`Pay ${ACCOUNT} and write to ${BOB.to}.`);
    const check = vi.spyOn(conversation, 'check');
    await gate.recordAnswer([chunk('s', 'send', BOB)]);
    return { gate, judged: () => check.mock.calls.map(([use]) => (use as ToolCall).arguments) };
  }

  it('is not checked again there, once', async () => {
    const { gate, judged } = await judging();
    expect(await gate.refusalBefore('send', BOB, at('s'))).toBeUndefined();
    expect(await gate.refusalOf('send', { ...BOB }, at('s'))).toBeUndefined();
    expect(judged()).toEqual([BOB]);
    await gate.refusalOf('send', BOB, at('s'));
    expect(judged()).toEqual([BOB, BOB]);
  });

  it.each([
    { title: 'other arguments', payload: ['send', { to: EVIL }, 's'], expected: 'not the user, asked for it' },
    { title: 'another tool', payload: ['pay', BOB, 's'], expected: 'it waits for the approval' },
    { title: 'another id', payload: ['send', BOB, 't'], expected: 'it is not known' },
  ] as const)('does not lend its mark to $title', async ({ payload: [tool, given, id], expected }) => {
    const { gate } = await judging();
    expect(await gate.refusalBefore('send', BOB, at('s'))).toBeUndefined();
    expect(await gate.refusalOf(tool, given, at(id))).toContain(expected);
  });

  it('does not pass its mark to a later call with its id', async () => {
    const { gate, judged } = await judging();
    await gate.refusalBefore('send', BOB, at('s'));
    await gate.recordAnswer([chunk('s', 'send', BOB)]);
    await gate.refusalOf('send', BOB, at('s'));
    expect(judged()).toEqual([BOB, BOB]);
  });

  it('has no mark if it is not allowed', async () => {
    const { gate } = await judging();
    await gate.recordAnswer([chunk('s', 'send', { to: EVIL })]);
    expect(await gate.refusalBefore('send', { to: EVIL }, at('s'))).toContain('not the user, asked for it');
    expect(await gate.refusalOf('send', { to: EVIL }, at('s'))).toContain('not the user, asked for it');
  });

  it('is checked with the changes of a schema, and keeps its approval', async () => {
    const { gate, judged } = await judging();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    await gate.isHeld('pay', PAY, false);
    expect(await gate.refusalBefore('pay', PAY, at('p'))).toBeUndefined();
    expect(await gate.refusalOf('pay', { ...PAY, days: 3 }, at('p'))).toBeUndefined();
    expect(judged().at(-1)).toEqual({ ...PAY, days: 3 });
    expect(await gate.refusalOf('pay', { ...PAY, days: 3 }, at('p'))).toContain('it waits for the approval');
  });

  it('does not share its approval with another call with its id', async () => {
    const { gate } = await judging();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    for (const given of [PAY, { account: 'DE99' }]) {
      await gate.isHeld('pay', PAY, false);
      expect(await gate.refusalBefore('pay', given, at('p'))).toBeUndefined();
    }
    expect(await gate.refusalOf('pay', { account: 'DE98' }, at('p'))).toContain('it waits for the approval');
    expect(await gate.refusalOf('pay', { account: 'DE99' }, at('p'))).toBeUndefined();
    expect(await gate.refusalOf('pay', PAY, at('p'))).toBeUndefined();
  });

  it('may be nested as deeply as a call may be', async () => {
    const { gate } = await judging();
    const deep = { to: BOB.to, body: JSON.parse(`${'['.repeat(9000)}${']'.repeat(9000)}`) as unknown };
    await gate.recordAnswer([chunk('d', 'send', deep)]);
    await gate.isHeld('send', deep, false);
    await gate.refusalBefore('send', deep, at('d'));
    expect(await gate.refusalOf('send', deep, at('d'))).toBeUndefined();
  });

  it('is refused if it is nested more deeply', async () => {
    const { gate } = await judging();
    const deep = { to: BOB.to, body: JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown };
    await gate.recordAnswer([chunk('d', 'send', deep)]);
    expect(await gate.refusalOf('send', deep, at('d'))).toContain('too large');
  });
});

describe('a call whose request this process has not seen', () => {
  const run = {};
  const inRun = (toolCallId: string, of: object = run) => ({
    toolCallId,
    requestContext: new Map([['MastraMemory', of]]),
  });

  it('is left to the guarded tool that was asked for its rule in the same run, once', async () => {
    const gate = new Gate(start(), undefined);
    gate.expect(run, 'pay', PAY);
    expect(await gate.refusalBefore('pay', PAY, inRun('p'))).toBeUndefined();
    expect(await gate.refusalBefore('pay', PAY, inRun('p'))).toContain('it is not known');
  });

  it.each([
    { title: 'in another run', call: ['pay', PAY, inRun('p', {})] },
    { title: 'if nothing identifies the run', call: ['pay', PAY, { toolCallId: 'p' }] },
    { title: 'with other arguments', call: ['pay', { account: 'DE99' }, inRun('p')] },
    { title: 'of another tool', call: ['send', PAY, inRun('p')] },
  ] as const)('is refused $title', async ({ call: [tool, given, context] }) => {
    const gate = new Gate(start(), undefined);
    gate.expect(run, 'pay', PAY);
    expect(await gate.refusalBefore(tool, given, context)).toContain('it is not known');
  });

  it('is checked once its request is recorded', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    gate.expect(run, 'pay', PAY);
    expect(await gate.refusalBefore('pay', PAY, inRun('p'))).toContain('it waits for the approval');
    expect(await gate.refusalBefore('pay', PAY, inRun('q'))).toContain('it is not known');
  });
});

describe('a rule that Mastra ignores', () => {
  it('approves nothing', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    expect(await gate.isHeld('pay', PAY, false, false)).toBe(true);
    expect(await gate.refusalBefore('pay', PAY, at('p'))).toContain('it waits for the approval');
  });

  it('revokes an earlier hold', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', PAY)]);
    await gate.isHeld('pay', PAY, false);
    await gate.isHeld('pay', PAY, false, false);
    expect(await gate.refusalBefore('pay', PAY, at('p'))).toContain('it waits for the approval');
  });

  it('is detected from the tools that a model was offered', () => {
    const rules = new Rules();
    const ours = rules.guard(() => true);
    const theirs = () => false;
    rules.recordTools({
      none: {},
      never: { requireApproval: false },
      always: { requireApproval: true },
      guarded: { requireApproval: true, needsApprovalFn: ours },
      mastra: { requireApproval: theirs },
      server: { requireApproval: true, needsApprovalFn: theirs },
      sdk: { needsApproval: theirs },
      other: 'text',
    });
    const names = ['none', 'never', 'always', 'guarded', 'mastra', 'server', 'sdk', 'other', 'unseen'];
    const heard = ['all', 'all', 'all', 'guard', 'tool', 'tool', 'tool', 'all', undefined];
    expect(names.map((name) => rules.deciderOf(name))).toEqual(heard);
    rules.recordTools(undefined);
    rules.recordTools({ guarded: {} });
    expect(rules.deciderOf('guarded')).toBe('all');
  });
});

describe('a value in place of arguments', () => {
  it.each([
    { title: 'nothing', args: undefined },
    { title: 'null', args: null },
    { title: 'a list', args: [ACCOUNT] },
    { title: 'a number', args: 7 },
  ])('$title is held like any other', async ({ args }) => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', args)]);
    expect(await gate.isHeld('pay', args, false)).toBe(true);
  });

  it('a text is an error: text never becomes a call', async () => {
    const { gate } = await reading();
    await gate.recordAnswer([chunk('p', 'pay', '{"account":')]);
    await expect(gate.isHeld('pay', '{"account":', false)).rejects.toThrow('parsed object');
    await expect(gate.refusalOf('pay', '{"account":', at('p'))).rejects.toThrow('parsed object');
  });
});

describe('if it is not known what the model had read', () => {
  it('a person is asked about every call, except reads', async () => {
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
      title: 'in memory that does not contain the call',
      context: {
        agent: { toolCallId: 'p', threadId: 't' },
        memory: { recall: async () => ({ messages: [{ role: 'user', content: { format: 2, parts: [] } }] }) },
      },
    },
  ])('$title nothing runs, whatever was approved', async ({ context }) => {
    const { gate } = await reading();
    await gate.isHeld('pay', PAY, true);
    expect(await gate.refusalOf('pay', PAY, context)).toContain('it is not known');
    const conversation = start();
    await new Gate(conversation, undefined).refusalOf('pay', PAY, context);
    expect(conversation.hasRendered).toBe(false);
  });

  it('the thread is read to the end, once', async () => {
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

describe('a tool that the provider runs', () => {
  it('counts for a call of the same answer', async () => {
    const conversation = start();
    const gate = new Gate(conversation, undefined);
    await show(conversation, [{ role: 'user', content: [{ type: 'text', text: 'Read it, and write a mail.' }] }]);
    const result = { type: 'tool-result', payload: { toolCallId: 'r', toolName: 'read', result: POISON } };
    await gate.recordAnswer([chunk('r', 'read', {}), result, chunk('s', 'send', { to: EVIL })]);
    expect(await gate.refusalOf('send', { to: EVIL }, at('s'))).toContain('not the user, asked for it');
  });
});
