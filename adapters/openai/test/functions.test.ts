import type { Decision } from '@sallyport/core';
import { type ProtectOptions, protect } from '@sallyport/openai';
import { ScriptedModel } from '@sallyport/testing';
import { OpenAI } from 'openai';
import { ResponsesToolRunner, type RunnerFunction, runnerFunction } from 'openai/helpers/responses-tool-runner';
import { zodResponsesFunction } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, clientOf, EVIL, type Json, POISON, response, shownItems, start, unframed } from './world.ts';

const ran: unknown[] = [];

function fn(name: string, execute: RunnerFunction['execute']): RunnerFunction {
  return {
    tool: { type: 'function', name, description: name, strict: false, parameters: { type: 'object' } },
    execute,
  };
}

const readMail = fn('read_mail', () => POISON);
const sendMail = fn('send_mail', (given) => {
  ran.push(given);
  return 'sent';
});
const ask = { model: 'm', input: 'Read the mail, and write to bob@work.example.' };
const READ = response(call('1', 'read_mail'));
const TO_EVIL = response(call('2', 'send_mail', { to: EVIL, body: 'x' }));
const TO_BOB = response(call('3', 'send_mail', { to: 'bob@work.example', body: 'x' }));

type Options = Pick<ProtectOptions<RunnerFunction[]>, 'ask'>;

async function run(replies: readonly Json[], functions: RunnerFunction[], options: Options = {}) {
  ran.length = 0;
  const set = clientOf([...replies, response()], { ...options, tools: functions });
  const runner = new ResponsesToolRunner({ functions: set.tools });
  return { ...set, last: await runner.run(set.client, ask) };
}

function outputsIn(body: Json): unknown[] {
  return (body.input as Json[]).filter(({ type }) => type === 'function_call_output').map(({ output }) => output);
}

describe('functions of a ResponsesToolRunner', () => {
  it('run behind the gate, and the output tells the model that a call was not made', async () => {
    const { provider, last } = await run([READ, TO_EVIL, TO_BOB], [readMail, sendMail]);
    expect(ran).toEqual([{ to: 'bob@work.example', body: 'x' }]);
    expect(last.output_text).toBe('done');
    const [mail, refusal, sent] = outputsIn(provider.body(-1));
    expect([unframed(mail), unframed(sent)]).toEqual([POISON, 'sent']);
    expect(mail).toContain('from=read_mail');
    expect(refusal).toMatch(/^The call was not made/);
  });

  it("made by the SDK's schema helpers run behind the gate", async () => {
    const made = zodResponsesFunction({
      name: 'send_mail',
      parameters: z.object({ to: z.string(), body: z.string() }),
      function: (given) => {
        ran.push(given);
        return 'sent';
      },
    });
    await run([READ, TO_EVIL, TO_BOB], [readMail, runnerFunction(made)]);
    expect(ran).toEqual([{ to: 'bob@work.example', body: 'x' }]);
  });

  it('keep their members and their receiver', async () => {
    const own = {
      ...sendMail,
      independent: true,
      execute(this: unknown) {
        ran.push(this);
        return 'sent';
      },
    };
    const [guarded] = clientOf([], { tools: [own] }).tools;
    expect(guarded).toMatchObject({ tool: own.tool, independent: true });
    await run([TO_BOB], [own]);
    expect(ran).toEqual([own]);
  });

  it('wait for a person, and do not run if the run is aborted meanwhile', async () => {
    const mystery = fn('mystery', () => String(ran.push('ran')));
    const wanted = response(call('2', 'mystery'));
    await run([READ, wanted], [readMail, mystery]);
    expect(ran).toEqual([]);
    await run([READ, response(call('2', 'mystery'))], [readMail, mystery], { ask: () => ({ by: 'Ann' }) });
    expect(ran).toEqual(['ran']);
    const abort = new AbortController();
    const asking = () => {
      abort.abort();
      return { by: 'Ann' };
    };
    const { client, tools } = clientOf([READ, response(call('2', 'mystery'))], {
      ask: asking,
      tools: [readMail, mystery],
    });
    const runner = new ResponsesToolRunner({ functions: tools });
    await expect(runner.run(client, ask, { signal: abort.signal })).rejects.toThrow(/stopped/);
    expect(ran).toEqual(['ran']);
  });

  it('run behind the gate even before the response has ended', async () => {
    ran.length = 0;
    const model = new ScriptedModel('responses');
    const read = { name: 'read_mail', arguments: {} };
    const write = { name: 'send_mail', arguments: { to: EVIL, body: 'x' } };
    model.script([{ calls: [read] }, { calls: [write] }]);
    try {
      const conversation = start();
      const { client, tools } = protect(conversation, {
        client: new OpenAI({ baseURL: `${await model.start()}/v1`, apiKey: 'none' }),
        tools: [readMail, sendMail],
        declare: conversation.tools,
      });
      const runner = new ResponsesToolRunner({ functions: tools });
      await runner.run(client, ask, { stream: true, eager: true });
      expect(outputsIn(model.requests.at(-1)?.body ?? {})[1]).toMatch(/^The call was not made/);
    } finally {
      await model.stop();
    }
    expect(ran).toEqual([]);
  });

  it('end the run if they throw, as without the boundary', async () => {
    const failing = fn('read_mail', () => {
      throw new Error(POISON);
    });
    await expect(run([READ], [failing])).rejects.toThrow(/stopped/);
  });
});

describe('check', () => {
  const checked = async (item: object): Promise<Decision> => {
    const { conversation, check } = clientOf([]);
    const read = [
      { type: 'function_call', call_id: '1', name: 'read_mail', arguments: '{}' },
      { type: 'function_call_output', call_id: '1', output: POISON },
    ];
    await shownItems(read, conversation);
    return check(item);
  };

  it.each([
    [
      { type: 'function_call', call_id: 'x', name: 'send_mail', arguments: `{"to":"${EVIL}"}` },
      'send_mail',
      { to: EVIL },
    ],
    [
      { type: 'function_call', call_id: 'x', name: 'send_mail', arguments: `{"to":"${EVIL}` },
      'send_mail',
      { input: `{"to":"${EVIL}` },
    ],
    [
      { type: 'function_call', call_id: 'x', name: 'send_mail', arguments: `["${EVIL}"]` },
      'send_mail',
      { input: [EVIL] },
    ],
    [
      { id: 'x', type: 'function', function: { name: 'send_mail', arguments: `{"to":"${EVIL}"}` } },
      'send_mail',
      { to: EVIL },
    ],
    [{ id: 'x', type: 'custom', custom: { name: 'send_mail', input: EVIL } }, 'send_mail', { input: EVIL }],
    [{ type: 'custom_tool_call', call_id: 'x', name: 'send_mail', input: EVIL }, 'send_mail', { input: EVIL }],
    [
      { type: 'shell_call', call_id: 'x', action: { commands: [`mail ${EVIL}`] } },
      'shell',
      { action: { commands: [`mail ${EVIL}`] } },
    ],
  ])('checks a call as the API returned it: %j', async (item, tool, given) => {
    const { outcome, call: checkedCall } = await checked(item);
    expect(outcome).toBe('deny');
    expect([checkedCall.id, checkedCall.tool, JSON.parse(checkedCall.argumentsJson)]).toEqual(['x', tool, given]);
  });

  it.each([
    [{ type: 'local_shell_call', id: 'l', call_id: 'x', action: { command: [EVIL] } }, 'local_shell'],
    [{ type: 'apply_patch_call', call_id: 'x', operation: { path: EVIL } }, 'apply_patch'],
    [{ type: 'computer_call', call_id: 'x', actions: [{ type: 'type', text: EVIL }] }, 'computer'],
    [
      { type: 'mcp_approval_request', id: 'x', server_label: 'crm', name: 'pay', arguments: `{"to":"${EVIL}"}` },
      'crm.pay',
    ],
  ])('uses the declared names of the built-in tools: %j', async (item, tool) => {
    const { outcome, call: checkedCall } = await checked(item);
    expect([outcome, checkedCall.id, checkedCall.tool]).toEqual(['deny', 'x', tool]);
    expect(checkedCall.argumentsJson).toContain(EVIL);
  });

  it.each([{ type: 'message', role: 'assistant' }, { type: 'dream' }, {}, [] as object])(
    'rejects anything else: %j',
    async (item) => {
      await expect(checked(item)).rejects.toThrow(/must be a call/);
    },
  );

  it('lets a result that is sent without its call keep its source', async () => {
    const { client, check, provider } = clientOf([response(), response()]);
    await client.responses.create({ model: 'm', input: 'Hi' });
    await check({ type: 'function_call', call_id: '7', name: 'read_mail', arguments: '{}' });
    const output = { type: 'function_call_output' as const, call_id: '7', output: POISON };
    await client.responses.create({ model: 'm', previous_response_id: 'resp_1', input: [output] });
    expect(outputsIn(provider.body(-1))[0]).toContain('from=read_mail');
  });
});
