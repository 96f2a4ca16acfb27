import type { BetaToolRunnerParams } from '@anthropic-ai/sdk/lib/tools/BetaToolRunner';
import { createBoundary } from '@sallyport/core';
import { describe, expect, test } from 'vitest';
import { protect } from '../src/index.ts';
import { type Body, bareClient, calling, clientOf, conversationOf, replyOf } from './world.ts';

function tool(name: string, ...parameters: readonly string[]): Body {
  const properties = Object.fromEntries(parameters.map((each) => [each, { type: 'string' }]));
  return { name, input_schema: { type: 'object', properties }, parse: (given: unknown) => given, run: () => 'done' };
}

const MESSAGES = [{ role: 'user', content: 'Hi.' }];
const PARAMS = { model: 'm', max_tokens: 9, messages: MESSAGES };

function paramsOf(tools: readonly unknown[]): BetaToolRunnerParams {
  return { ...PARAMS, tools } as unknown as BetaToolRunnerParams;
}

describe('tools at wiring', () => {
  const wire = (tools: Body[], declare: object) =>
    protect(createBoundary().conversation('c'), { client: bareClient().client, tools, declare: declare as never });

  test('are declared by protect', async () => {
    const conversation = createBoundary().conversation('c');
    const declare = { send_mail: { effect: 'send' as const, modelText: ['body'] } };
    protect(conversation, { client: bareClient().client, tools: [tool('send_mail', 'to', 'body')], declare });
    expect(conversation.tools.get('send_mail')?.effect).toBe('send');
  });
  test('without a declaration, and declarations without a tool, are refused', () => {
    expect(() => wire([tool('read_mail')], {})).toThrow(/read_mail is not declared/);
    expect(() => wire([tool('pay')], { pay: { effect: 'spend' }, pey: { effect: 'spend' } })).toThrow(/names pey/);
    expect(() => wire([tool('pay', 'iban')], { pay: { effect: 'spend', modelText: ['ibam'] } })).toThrow(/mean iban/);
  });
  test('that the provider runs are declared too', () => {
    const search = { type: 'web_search_20260209', name: 'web_search' };
    expect(() => wire([search], {})).toThrow(/web_search is not declared/);
    expect(wire([search], { web_search: { effect: 'read' } }).tools).toEqual([search]);
  });
  test('of a toolset are declared by its name and theirs', () => {
    const browser = { type: 'browser_toolset_20260801', run: () => 'done' };
    const server = { type: 'mcp_toolset', mcp_server_name: 'wiki' };
    const declare = { 'browser.navigate': { effect: 'read' }, 'wiki.find': { effect: 'read' } };
    expect(wire([browser, server], declare).tools).toHaveLength(2);
    expect(() => wire([browser], declare)).toThrow(/names wiki\.find/);
  });
});

describe('a tool that is not protected', () => {
  const wired = () => clientOf(conversationOf(), [], { tools: [tool('send_mail', 'to', 'body')] });
  const NOT = /is not protected.*use only the tools that it returns/;

  test('fails a request that offers it, in the tools or in a message that adds it', async () => {
    const { client, sent } = wired();
    await expect(client.messages.create({ ...PARAMS, tools: [tool('pay')] } as never)).rejects.toThrow(NOT);
    const added = { type: 'tool_addition', tool: { type: 'tool_definition', definition: { name: 'pay' } } };
    const messages = [...MESSAGES, { role: 'system', content: [added] }];
    await expect(client.beta.messages.create({ ...PARAMS, messages } as never)).rejects.toThrow(/tool pay is offered/);
    expect(sent).toEqual([]);
  });
  test('is refused by the tool runner and by a thread, even if one of its name is protected', () => {
    const { client, tools } = wired();
    const bare = paramsOf([tool('send_mail', 'to', 'body')]);
    expect(() => client.beta.messages.toolRunner(bare)).toThrow(NOT);
    expect(() => client.beta.messages.thread(bare)).toThrow(NOT);
    expect(() => client.beta.messages.toolRunner(paramsOf(wired().tools))).toThrow(NOT);
    expect(() => client.beta.messages.toolRunner(paramsOf([{ ...tools[0], description: 'x' }]))).not.toThrow();
  });
  test('is refused if it is added to a runner', async () => {
    const { client, tools } = clientOf(conversationOf(), [{ body: replyOf([calling('t1', 'read_file', {})]) }], {
      tools: [tool('read_file')],
    });
    const runner = client.beta.messages.toolRunner({ ...paramsOf(tools), thread: false });
    runner.addTools(tool('pay') as never);
    await expect(runner.runUntilDone()).rejects.toThrow(/pay is offered/);
  });
});
