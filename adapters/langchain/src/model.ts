import { fieldsOf, isFields } from '@sallyport/core/adapter';
import { AnswerEvents } from './events.ts';
import { isSummary } from './message.ts';
import { AnswerChunks, sanitizedResult } from './output.ts';
import type { Guard } from './settle.ts';
import { show } from './show.ts';
import { type Manager, sanitizingTokens, silent, type Token } from './tokens.ts';
import { checkOffered, shownOptions } from './tools.ts';

type Messages = readonly object[];
type Generate = (messages: Messages, options?: unknown, manager?: Manager, ...rest: unknown[]) => Promise<unknown>;
type Stream = (messages: Messages, options?: unknown, manager?: Manager, ...rest: unknown[]) => AsyncIterable<unknown>;
type Method = (...given: unknown[]) => unknown;

/** Methods that return a model: their result has to be guarded too. */
const MAKERS: ReadonlySet<unknown> = new Set(['bindTools', 'withConfig', 'bind', 'withStructuredOutput']);

/** The guard of each guarded model. */
const guards = new WeakMap<object, Guard>();

function isModel(value: unknown): boolean {
  if (!isFields(value)) return false;
  return (
    typeof value._generate === 'function' || typeof value._getModelInstance === 'function' || isFields(value.bound)
  );
}

/** Checks that a method is the base class's. LangChain recognizes a model without streaming by such methods. */
function isInherited(model: object, name: PropertyKey): boolean {
  let base: unknown;
  for (let each: object | null = model; each !== null; each = Object.getPrototypeOf(each))
    base = Object.getOwnPropertyDescriptor(each, name)?.value ?? base;
  return base === (model as Record<PropertyKey, unknown>)[name];
}

/**
 * Recognizes a request of LangChain's summarizer. It sends the history as one text, which would count as the user's
 * words. It has no tools, and its answer is marked as a summary, so the text passes unchanged and is not recorded.
 */
function isForSummary(input: unknown, config: unknown): boolean {
  return typeof input === 'string' && isSummary({ additional_kwargs: fieldsOf(config).metadata });
}

class Handler implements ProxyHandler<object> {
  readonly #guard: Guard;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  get(model: object, name: PropertyKey, receiver: unknown): unknown {
    const value: unknown = Reflect.get(model, name, receiver);
    if (name === 'bound' && isFields(value)) return guardModel(this.#guard, value as object);
    if (typeof value !== 'function') return value;
    if (name === 'invoke') return this.#invoke(value.bind(receiver) as Method, value.bind(model) as Method);
    if (name === '_generate') return this.#generate(value.bind(model) as Generate);
    if (name === '_getModelInstance') return this.#instance(value.bind(model) as Method);
    if (MAKERS.has(name)) return this.#maker(value.bind(receiver) as Method, name);
    if (name === '_streamResponseChunks' && !isInherited(model, name)) return this.#chunks(value.bind(model) as Stream);
    if (name === '_streamChatModelEvents' && !isInherited(model, name))
      return this.#events(value.bind(model) as Stream);
    return value;
  }

  #invoke(invoke: Method, invokeBare: Method): Method {
    return (input, config, ...rest) => {
      this.#guard.checkThread(config);
      return (isForSummary(input, config) ? invokeBare : invoke)(input, config, ...rest);
    };
  }

  /** The messages that the model is sent, and the options with tools. */
  async #shown(messages: Messages, options: unknown): Promise<readonly [Messages, unknown]> {
    const { conversation, descriptions } = this.#guard;
    checkOffered(conversation, fieldsOf(options).tools);
    const shown = await show(conversation, messages);
    return [shown, await shownOptions(descriptions, options)];
  }

  #generate(generate: Generate): Generate {
    const { conversation, rawOutput } = this.#guard;
    return async (messages, options, manager, ...rest) => {
      const shown = await this.#shown(messages, options);
      if (rawOutput) return generate(...shown, manager, ...rest);
      const tokens = sanitizingTokens(conversation, manager);
      const result = await generate(...shown, tokens.manager, ...rest);
      await tokens.end();
      return sanitizedResult(conversation, result);
    };
  }

  #chunks(stream: Stream): Stream {
    const { conversation, rawOutput } = this.#guard;
    const shown = this.#shown.bind(this);
    return async function* (messages, options, manager, ...rest) {
      const request = await shown(messages, options);
      if (rawOutput) return yield* stream(...request, manager, ...rest);
      const chunks = new AnswerChunks(conversation);
      // A model reports its tokens itself, before or after it yields them: here, only what is shown is reported.
      const pass = async function* (list: readonly Token[]): AsyncGenerator<unknown> {
        for (const chunk of list) {
          yield chunk;
          await manager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
        }
      };
      for await (const chunk of stream(...request, silent(manager), ...rest)) yield* pass(chunks.push(chunk as Token));
      yield* pass(chunks.end());
    };
  }

  #events(stream: Stream): Stream {
    const { conversation, rawOutput } = this.#guard;
    const shown = this.#shown.bind(this);
    return async function* (messages, options, ...rest) {
      const request = await shown(messages, options);
      if (rawOutput) return yield* stream(...request, ...rest);
      const events = new AnswerEvents(conversation);
      for await (const event of stream(...request, ...rest)) yield* events.push(event);
      yield* events.end();
    };
  }

  #instance(instance: Method): Method {
    return async (...given) => guardModel(this.#guard, (await instance(...given)) as object);
  }

  #maker(make: Method, name: PropertyKey): Method {
    return (...given) => {
      if (name === 'bindTools') checkOffered(this.#guard.conversation, given[0]);
      const made = make(...given);
      return isModel(made) ? guardModel(this.#guard, made as object) : made;
    };
  }
}

/** The same model behind the boundary, even if it is bound, configured or selected later. */
export function guardModel<M extends object>(guard: Guard, model: M): M {
  const known = guards.get(model);
  if (known?.conversation === guard.conversation) return model;
  if (known !== undefined) throw new TypeError('`model` is protected for another conversation: pass the model itself.');
  if (!isModel(model))
    throw new TypeError(
      '`model` must be a chat model, or one bound to tools; received something else. Protect the model before you compose it, and give it as an object: await initChatModel(name).',
    );
  const proxy = new Proxy<M>(model, new Handler(guard));
  guards.set(proxy, guard);
  return proxy;
}
