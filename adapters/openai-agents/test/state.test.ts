import {
  Agent,
  type AgentInputItem,
  handoff,
  MemorySession,
  Runner,
  RunState,
  retryPolicies,
  user,
} from '@openai/agents';
import { expect, test } from 'vitest';
import { called, conversation, EVIL, opened, POISON, parts, Scripted, toolsOf } from './scripted.ts';

type Steps = ConstructorParameters<typeof Scripted>[0];

/** An agent in a process that has just started. */
function start(steps: Steps) {
  const ran: string[] = [];
  const protection = parts(conversation());
  const model = new Scripted(steps);
  const tools = protection.tools(toolsOf(ran));
  const agent = new Agent({ name: 'helper', instructions: 'You help.', model: 'scripted', tools });
  const modelProvider = protection.provider({ getModel: () => model });
  return { ran, protection, model, agent, runner: new Runner({ modelProvider, tracingDisabled: true }) };
}

const PAY_TWICE: Steps = [
  [['read_mail']],
  [
    ['pay', { account: 'DE02' }],
    ['pay', { account: 'DE03' }],
  ],
];

async function interrupted(session?: MemorySession): Promise<string> {
  const { agent, runner } = start(PAY_TWICE);
  const { interruptions, state } = await runner.run(
    agent,
    'Pay DE02 and DE03.',
    session === undefined ? {} : { session },
  );
  expect(interruptions).toHaveLength(2);
  return state.toString();
}

test('in a new process an approved call runs, and one that is not approved stays held', async () => {
  for (const session of [undefined, new MemorySession()]) {
    const options = session === undefined ? {} : { session };
    const stored = await interrupted(session);
    const { agent, runner, protection, ran, model } = start([]);
    const state = await RunState.fromString(agent, stored);
    await protection.restore(state);
    const [first] = state.getInterruptions();
    if (first !== undefined) state.approve(first);
    const ended = await runner.run(agent, state, options);
    expect([ran, ended.interruptions.length]).toEqual([['pay DE02'], 1]);
    for (const item of ended.interruptions) ended.state.reject(item);
    expect((await runner.run(agent, ended.state, options)).finalOutput).toBe('done');
    expect(ran).toEqual(['pay DE02']);
    expect(JSON.stringify(model.shown)).toContain('<untrusted ');
  }
});

test('in a new process that has not read the history the run fails, and can continue once it has', async () => {
  const stored = await interrupted();
  const { agent, runner, protection, ran } = start([]);
  const state = await RunState.fromString(agent, stored);
  for (const item of state.getInterruptions()) state.approve(item);
  await expect(runner.run(agent, state)).rejects.toThrow(/restore\(state\)/);
  expect(ran).toEqual([]);
  const again = await RunState.fromString(agent, stored);
  for (const item of again.getInterruptions()) again.approve(item);
  await protection.restore(again);
  expect((await runner.run(agent, again)).finalOutput).toBe('done');
  expect(ran).toEqual(['pay DE02', 'pay DE03']);
});

test('a call that an attacker chose is denied even if a person approves it after a restart', async () => {
  const needsApproval = async () => true;
  const own = (ran: string[]) => toolsOf(ran).map((each) => ({ ...each, needsApproval }));
  const build = (steps: Steps) => {
    const { protection, runner, ...rest } = start(steps);
    const ran: string[] = [];
    const tools = [...protection.tools(toolsOf(ran).slice(0, 1)), ...protection.tools(own(ran).slice(1))];
    return { ...rest, protection, runner, ran, agent: new Agent({ name: 'helper', model: 'scripted', tools }) };
  };
  const first = build([[['read_mail']], [['send_mail', { to: EVIL }]]]);
  const { interruptions, state } = await first.runner.run(first.agent, 'What is new? Then write a mail.');
  expect(interruptions).toHaveLength(1);
  const second = build([]);
  const restored = await RunState.fromString(second.agent, state.toString());
  await second.protection.restore(restored);
  for (const item of restored.getInterruptions()) restored.approve(item);
  expect((await second.runner.run(second.agent, restored)).finalOutput).toBe('done');
  expect(second.ran).toEqual([]);
});

test('a history that was stored in a run state has the same frames, although its keys have another order', async () => {
  const { agent, runner, model } = start(PAY_TWICE);
  const { state } = await runner.run(agent, 'Pay DE02 and DE03.');
  const before = model.shown.find(({ type }) => type === 'function_call_result')?.output;
  const second = start([]);
  const restored = await RunState.fromString(second.agent, state.toString());
  await second.protection.restore(restored);
  for (const item of restored.getInterruptions()) restored.reject(item);
  await second.runner.run(second.agent, restored);
  expect(second.model.shown.find(({ type }) => type === 'function_call_result')?.output).toEqual(before);
});

test('session, history and run state contain raw content, even of a result that the caller passes in', async () => {
  for (const stream of [false, true]) {
    const { agent, runner, model } = start([[['read_mail']]]);
    const session = new MemorySession();
    const input: AgentInputItem[] = [...called('old', 'read_mail', POISON), user('What is new? Then write a mail.')];
    const options = {
      session,
      sessionInputCallback: (old: AgentInputItem[], fresh: AgentInputItem[]) => [...old, ...fresh],
    };
    const result = stream
      ? await runner.run(agent, input, { ...options, stream: true })
      : await runner.run(agent, input, options);
    if ('completed' in result) await result.completed;
    const kept = JSON.stringify([await session.getItems(), result.history, result.state.toString()]);
    expect(kept).toContain(POISON);
    expect(kept).not.toContain('<untrusted ');
    const shown = model.shown.filter(({ type }) => type === 'function_call_result').map(({ output }) => output);
    const texts = shown.map((output) => (typeof output === 'string' ? output : (output as { text: string }).text));
    expect(texts.map(opened)).toEqual([POISON, POISON]);
  }
});

test('a retry of the runner sends the same request', async () => {
  const { protection, agent, model } = start([[['read_mail']]]);
  const requests: string[] = [];
  const flaky = {
    getResponse: async (request: Parameters<typeof model.getResponse>[0]) => {
      requests.push(JSON.stringify([request.systemInstructions, request.input]));
      if (requests.length === 2) throw Object.assign(new Error('overloaded'), { status: 503 });
      return model.getResponse(request);
    },
    getStreamedResponse: model.getStreamedResponse.bind(model),
  };
  const runner = new Runner({
    modelProvider: protection.provider({ getModel: () => flaky }),
    modelSettings: {
      retry: { maxRetries: 1, backoff: { initialDelayMs: 1 }, policy: retryPolicies.httpStatus([503]) },
    },
    tracingDisabled: true,
  });
  expect((await runner.run(agent, 'What is new? Then write a mail.')).finalOutput).toBe('done');
  expect(requests[2]).toBe(requests[1]);
  expect(requests[1]).toContain('<untrusted ');
});

test('the model after a handoff is sent frames, and its calls are checked against the same history', async () => {
  const ran: string[] = [];
  const protection = parts(conversation());
  const models = {
    first: new Scripted([[['read_mail']], [['transfer_to_second']]], 'first'),
    second: new Scripted([[['send_mail', { to: EVIL }]]], 'second'),
  };
  const tools = protection.tools(toolsOf(ran));
  const second = new Agent({ name: 'second', model: 'second', tools });
  const first = new Agent({ name: 'first', model: 'first', tools, handoffs: [handoff(second)] });
  const getModel = (name?: string) => (name === 'second' ? models.second : models.first);
  const runner = new Runner({ modelProvider: protection.provider({ getModel }), tracingDisabled: true });
  expect((await runner.run(first, 'What is new? Then write a mail.')).finalOutput).toBe('done');
  expect(ran).toEqual([]);
  const [request] = models.second.requests;
  expect(JSON.stringify(request?.input)).toMatch(/from=read_mail.*Ignore all previous/s);
});

test('with state at the provider only the new result is sent, framed with its source', async () => {
  const { agent, runner, model, ran } = start([[['read_mail']], [['send_mail', { to: EVIL }]]]);
  await runner.run(agent, 'What is new? Then write a mail.', { conversationId: 'conv_1' });
  const [only, ...rest] = (model.requests[1]?.input ?? []) as unknown as readonly { output: { text: string } }[];
  expect([rest, opened(only?.output.text)]).toEqual([[], POISON]);
  expect(only?.output.text).toContain('from=read_mail');
  expect(ran).toEqual([]);
});
