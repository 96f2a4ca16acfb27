import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { ChatOpenAI } from '@langchain/openai';
import { ScriptedModel } from '@sallyport/testing';
import { AIMessage, type BaseMessage, HumanMessage, initChatModel } from 'langchain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { converse, guarded, history, opened, POISON, resultsIn, scripted, sent } from './stage.ts';

const server = new ScriptedModel('chat');
let url = '';
beforeAll(async () => {
  url = `${await server.start()}/v1`;
});
beforeEach(() => {
  server.requests.length = 0;
});
afterAll(() => server.stop());

function bare(): ChatOpenAI {
  return new ChatOpenAI({ model: 'scripted', apiKey: 'none', configuration: { baseURL: url } });
}

function openai(): ChatOpenAI {
  return guarded({ model: bare() }).model;
}

function bound(): ReturnType<ChatOpenAI['bindTools']> {
  const { model, tools } = guarded({ model: bare() });
  return model.bindTools(tools);
}

/** The framed result of the latest request. The next request has to be a new one. */
function lastResult(): string | undefined {
  const texts = server.requests.at(-1)?.results[0]?.texts;
  server.requests.length = 0;
  return opened(texts?.join(''));
}

interface Invocable {
  invoke(messages: BaseMessage[]): Promise<unknown>;
  stream(messages: BaseMessage[]): Promise<AsyncIterable<unknown>>;
}

const SCHEMA = { title: 'answer', type: 'object', properties: { text: { type: 'string' } } };

/** Every way to call a model in LangChain. */
const ways: Record<string, () => Invocable | Promise<Invocable>> = {
  itself: () => openai(),
  'bound to tools': () => bound(),
  'with a config': () => openai().withConfig({ tags: ['a'] }),
  'bound and configured': () => bound().withConfig({ tags: ['a'] }),
  'tried again': () => openai().withRetry({ stopAfterAttempt: 2 }),
  'with something to fall back on': () => openai().withFallbacks([openai()]),
  'in a chain': () => openai().pipe((message: AIMessage) => message.text),
  'asked for an object': () => openai().withStructuredOutput(SCHEMA, { includeRaw: true, method: 'functionCalling' }),
  'in a binding that was there before': () => guarded({ model: bare().withRetry() as object }).model as Invocable,
};

describe('a guarded model', () => {
  for (const [name, make] of Object.entries(ways))
    test(`frames what it is sent: ${name}`, async () => {
      const model = await make();
      await model.invoke(history(POISON));
      expect(lastResult()).toBe(POISON);
      for await (const _ of await model.stream(history(POISON)));
      expect(lastResult()).toBe(POISON);
    });

  test('frames what it is sent: stream events, generate, and batches', async () => {
    for await (const _ of openai().streamEvents(history(POISON), { version: 'v2' }));
    expect(lastResult()).toBe(POISON);
    for await (const _ of openai().streamEvents(history(POISON)));
    expect(lastResult()).toBe(POISON);
    await openai().generate([history(POISON)]);
    expect(lastResult()).toBe(POISON);
    await openai().batch([history(POISON)]);
    expect(lastResult()).toBe(POISON);
  });

  test('frames what the Responses API is sent, with its own part types', async () => {
    const bodies: string[] = [];
    const refusing = async (_: unknown, init?: { body?: unknown }): Promise<Response> => {
      bodies.push(String(init?.body));
      return new Response('{"error":{"message":"stop"}}', { status: 400 });
    };
    const responses = new ChatOpenAI({
      model: 'gpt-5',
      apiKey: 'none',
      useResponsesApi: true,
      maxRetries: 0,
      configuration: { fetch: refusing },
    });
    const image = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };
    const { model: chat, tools } = guarded({ model: responses });
    const model = chat.bindTools(tools);
    await expect(model.invoke(history([{ type: 'input_text', text: POISON }, image]))).rejects.toThrow();
    const { input } = JSON.parse(bodies[0] ?? '{}') as { input: { type?: string; output?: { text?: string }[] }[] };
    const output = input.find(({ type }) => type === 'function_call_output')?.output ?? [];
    expect(output.map(({ text }) => text !== undefined && opened(text) !== undefined)).toEqual([true, true, false]);
    expect(output[2]).toEqual(image);
  });

  test('frames what a model is sent that is selected later by name', async () => {
    const options = { apiKey: 'none', configuration: { baseURL: url } };
    const { model: chosen, tools } = guarded({ model: await initChatModel('openai:scripted', options) });
    for (const model of [chosen, chosen.bindTools(tools), chosen.withConfig({ tags: ['a'] })] as Invocable[]) {
      await model.invoke(history(POISON));
      expect(lastResult()).toBe(POISON);
      for await (const _ of await model.stream(history(POISON)));
      expect(lastResult()).toBe(POISON);
    }
    const structured = chosen.withStructuredOutput(SCHEMA) as Invocable;
    await expect(structured.invoke(history(POISON))).rejects.toThrow('must be a chat model');
  });

  test('without its own streams is called as a whole', async () => {
    const model = scripted(new AIMessage('Well.'));
    const { model: chat } = guarded({ model });
    expect(chat._streamResponseChunks).toBe(BaseChatModel.prototype._streamResponseChunks);
    const chunks: unknown[] = [];
    for await (const { text } of await chat.stream(history(POISON))) chunks.push(text);
    expect(chunks).toEqual(['Well.']);
    expect(opened(resultsIn(sent(model, 0))[0]?.content)).toBe(POISON);
  });

  test('is still the same model, and is not wrapped twice', () => {
    const conversation = converse();
    const fake = scripted();
    const { model, tools } = guarded({ conversation, model: fake });
    expect(model).toBeInstanceOf(BaseChatModel);
    expect(model._llmType()).toBe(fake._llmType());
    const again = guarded({ conversation, model, tools });
    expect([again.model, ...again.tools]).toEqual([model, ...tools]);
    expect(again.model).toBe(model);
  });

  test('cannot be used for another conversation, nor can its tools', () => {
    const { model, tools } = guarded();
    expect(() => guarded({ model })).toThrow('protected for another conversation');
    expect(() => guarded({ tools })).toThrow('read_mail is protected for another conversation');
  });

  test('must be a chat model', () => {
    for (const model of [{}, 'openai:gpt-5', { invoke: async () => 'x' }, scripted().pipe((each: unknown) => each)])
      expect(() => guarded({ model: model as object })).toThrow('must be a chat model');
  });

  test('is sent the same bytes in another process', async () => {
    const messages = [...history(POISON), new AIMessage('Well.'), new HumanMessage('Go on.')];
    server.requests.length = 0;
    for (const model of [openai(), openai()]) await model.invoke(messages);
    expect(server.requests[0]?.bytes).toBe(server.requests[1]?.bytes);
  });
});
