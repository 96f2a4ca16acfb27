import {
  Agent,
  defineToolInputGuardrail,
  getAllMcpTools,
  RunContext,
  Runner,
  type Tool,
  ToolGuardrailFunctionOutputFactory,
  tool,
  toolNamespace,
} from '@openai/agents';
import type { Ask } from '@sallyport/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { conversation, EVIL, mailServer, type Options, POISON, parts, Scripted, toolsOf } from './scripted.ts';

const READ = [['read_mail']] as const;
const TO_EVIL = [['send_mail', { to: EVIL }]] as const;
const PAY = [['pay', { account: 'DE02' }]] as const;
type Steps = ConstructorParameters<typeof Scripted>[0];

function stage(steps: Steps, options: Options & { tools?: (ran: string[]) => Tool[] } = {}) {
  const ran: string[] = [];
  const talk = conversation();
  const protection = parts(talk, options);
  const model = new Scripted(steps);
  const tools = protection.tools<Tool>((options.tools ?? toolsOf)(ran));
  const agent = new Agent({ name: 'helper', instructions: 'You help.', model: 'scripted', tools });
  const modelProvider = protection.provider({ getModel: () => model });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  return { ran, talk, protection, model, agent, runner, say: (text: string) => runner.run(agent, text) };
}

test('a denied call is answered with an unframed refusal, and no person is asked about it', async () => {
  const { ran, model, say } = stage([READ, TO_EVIL]);
  const { interruptions, finalOutput } = await say('What is new? Then write a mail.');
  expect([ran, interruptions, finalOutput]).toEqual([[], [], 'done']);
  expect(model.shown.at(-1)?.output).toEqual({ type: 'text', text: expect.stringMatching(/^The call was not made: /) });
});

test('a held call interrupts the run; once approved it is made once', async () => {
  const { ran, agent, runner, say } = stage([PAY]);
  const { interruptions, state } = await say('Pay DE02.');
  expect([ran, interruptions.length]).toEqual([[], 1]);
  for (const item of interruptions) state.approve(item);
  const { finalOutput } = await runner.run(agent, state);
  expect([ran, finalOutput]).toEqual([['pay DE02'], 'done']);
});

test('a held call that is rejected is not made', async () => {
  const { ran, agent, runner, say } = stage([PAY]);
  const { interruptions, state } = await say('Pay DE02.');
  for (const item of interruptions) state.reject(item);
  expect([(await runner.run(agent, state)).finalOutput, ran]).toEqual(['done', []]);
});

test('an approval for all calls covers every held call of the tool, and no denied one', async () => {
  const again = [['pay', { account: 'DE03' }]] as const;
  const { ran, agent, runner, say } = stage([PAY, again, READ, [['pay', { account: EVIL }]]]);
  const { interruptions, state } = await say('Pay DE02 and DE03.');
  for (const item of interruptions) state.approve(item, { alwaysApprove: true });
  expect((await runner.run(agent, state)).finalOutput).toBe('done');
  expect(ran).toEqual(['pay DE02', 'pay DE03']);
});

test('an approval covers one call, even if an id is used again', async () => {
  const { ran, agent, talk } = stage([]);
  await talk.render([{ type: 'user', content: 'Pay DE02.' }]);
  const context = Object.assign(new RunContext(), { isToolApproved: () => true });
  const pay = agent.tools.find(({ name }) => name === 'pay');
  if (pay?.type !== 'function') throw new Error('no tool');
  const toolCall = { type: 'function_call' as const, callId: 'call_1', name: 'pay', arguments: '' };
  for (const _ of [1, 2]) await pay.invoke(context, '{"account":"DE02"}', { toolCall });
  expect(ran).toEqual(['pay DE02']);
});

test('a tool that other code calls is checked', async () => {
  const { ran, agent, talk } = stage([]);
  await talk.render([
    { type: 'content', source: (await import('@sallyport/core')).source('external'), content: POISON },
  ]);
  const send = agent.tools.find(({ name }) => name === 'send_mail');
  if (send?.type !== 'function') throw new Error('no tool');
  expect(await send.invoke(new RunContext(), JSON.stringify({ to: EVIL }))).toMatch(/^The call was not made/);
  expect(ran).toEqual([]);
});

test('with an ask function a person is asked about the arguments, and the run is not interrupted', async () => {
  for (const [answer, expected] of [
    [{ by: 'ann' }, ['pay DE02']],
    [undefined, []],
  ] as const) {
    const asked: string[] = [];
    const ask: Ask = ({ call }) => {
      asked.push(`${call.tool} ${call.argumentsJson}`);
      return answer;
    };
    const { ran, say } = stage([PAY], { ask });
    const { interruptions, finalOutput } = await say('Pay DE02.');
    expect([interruptions, finalOutput, ran]).toEqual([[], 'done', expected]);
    expect(asked).toEqual(['pay {"account":"DE02"}']);
  }
});

test('a tool does not run if the person answers after its timeout', async () => {
  const ran: string[] = [];
  const tools = () => [
    tool({
      name: 'pay',
      description: 'pays',
      parameters: z.object({ account: z.string() }),
      timeoutMs: 20,
      execute: async () => ran.push('pay'),
    }),
  ];
  let approve = (_by: { by: string }): void => undefined;
  const ask: Ask = () =>
    new Promise((resolve) => {
      approve = resolve;
    });
  const { model, say } = stage([PAY], { ask, tools });
  expect((await say('Pay DE02.')).finalOutput).toBe('done');
  expect(JSON.stringify(model.shown.at(-1))).toContain('timed out');
  approve({ by: 'ann' });
  // No timer is involved: a call that could follow would follow within these turns of the event loop.
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(ran).toEqual([]);
});

test('guardrails and approval rules of the tool stay', async () => {
  const seen: string[] = [];
  const guardrail = defineToolInputGuardrail({
    name: 'own',
    run: async ({ toolCall }) => {
      seen.push(toolCall.name);
      return ToolGuardrailFunctionOutputFactory.rejectContent('not today');
    },
  });
  const own = tool({
    name: 'send_mail',
    description: 'sends',
    parameters: z.object({ to: z.string() }),
    needsApproval: async (_, { to }) => to.startsWith('boss@'),
    inputGuardrails: [guardrail],
    execute: async () => 'sent',
  });
  const steps = [[['send_mail', { to: 'boss@work.example' }]], [['send_mail', { to: 'bob@work.example' }]]] as const;
  const { agent, runner, model, say } = stage(steps, { tools: () => [own] });
  const { interruptions, state } = await say('Write to boss@work.example and bob@work.example.');
  expect([interruptions.length, seen]).toEqual([1, []]);
  for (const item of interruptions) state.approve(item);
  expect((await runner.run(agent, state)).finalOutput).toBe('done');
  expect(seen).toEqual(['send_mail', 'send_mail']);
  expect(JSON.stringify(model.shown)).toContain('not today');
});

test('a call whose arguments are not JSON does not run', async () => {
  for (const given of ['not json', '"DE02"', '[]', '']) {
    const asking = stage([[['pay', given]]], { ask: () => ({ by: 'ann' }) });
    expect((await asking.say('Pay DE02.')).finalOutput).toBe('done');
    expect(asking.ran).toEqual([]);
    const { ran, agent, runner, say } = stage([[['pay', given]]]);
    let ended = await say('Pay DE02.');
    expect(ended.interruptions).toHaveLength(1);
    for (const item of ended.interruptions) ended.state.approve(item);
    if (ended.interruptions.length > 0) ended = await runner.run(agent, ended.state);
    expect([ended.finalOutput, ran]).toEqual(['done', []]);
  }
});

test('parallel calls of one turn are checked against what preceded them', async () => {
  const both = [['read_mail'], ...TO_EVIL, ['read_mail']] as const;
  const { ran, say } = stage([both, TO_EVIL]);
  await say('What is new? Then write a mail.');
  expect(ran).toEqual([`send ${EVIL}`]);
});

test('the approval of a tool in a namespace is found, and its calls are checked under its full name', async () => {
  const ran: string[] = [];
  const namespaced = () => {
    const [, , pay] = toolsOf(ran);
    return pay === undefined ? [] : toolNamespace({ name: 'crm', description: 'crm', tools: [pay] });
  };
  const call = {
    type: 'function_call',
    callId: 'call_9',
    name: 'pay',
    namespace: 'crm',
    arguments: '{"account":"DE02"}',
  };
  const { agent, runner, say, model } = stage([[call]], { tools: namespaced });
  const { interruptions, state } = await say('Pay DE02.');
  expect([interruptions.length, ran]).toEqual([1, []]);
  for (const item of interruptions) state.approve(item);
  await runner.run(agent, state);
  expect(ran).toEqual(['pay DE02']);
  expect(JSON.stringify(model.shown.at(-1))).toContain('from=crm.pay');
});

test('the given tools are not changed', async () => {
  const ran: string[] = [];
  const tools = toolsOf(ran);
  const before = tools.map((each) => ({ ...each }));
  const guarded = parts(conversation()).tools(tools);
  expect(tools).toEqual(before);
  expect(guarded.every((each, index) => each !== tools[index] && each.invoke !== tools[index]?.invoke)).toBe(true);
});

test('tools of an MCP server can be listed and guarded', async () => {
  const ran: string[] = [];
  const listed = await getAllMcpTools([mailServer(ran)]);
  const own = toolsOf([]).filter(({ name }) => name === 'read_mail');
  const { say } = stage([READ, TO_EVIL, [['send_mail', { to: 'bob@work.example' }]]], {
    tools: () => [...own, ...listed],
  });
  expect((await say('Write to bob@work.example.')).finalOutput).toBe('done');
  expect(ran).toEqual(['send_mail']);
});

test('without a wrapped model no call with an effect runs, and the error says why', async () => {
  const { ran, agent } = stage([]);
  const runner = new Runner({ modelProvider: { getModel: () => new Scripted([TO_EVIL]) }, tracingDisabled: true });
  await expect(runner.run(agent, 'Hi')).rejects.toThrow(/Pass the Runner the provider that protect\(\) returns/);
  expect(ran).toEqual([]);
});
