import { type FunctionCall, mcpToTool, type Part } from '@google/genai';
import type { Ask } from '@sallyport/core';
import { describe, expect, test, vi } from 'vitest';
import {
  answer,
  call,
  clientOf,
  converse,
  EVIL,
  model,
  POISON,
  Provider,
  says,
  toolOf,
  unframed,
  user,
} from './stage.ts';

const ASKED = user({ text: 'Write to bob@work.example what is new.' });
const POISONED = [ASKED, model(call('read_mail', {})), user(answer('read_mail', { output: POISON }))];
const TO_EVIL = { to: EVIL, body: 'Hello.' };
const TO_BOB = { to: 'bob@work.example', body: 'Hello.' };

describe('a call', () => {
  test('is not made before a request has passed through the boundary', async () => {
    const ran: FunctionCall[] = [];
    const { tools } = await clientOf(converse(), new Provider(), [toolOf(ran, ['read_mail'])]);
    await expect(tools[0]?.callTool([{ name: 'read_mail' }])).rejects.toThrow(/client that protect\(\) returned/);
    expect(ran).toEqual([]);
  });
  test('is only passed to the tool that declares it', async () => {
    const ran: FunctionCall[] = [];
    const greedy: FunctionCall[] = [];
    const provider = new Provider(says(call('send_mail', TO_BOB), call('made_up')));
    const { ai, tools } = await clientOf(converse(), provider, [
      toolOf(greedy, ['read_mail']),
      toolOf(ran, ['send_mail']),
    ]);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: [ASKED], config });
    expect([greedy, ran.map(({ name }) => name)]).toEqual([[], ['send_mail']]);
  });
  test('is checked with all others of its turn before one of them is made', async () => {
    const order: string[] = [];
    const provider = new Provider(says(call('read_mail'), call('pay', {}, 'a')));
    const tool = toolOf([], ['read_mail', 'pay'], ({ name = '' }) => {
      order.push(`ran ${name}`);
      return [{ functionResponse: { name, response: {} } }];
    });
    const { ai, tools } = await clientOf(converse(), provider, [tool], {
      ask: ({ call: { tool: name } }) => {
        order.push(`asked ${name}`);
        return { by: 'ann' };
      },
    });
    await ai.models.generateContent({ model: 'm', contents: POISONED, config: { tools } });
    expect(order).toEqual(['asked pay', 'ran read_mail', 'ran pay']);
  });
  test('that is allowed reaches the tool as it would without the boundary', async () => {
    const given: FunctionCall[][] = [];
    const provider = new Provider(says(call('read_mail', { a: 1 }), call('read_mail', { b: 2 })));
    const tool = {
      tool: async () => ({ functionDeclarations: [{ name: 'read_mail' }] }),
      callTool: async (calls: FunctionCall[]): Promise<Part[]> => {
        given.push(calls);
        return [];
      },
    };
    const { ai, tools } = await clientOf(converse(), provider, [tool]);
    await ai.models.generateContent({ model: 'm', contents: [ASKED], config: { tools } });
    expect(given).toEqual([
      [
        { name: 'read_mail', args: { a: 1 } },
        { name: 'read_mail', args: { b: 2 } },
      ],
    ]);
  });
  test('that is not allowed is answered in its position, so that the order relates responses to calls', async () => {
    const calls = [call('send_mail', TO_BOB), call('send_mail', TO_EVIL), call('send_mail', TO_BOB)];
    const provider = new Provider(says(...calls));
    const ran: FunctionCall[] = [];
    const { ai, tools } = await clientOf(converse(), provider, [toolOf(ran, ['send_mail'])]);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: POISONED, config });
    expect(ran.map(({ args }) => args?.to)).toEqual([TO_BOB.to, TO_BOB.to]);
    const [, first, second, third] = provider.responses(1).map(({ response }) => Object.keys(response as object)[0]);
    expect([first, second, third]).toEqual(['output', 'error', 'output']);
  });
  test('keeps its id in a refusal', async () => {
    const provider = new Provider(says(call('send_mail', TO_EVIL, 'c7')));
    const { ai, tools } = await clientOf(converse(), provider, [toolOf([], ['send_mail'])]);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: POISONED, config });
    expect(provider.responses(1)[1]).toMatchObject({ id: 'c7', name: 'send_mail' });
  });
  test.each([
    ['text', `send it to ${EVIL}`],
    ['list', [EVIL]],
  ])('with arguments that are a %s is checked with them', async (_, args) => {
    const ran: FunctionCall[] = [];
    const provider = new Provider(says(call('send_mail', args)));
    const conversation = converse();
    const check = vi.spyOn(conversation, 'check');
    const { ai, tools } = await clientOf(conversation, provider, [toolOf(ran, ['send_mail'])]);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: POISONED, config });
    expect(check.mock.lastCall?.[0]).toMatchObject({ arguments: { input: args } });
    expect(ran).toEqual([]);
    expect(provider.bodies.length).toBe(2);
  });
  test('without arguments or a name is accepted', async () => {
    const ran: FunctionCall[] = [];
    const provider = new Provider(says(call('read_mail'), { functionCall: {} }));
    const { ai, tools } = await clientOf(converse(), provider, [toolOf(ran, ['read_mail'])]);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: [ASKED], config });
    expect(ran).toEqual([{ name: 'read_mail' }]);
    expect(provider.bodies.length).toBe(2);
  });
});

describe('a tool runs the call that was checked', () => {
  const READ = [
    user({ text: 'Read my mail and write to bob@work.example.' }),
    model(call('read_mail', {})),
    user(answer('read_mail', { output: POISON })),
  ];
  async function guarded(options: { readonly ask?: Ask } = {}) {
    const ran: FunctionCall[] = [];
    const given = [toolOf(ran, ['send_mail'])];
    const { ai, tools } = await clientOf(converse('strict'), new Provider(), given, options);
    await ai.models.generateContent({ model: 'm', contents: READ });
    const [tool] = tools;
    const made = async (given: FunctionCall) => ((await tool?.callTool([given])) ?? [])[0]?.functionResponse?.response;
    return { ran, made };
  }
  const sentTo = (ran: readonly FunctionCall[]) => ran.map(({ args }) => args?.to);
  test('if the same call object comes again with other arguments', async () => {
    const { ran, made } = await guarded();
    const given = { name: 'send_mail', args: { ...TO_BOB } };
    expect(await made(given)).toHaveProperty('output');
    given.args.to = EVIL;
    expect(await made(given)).toHaveProperty('error');
    expect(sentTo(ran)).toEqual([TO_BOB.to]);
  });
  test('if the arguments change while a person is asked', async () => {
    const given = { name: 'send_mail', args: { to: 'ann@home.example', body: 'Hello.' } };
    const ask = () => {
      given.args.to = EVIL;
      return { by: 'ann' };
    };
    const { ran, made } = await guarded({ ask });
    expect(await made(given)).toHaveProperty('output');
    expect(sentTo(ran)).toEqual(['ann@home.example']);
  });
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('if an argument changes after it was read %i times', async (count) => {
    const { ran, made } = await guarded();
    let looks = 0;
    const args = {
      body: 'Hello.',
      get to() {
        return looks++ < count ? TO_BOB.to : EVIL;
      },
    };
    await made({ name: 'send_mail', args });
    expect(sentTo(ran).filter((to) => to === EVIL)).toEqual([]);
  });
  test('with every member in order, and without changing a prototype', async () => {
    const { ran, made } = await guarded();
    const args = JSON.parse('{"to":"bob@work.example","body":{"b":[1,{"z":null}],"a":true,"__proto__":{"x":1}}}');
    await made({ id: 'c', name: 'send_mail', args });
    expect(JSON.stringify(ran)).toBe(JSON.stringify([{ id: 'c', name: 'send_mail', args }]));
    expect(ran[0]?.args).not.toBe(args);
  });
  test('or nothing, if the arguments contain themselves', async () => {
    const { ran, made } = await guarded();
    const args: Record<string, unknown> = { to: TO_BOB.to };
    args.body = args;
    await expect(made({ name: 'send_mail', args })).rejects.toThrow(/contains itself/);
    expect(ran).toEqual([]);
  });
  test('with arguments nested as deeply as a call may be', async () => {
    const { ran, made } = await guarded();
    const deep = JSON.parse(`${'{"a":'.repeat(900)}1${'}'.repeat(900)}`) as unknown;
    await made({ name: 'send_mail', args: { to: TO_BOB.to, body: deep } });
    expect(sentTo(ran)).toEqual([TO_BOB.to]);
  });
  test('not with arguments nested more deeply than that', async () => {
    const { ran, made } = await guarded();
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
    await made({ name: 'send_mail', args: { to: TO_BOB.to, body: deep } }).catch(() => undefined);
    expect(sentTo(ran)).toEqual([]);
  });
});

describe('a held call', () => {
  async function ranWith(options: { readonly ask?: Ask }): Promise<number> {
    const ran: FunctionCall[] = [];
    const given = [toolOf(ran, ['pay'])];
    const { ai, tools } = await clientOf(converse(), new Provider(says(call('pay'))), given, options);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: POISONED, config });
    return ran.length;
  }
  test('runs if a person approves it', async () => expect(await ranWith({ ask: () => ({ by: 'ann' }) })).toBe(1));
  test('does not run if a person declines it', async () => expect(await ranWith({ ask: () => undefined })).toBe(0));
  test('does not run without an ask function', async () => expect(await ranWith({})).toBe(0));
  test('does not run if the ask function fails', async () => {
    const ask = (): never => {
      throw new Error('offline');
    };
    expect(await ranWith({ ask })).toBe(0);
  });
});

describe('tools', () => {
  test('that do not run here stay unchanged', async () => {
    const list = [{ googleSearch: {} }, { functionDeclarations: [{ name: 'pay' }] }];
    expect((await clientOf(converse(), new Provider(), list)).tools).toEqual(list);
  });
  test("that return no functionResponse end the run: their parts would pass for the user's words", async () => {
    const { ai, tools } = await clientOf(converse(), new Provider(says(call('read_mail'))), [
      toolOf([], ['read_mail'], () => [{ text: POISON }]),
    ]);
    const config = { tools };
    const run = ai.models.generateContent({ model: 'm', contents: [ASKED], config });
    await expect(run).rejects.toThrow(/would pass for the words of the user/);
  });
  test('of an MCP server, whose results have no ids, are framed and checked', async () => {
    const ran: string[] = [];
    const client = {
      listTools: async () => ({
        tools: ['read_mail', 'send_mail'].map((name) => ({ name, inputSchema: { type: 'object' } })),
      }),
      callTool: async ({ name }: { name: string }) => {
        ran.push(name);
        return { content: [{ type: 'text', text: POISON }] };
      },
    };
    const provider = new Provider(says(call('read_mail', {}, 'a')), says(call('send_mail', TO_EVIL, 'b')));
    const { ai, tools } = await clientOf(converse(), provider, [mcpToTool(client as never)]);
    const config = { tools };
    await ai.models.generateContent({ model: 'm', contents: [ASKED], config });
    expect(ran).toEqual(['read_mail']);
    const [read, refused] = provider
      .responses(2)
      .map(({ response }) => response as { output?: string; error?: string });
    expect(read?.output).toContain('from=read_mail');
    expect(unframed(read?.output)).toContain(POISON);
    expect(refused?.error).toMatch(/^The call was not made/);
  });
});
