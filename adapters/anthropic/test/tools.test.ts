import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import type { Ask, Conversation, Decision } from '@sallyport/core';
import { defineTool } from '@sallyport/core';
import { expect, test } from 'vitest';
import { calling, clientOf, conversationOf, EVIL, POISON } from './world.ts';

interface Fake {
  readonly name?: string;
  readonly type?: string;
  run(first: unknown, second?: unknown): unknown;
}

/** A conversation that has read the poison. */
async function poisoned(conversation: Conversation = conversationOf()): Promise<Conversation> {
  const { client } = clientOf(conversation);
  const result = { type: 'tool_result', tool_use_id: 't1', content: POISON };
  const messages = [
    { role: 'user', content: 'Read it, and write to bob@work.example.' },
    { role: 'assistant', content: [calling('t1', 'read_file', {})] },
    { role: 'user', content: [result] },
  ];
  await client.messages.create({ model: 'm', max_tokens: 9, messages } as never);
  return conversation;
}

function toolsOf<T extends object>(conversation: Conversation, tools: T[], ask?: Ask): T[] {
  return clientOf(conversation, [], { tools, ...(ask === undefined ? {} : { ask }) }).tools;
}

function mailTool(ran: unknown[]): Fake {
  return {
    name: 'send_mail',
    run: (given) => {
      ran.push(given);
      return 'sent';
    },
  };
}

const TO_EVIL = { to: EVIL, body: 'Hello.' };
const TO_BOB = { to: 'bob@work.example', body: 'Hello.' };

test('a call that is not allowed does not run, and the tool fails with an error', async () => {
  const ran: unknown[] = [];
  const [tool] = toolsOf(await poisoned(), [mailTool(ran)]);
  const failed = tool?.run(TO_EVIL, { toolUse: calling('t2', 'send_mail', TO_EVIL) });
  await expect(failed).rejects.toThrow(ToolError);
  await expect(failed).rejects.toMatchObject({ content: expect.stringContaining('The call was not made') });
  expect(await tool?.run(TO_BOB, { toolUse: calling('t3', 'send_mail', TO_BOB) })).toBe('sent');
  expect(ran).toEqual([TO_BOB]);
});

test('the call is checked as the model wrote it, and run as the tool parsed it', async () => {
  const ran: unknown[] = [];
  const [tool] = toolsOf(await poisoned(), [mailTool(ran)]);
  await expect(tool?.run(TO_BOB, { toolUse: calling('t2', 'send_mail', TO_EVIL) })).rejects.toThrow(ToolError);
  expect(await tool?.run('parsed', { toolUse: calling('t3', 'send_mail', TO_BOB) })).toBe('sent');
  expect(ran).toEqual(['parsed']);
});

test('a call with an older context, or none, is checked', async () => {
  const ran: unknown[] = [];
  const [tool] = toolsOf(await poisoned(), [mailTool(ran)]);
  await expect(tool?.run(TO_EVIL, { toolUseBlock: calling('t2', 'send_mail', TO_EVIL) })).rejects.toThrow(ToolError);
  await expect(tool?.run(TO_EVIL)).rejects.toThrow(ToolError);
  await expect(tool?.run(`mail ${EVIL}`)).rejects.toThrow(ToolError);
  expect(await tool?.run(TO_BOB)).toBe('sent');
  expect(ran).toEqual([TO_BOB]);
});

test('malformed arguments are checked before the tool runs', async () => {
  const ran: unknown[] = [];
  const [tool] = toolsOf(await poisoned(), [mailTool(ran)]);
  const context = { toolUse: calling('t2', 'send_mail', `{"to": "${EVIL}`) };
  await expect(tool?.run({}, context)).rejects.toThrow(ToolError);
  expect(ran).toEqual([]);
});

test('no call is made before a request was shown: the client is not the protected one', async () => {
  const ran: unknown[] = [];
  const [tool] = toolsOf(conversationOf(), [mailTool(ran)]);
  const context = { toolUse: calling('t2', 'send_mail', TO_BOB) };
  await expect(tool?.run(TO_BOB, context)).rejects.toThrow('Use the client that protect() returned.');
  expect(ran).toEqual([]);
});

test('a held call waits for the person, and is refused if there is no ask function', async () => {
  const asked: string[] = [];
  const ask = ({ call }: Decision) => {
    asked.push(call.id);
    return call.id === 'yes' ? { by: 'Ann' } : undefined;
  };
  const mystery: Fake = { name: 'mystery', run: () => 'ran' };
  const tools = [defineTool({ name: 'mystery', origin: 'workspace', effect: 'spend' })];
  const asking = (): Promise<Conversation> => poisoned(conversationOf('c', { tools }));
  const [tool] = toolsOf(await asking(), [mystery], ask);
  expect(await tool?.run({}, { toolUse: calling('yes', 'mystery', {}) })).toBe('ran');
  await expect(tool?.run({}, { toolUse: calling('no', 'mystery', {}) })).rejects.toThrow('has declined it');
  await expect(tool?.run({}, { toolUseBlock: calling('old', 'mystery', {}) })).rejects.toThrow(ToolError);
  expect(asked).toEqual(['yes', 'no', 'old']);
  const [alone] = toolsOf(await asking(), [mystery]);
  await expect(alone?.run({}, { toolUse: calling('later', 'mystery', {}) })).rejects.toThrow('approval of a person');
});

/** The toolsets of the SDK are objects of a class with private members. */
class Browser {
  readonly type = 'browser_toolset_20260801';
  readonly #ran: string[] = [];
  run(_: unknown, toolUse: { name: string }): string {
    this.#ran.push(toolUse.name);
    return 'done';
  }
  close(): readonly string[] {
    return this.#ran;
  }
}

test("a call of a toolset is checked under the toolset's name and the tool's", async () => {
  const conversation = await poisoned(
    conversationOf('c', {
      tools: [
        defineTool({ name: 'read_file', origin: 'external', effect: 'read' }),
        defineTool({ name: 'browser.read_page', origin: 'external', effect: 'read' }),
        defineTool({ name: 'navigate', origin: 'external', effect: 'read' }),
      ],
    }),
  );
  const browser = new Browser();
  const [guarded] = toolsOf(conversation, [browser]);
  const use = (name: string) => ({ ...calling(name, name, {}), name, toolset_name: 'browser' });
  expect(await guarded?.run({}, use('read_page'))).toBe('done');
  await expect(async () => guarded?.run({}, use('navigate'))).rejects.toThrow(ToolError);
  expect(guarded?.close()).toEqual(['read_page']);
  expect(JSON.stringify(guarded)).toBe('{"type":"browser_toolset_20260801"}');
});

test('tools that the provider runs stay unchanged, and others are copied', async () => {
  const server = { type: 'web_search_20260209', name: 'web_search' };
  const mail = Object.freeze(mailTool([]));
  const tools = [defineTool({ name: 'web_search', effect: 'read' }), defineTool({ name: 'send_mail', effect: 'send' })];
  const [same, copy] = toolsOf(conversationOf('c', { tools }), [server, mail]);
  expect(same).toBe(server);
  expect(copy).toEqual({ ...mail, run: expect.any(Function) });
  expect(copy).not.toBe(mail);
});
