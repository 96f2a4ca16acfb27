import { protect } from '@sallyport/openai';
import { OpenAI } from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { call, clientOf, completion, type Json, response, start } from './world.ts';

const ran: unknown[] = [];
const parameters = { type: 'object' as const, properties: { to: { type: 'string' as const } } };
const readMail = {
  type: 'function' as const,
  function: { name: 'read_mail', description: 'reads', parameters, function: () => ran.push('read') },
};
const plain = { type: 'function' as const, name: 'read_mail', parameters, strict: false };
const ask = { model: 'm', messages: [{ role: 'user' as const, content: 'What is new?' }] };
const client = new OpenAI({ apiKey: 'none' });

describe('tools that were not passed to protect()', () => {
  it.each([
    [
      'a function',
      '/chat/completions',
      { messages: [], tools: [{ type: 'function', function: { name: 'pay' } }] },
      'pay',
    ],
    [
      'a custom tool',
      '/chat/completions',
      { messages: [], tools: [{ type: 'custom', custom: { name: 'pay' } }] },
      'pay',
    ],
    ['a deprecated function', '/chat/completions', { messages: [], functions: [{ name: 'pay' }] }, 'pay'],
    ['a function', '/responses', { tools: [plain, { ...plain, name: 'pay' }] }, 'pay'],
    [
      'a namespace',
      '/responses',
      { tools: [{ type: 'namespace', name: 'crm', tools: [{ ...plain, name: 'pay' }] }] },
      'pay',
    ],
    ['a shell', '/responses', { tools: [{ type: 'shell' }] }, 'shell'],
    ['a search', '/responses', { tools: [{ type: 'web_search_preview_2025_03_11' }] }, 'web_search'],
    ['a computer', '/responses', { tools: [{ type: 'computer_use_preview' }] }, 'computer'],
    ['a hosted server', '/responses', { tools: [{ type: 'mcp', server_label: 'crm' }] }, 'crm'],
    [
      'an item',
      '/responses',
      { input: [{ type: 'additional_tools', tools: [{ type: 'mcp', server_label: 'crm' }] }] },
      'crm',
    ],
  ])('fail the request: %s for %s', async (_, path, body, name) => {
    const { client: own, provider } = clientOf([{}], { tools: [readMail] });
    await expect(own.post(path, { body })).rejects.toThrow(`400 The tool ${name} is offered to the model, but`);
    expect(provider.sent).toEqual([]);
  });

  it('do not fail it if they were passed, in any of their forms', async () => {
    const search = { type: 'web_search_preview' as const };
    const crm = { type: 'mcp' as const, server_label: 'crm' };
    const conversation = start();
    const { tools } = protect(conversation, {
      client,
      tools: [plain, search, crm],
      declare: {
        read_mail: { effect: 'read', origin: 'external' },
        web_search: { effect: 'read', origin: 'external' },
      },
    });
    expect(tools).toEqual([plain, search, crm]);
    const { client: own } = clientOf([response()], { tools: [plain, crm] });
    await own.responses.create({
      model: 'm',
      input: 'Hi',
      tools: [plain, { ...crm, server_url: 'https://crm.example' }],
    });
  });
});

describe('calls that were made without a check', () => {
  it('fail the next request if the given tools run in place of the protected ones', async () => {
    const { client: own, provider } = clientOf([completion(call('1', 'read_mail'))], { tools: [readMail] });
    const run = own.chat.completions.runTools({ ...ask, tools: [readMail] }).done();
    await expect(run).rejects.toThrow(/400 A call of the tool read_mail was made, but it is not behind the gate/);
    expect(provider.sent).toHaveLength(1);
  });

  it('fail the next request of a loop that forgets check()', async () => {
    const {
      client: own,
      check,
      provider,
    } = clientOf([response(call('1', 'read_mail')), response()], { tools: [plain] });
    const { output } = await own.responses.create({ model: 'm', input: 'Hi', tools: [plain] });
    const input = [...output, { type: 'function_call_output', call_id: '1', output: 'x' }] as never;
    await expect(own.responses.create({ model: 'm', input })).rejects.toThrow(/pass every call to check\(\)/);
    await check(output[0] as object);
    await own.responses.create({ model: 'm', input });
    expect(provider.sent).toHaveLength(2);
  });

  it('are noticed in streams', async () => {
    const delta = {
      role: 'assistant',
      tool_calls: [{ index: 0, id: '1', type: 'function', function: { name: 'read_mail', arguments: '{}' } }],
    };
    const chunk = { choices: [{ index: 0, delta, finish_reason: 'tool_calls' }] };
    const fetch = async () =>
      new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, {
        headers: { 'content-type': 'text/event-stream' },
      });
    const conversation = start();
    const options = { tools: [readMail], declare: conversation.tools };
    const { client: own } = protect(conversation, { client: client.withOptions({ fetch }), ...options });
    const run = own.chat.completions.runTools({ ...ask, stream: true, tools: [readMail] }).done();
    await expect(run).rejects.toThrow(/not behind the gate/);
  });

  it('are not suspected if the provider made them, or another process', async () => {
    const shell = { type: 'shell' as const };
    const made: Json[] = [
      { type: 'shell_call', call_id: 's', action: {} },
      { type: 'shell_call_output', call_id: 's', output: [] },
    ];
    const { client: own, provider } = clientOf([{ ...response(), output: made }, response()], {
      tools: [shell, plain],
    });
    const { output } = await own.responses.create({ model: 'm', input: 'Hi', tools: [shell] as never });
    const old = { type: 'function_call_output', call_id: 'old', output: 'x' };
    await own.responses.create({ model: 'm', input: [...output, old] as never });
    expect(provider.sent).toHaveLength(2);
  });
});

describe('declarations', () => {
  it.each([
    ['of a tool that is missing', {}, /The tool send_mail is not declared/],
    ['without a tool', { send_mail: { effect: 'send' }, send_mails: { effect: 'send' } }, /Did you mean send_mail\?/],
    ['with a misspelt argument', { send_mail: { effect: 'send', modelText: ['bodi'] } }, /Did you mean body\?/],
  ])('%s are refused', (_, declare, message) => {
    const schema = z.object({ to: z.string(), body: z.string() });
    const send = zodFunction({ name: 'send_mail', parameters: schema, function: () => 'sent' });
    const { conversation } = clientOf([]);
    const own = { type: 'function', name: 'send_mail', parameters: z.toJSONSchema(schema) };
    for (const tool of [send, own, { tool: own, execute: () => 'sent' }]) {
      const bare = { ...conversation, tools: { get: () => undefined }, declareTools: () => undefined } as never;
      expect(() => protect(bare, { client, tools: [tool as object], declare: declare as never })).toThrow(message);
    }
  });
});
