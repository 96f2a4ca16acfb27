import { createMiddleware, modelFallbackMiddleware, todoListMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { protect } from '../src/index.ts';
import {
  agentOf,
  calls,
  converse,
  guarded,
  HELLO,
  history,
  opened,
  POISON,
  READ,
  resultsIn,
  scripted,
  sent,
  THREAD,
  toolbox,
} from './stage.ts';

const mystery = (ran: unknown[] = []) =>
  tool(async () => String(ran.push('mystery')), { name: 'mystery', description: 'x', schema: { type: 'object' } });
const todo = { name: 'write_todos', args: { todos: [{ content: 'Read.', status: 'pending' }] } };

describe('a tool that is offered to the model', () => {
  test('is refused if it did not go through protect, however it is offered', async () => {
    const { model, tools } = guarded();
    expect(() => model.bindTools([...tools, mystery()])).toThrow('The tool mystery is offered');
    expect(() => model.bindTools(toolbox().tools)).toThrow('The tool read_mail is offered');
    const given = { tools: [mystery()] } as object;
    await expect(model.invoke('Hi', given)).rejects.toThrow('The tool mystery is offered');
    await expect(model.withConfig(given).invoke('Hi')).rejects.toThrow('The tool mystery is offered');
    expect(() => model.bindTools(guarded().tools)).toThrow('The tool read_mail is offered');
  });

  test('may be one of two protections of one conversation', async () => {
    const conversation = converse();
    const { tools } = guarded({ conversation });
    const { model } = guarded({ conversation, tools: [] });
    expect(() => model.bindTools(tools)).not.toThrow();
  });

  test('may be a description: of a tool that the provider runs, or of an answer', async () => {
    const { model, tools } = guarded();
    const answer = { type: 'function', function: { name: 'answer', parameters: { type: 'object' } } };
    expect(() => model.bindTools([...tools, { type: 'web_search' }, answer] as never)).not.toThrow();
  });
});

describe('a tool of middleware', () => {
  const conversation = () => {
    const own = converse();
    const { tools } = protect(own, {
      model: scripted(),
      tools: todoListMiddleware().tools ?? [],
      declare: { write_todos: { effect: 'write', origin: 'workspace', modelText: ['todos'] } } as never,
    });
    expect(tools).toHaveLength(1);
    return own;
  };

  test('is refused without the middleware of protect, and says what to do', async () => {
    const agent = agentOf({ model: scripted(), tools: toolbox().tools, before: [todoListMiddleware()] });
    await expect(agent.invoke(HELLO, THREAD)).rejects.toThrow(/write_todos is offered.*that protect\(\) returns last/);
  });

  test('is refused if it is not declared', async () => {
    const before = [todoListMiddleware()];
    const agent = agentOf({ model: scripted(), tools: toolbox().tools, before, hasMiddleware: true });
    await expect(agent.invoke(HELLO, THREAD)).rejects.toThrow(/write_todos, which middleware adds, is not declared/);
  });

  test('runs behind the gate if it is declared', async () => {
    const model = scripted(calls(todo));
    const before = [todoListMiddleware()];
    const given = { conversation: conversation(), model, tools: toolbox().tools, before, hasMiddleware: true };
    const { todos } = (await agentOf(given).invoke(HELLO, THREAD)) as { todos?: unknown };
    expect(todos).toEqual(todo.args.todos);
  });
});

test('a model that middleware selects reads frames, with the middleware of protect', async () => {
  const failing = scripted();
  failing.bindTools = () => {
    throw new Error('overloaded');
  };
  const other = scripted();
  const before = [modelFallbackMiddleware(other)];
  const agent = agentOf({ model: failing, tools: toolbox().tools, before, hasMiddleware: true });
  await agent.invoke({ messages: history(POISON) }, THREAD);
  expect(opened(resultsIn(sent(other, 0))[0]?.content)).toBe(POISON);
});

test('a guarded tool is asked about once, with the middleware of protect', async () => {
  const asked: string[] = [];
  const ask = ({ call }: { call: { tool: string } }) => {
    asked.push(call.tool);
    return { by: 'ann' };
  };
  const box = toolbox();
  const pay = { name: 'pay', args: { account: 'DE02120300' } };
  const model = scripted(calls(READ), calls(pay));
  await agentOf({ model, tools: box.tools, hasMiddleware: true, options: { ask } }).invoke(HELLO, THREAD);
  expect([asked, box.runsOf('pay')]).toEqual([['pay'], 1]);
});

test('the middleware fails for a model that it cannot protect', async () => {
  const naming = createMiddleware({
    name: 'Naming',
    wrapModelCall: (request, handler) => handler({ ...request, model: 'openai:gpt-5' as never }),
  });
  const agent = agentOf({ model: scripted(), tools: [], before: [naming], hasMiddleware: true });
  await expect(agent.invoke(HELLO, THREAD)).rejects.toThrow('must be a chat model');
});

describe('wiring', () => {
  const { tools } = toolbox();
  const model = scripted();
  const read = { effect: 'read', origin: 'external' } as const;
  const declare = { read_mail: read, send_mail: { effect: 'send' }, pay: { effect: 'spend' } } as const;

  test('refuses a tool without a declaration, and a declaration without a tool', () => {
    const conversation = converse();
    expect(() => protect(conversation, { model, tools: [mystery()], declare: {} as never })).toThrow('mystery is not');
    expect(() => protect(conversation, { model, tools, declare: { ...declare, sent_mail: read } })).toThrow(
      'Did you mean send_mail?',
    );
  });

  test.each([
    { title: 'a JSON Schema', schema: { type: 'object', properties: { body: { type: 'string' } } } },
    { title: 'a schema that converts itself', schema: standard(() => ({ properties: { body: {} } })) },
    {
      title: 'a schema that cannot be converted, with its shape',
      schema: {
        ...standard(() => {
          throw new Error('a date');
        }),
        shape: { body: {} },
      },
    },
    { title: 'a schema with nothing but its shape', schema: { shape: { body: {} } } },
  ])('refuses an argument that the tool does not have: $title', ({ schema }) => {
    const note = { name: 'note', schema, invoke: async () => 'x' };
    const declared = { note: { effect: 'write', modelText: ['bodi'] } };
    expect(() => protect(converse(), { model, tools: [note], declare: declared as never })).toThrow(
      'Did you mean body?',
    );
  });

  test('accepts a tool whose schema says nothing', () => {
    const note = { name: 'note', schema: standard(() => ({})), invoke: async () => 'x' };
    expect(() => protect(converse(), { model, tools: [note], declare: { note: { effect: 'write' } } })).not.toThrow();
  });
});

function standard(input: () => object) {
  return { '~standard': { version: 1, vendor: 'x', jsonSchema: { input } } };
}
