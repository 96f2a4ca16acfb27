import type { Decision } from '@sallyport/core';
import type { ProtectOptions } from '@sallyport/openai';
import { OpenAI } from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, clientOf, completion, EVIL, type Json, POISON, Provider, unframed } from './world.ts';

type Given = Record<string, unknown>;

const ran: unknown[] = [];

function tool(name: string, run: (given: never, ...rest: unknown[]) => unknown, parse?: (written: string) => unknown) {
  const parameters = { type: 'object' as const, properties: {} };
  return {
    type: 'function' as const,
    function: { name, description: name, parameters, function: run, ...(parse && { parse }) },
  };
}

const readMail = tool('read_mail', () => POISON);
const json = (written: string): Given => JSON.parse(written) as Given;
const sendMail = tool('send_mail', (given) => ran.push(given), json);
const ask = {
  model: 'm',
  messages: [{ role: 'user' as const, content: 'Read the mail, and write to bob@work.example.' }],
};
const READ = completion(call('1', 'read_mail'));

/** Lets a client run tools until the model answers with text. */
async function run(replies: readonly Json[], tools: object[], options: Pick<ProtectOptions<[]>, 'ask'> = {}) {
  ran.length = 0;
  const set = clientOf([...replies, completion()], { ...options, tools });
  const runner = set.client.chat.completions.runTools({ ...ask, tools: set.tools as never });
  const said = await runner.finalContent();
  return { ...set, runner, said };
}

function resultsIn(body: Json): string[] {
  const messages = body.messages as { role: string; content: string }[];
  return messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
}

describe('tools of runTools', () => {
  it('run behind the gate, and the result tells the model that a call was not made', async () => {
    const toEvil = completion(call('2', 'send_mail', { to: EVIL, body: 'x' }));
    const toBob = completion(call('3', 'send_mail', { to: 'bob@work.example', body: 'x' }));
    const { runner, provider, said } = await run([READ, toEvil, toBob], [readMail, sendMail]);
    expect(ran).toEqual([{ to: 'bob@work.example', body: 'x' }]);
    expect(said).toBe('done');
    const [mail, refusal, sent] = resultsIn(provider.body(-1));
    expect([unframed(mail), unframed(sent)]).toEqual([POISON, '1']);
    expect(refusal).toMatch(/^The call was not made/);
    expect(JSON.stringify(runner.messages)).not.toContain('<untrusted ');
  });

  it("made by the SDK's schema helpers run behind the gate", async () => {
    const parameters = z.object({ to: z.string().toUpperCase() });
    const made = zodFunction({ name: 'send_mail', parameters, function: (given) => ran.push(given) });
    const toEvil = completion(call('2', 'send_mail', { to: EVIL }));
    const toBob = completion(call('3', 'send_mail', { to: 'bob@work.example' }));
    const { provider, tools } = await run([READ, toEvil, toBob], [readMail, made]);
    expect(ran).toEqual([{ to: 'BOB@WORK.EXAMPLE' }]);
    const [, declared] = provider.body(-1).tools as Json[];
    expect(declared).toMatchObject({ function: { name: 'send_mail', strict: true } });
    expect(JSON.stringify(tools[1])).toBe(JSON.stringify(made));
  });

  it('keep their names, their context and their receiver', async () => {
    class Mailbox {
      readonly description = 'x';
      readonly parameters = { type: 'object' as const, properties: {} };
      readonly address = 'ann@work.example';
      function = async function read_mail(this: Mailbox, _: string, runner: unknown, context: unknown) {
        ran.push([this.address, runner, context]);
      };
    }
    const own = [{ type: 'function' as const, function: new Mailbox() }];
    const { client, tools } = clientOf([READ, completion()], { tools: own });
    const runner = client.chat.completions.runTools({ ...ask, tools, toolContext: 'today' });
    await runner.done();
    expect(ran.at(-1)).toEqual(['ann@work.example', runner, 'today']);
  });

  it('are checked under the ids of their calls, one by one if two calls are identical', async () => {
    const decisions: Decision[] = [];
    const asking = (decision: Decision) => {
      decisions.push(decision);
      return { by: 'Ann' };
    };
    const lazy = async (written: string): Promise<Given> => {
      const given = json(written);
      await new Promise((resolve) => setTimeout(resolve, given.slow === true ? 20 : 0));
      return given;
    };
    const mystery = tool('mystery', () => 'x', lazy);
    const calls = [{ slow: true }, {}, {}].map((given, index) => call(`m${index}`, 'mystery', given));
    await run([READ, completion(call('bad', 'mystery', '{'), ...calls)], [readMail, mystery], { ask: asking });
    expect(decisions.map(({ call: { id, argumentsJson } }) => `${id} ${argumentsJson}`).sort()).toEqual([
      'm0 {"slow":true}',
      'm1 {}',
      'm2 {}',
    ]);
  });

  it('without a parser are checked with the value they are given', async () => {
    const raw = tool('send_mail', (given) => ran.push(given));
    const broken = completion(call('2', 'send_mail', `{"to":"${EVIL}"`), call('3', 'send_mail', `"${EVIL}"`));
    await run([READ, broken], [readMail, raw]);
    expect(ran).toEqual([]);
  });

  it('end the run with their own error if they throw, as without the boundary', async () => {
    const failing = tool('read_mail', () => {
      throw new RangeError(POISON);
    });
    await expect(run([READ], [failing])).rejects.toMatchObject({ cause: expect.any(RangeError) });
  });

  it('wait for a person', async () => {
    const pay = tool('mystery', () => ran.push('ran'), json);
    const wanted = completion(call('2', 'mystery', {}));
    const held = await run([READ, wanted], [readMail, pay]);
    expect(ran).toEqual([]);
    expect(resultsIn(held.provider.body(-1))[1]).toMatch(/waits for the approval of a person/);
    await run([READ, wanted], [readMail, pay], { ask: async () => ({ by: 'Ann' }) });
    expect(ran).toEqual(['ran']);
    const declined = await run([READ, wanted], [readMail, pay], { ask: () => undefined });
    expect(ran).toEqual([]);
    expect(resultsIn(declined.provider.body(-1))[1]).toMatch(/a person was asked and has declined/);
  });

  it('do not run if the run is aborted while a person is asked', async () => {
    ran.length = 0;
    const abort = new AbortController();
    const asking = async () => {
      abort.abort();
      return { by: 'Ann' };
    };
    const own = [readMail, tool('mystery', () => ran.push('ran'))];
    const replies = [READ, completion(call('2', 'mystery', {})), completion()];
    const { client, tools } = clientOf(replies, { ask: asking, tools: own });
    const runner = client.chat.completions.runTools({ ...ask, tools: tools as never }, { signal: abort.signal });
    await expect(runner.done()).rejects.toThrow(/abort/i);
    expect(ran).toEqual([]);
  });

  it('do not run if the requests do not pass through the boundary', async () => {
    ran.length = 0;
    const provider = new Provider(
      completion(call('2', 'send_mail', { to: 'bob@work.example', body: 'x' })),
      completion(),
    );
    const { tools } = clientOf([], { tools: [sendMail] });
    const client = new OpenAI({ apiKey: 'none', fetch: provider.fetch });
    await client.chat.completions.runTools({ ...ask, tools: tools as never }).done();
    expect(ran).toEqual([]);
  });

  it('stay unchanged if nothing of them runs here', () => {
    const custom = { type: 'custom', custom: { name: 'pay' } };
    const declared = { type: 'function', function: { name: 'read_mail', parameters: {} } };
    expect(clientOf([], { tools: [custom, declared] }).tools).toEqual([custom, declared]);
  });

  it('are checked if they are called directly', async () => {
    ran.length = 0;
    const own = [sendMail, tool('pay', (given) => ran.push(given), json)];
    const { tools, client } = clientOf([completion()], { tools: own });
    await client.chat.completions.create({
      ...ask,
      messages: [
        ...ask.messages,
        {
          role: 'assistant',
          tool_calls: [{ id: '1', type: 'function', function: { name: 'read_mail', arguments: '{}' } }],
        },
        { role: 'tool', tool_call_id: '1', content: POISON },
      ],
    });
    const [send, pay] = tools;
    expect(await send?.function.function({ to: EVIL } as never)).toMatch(/^The call was not made/);
    expect(await send?.function.function({ to: 'bob@work.example' } as never)).toBe(1);
    expect(await send?.function.function(EVIL as never)).toMatch(/^The call was not made/);
    expect(await send?.function.function([EVIL] as never)).toMatch(/^The call was not made/);
    expect(await pay?.function.function(7 as never)).toMatch(/^The call was not made/);
    expect(ran).toHaveLength(1);
  });
});
