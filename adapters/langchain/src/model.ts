import type { Conversation } from '@sallyport/core';
import { fieldsOf, isFields } from '@sallyport/core/adapter';
import { isSummary } from './message.ts';
import { show } from './show.ts';

type Generate = (messages: readonly object[], ...rest: unknown[]) => Promise<unknown>;
type Stream = (messages: readonly object[], ...rest: unknown[]) => AsyncIterable<unknown>;
type Method = (...given: unknown[]) => unknown;

const STREAMS: ReadonlySet<unknown> = new Set(['_streamResponseChunks', '_streamChatModelEvents']);
/** Methods that return a model: their result has to be guarded too. */
const MAKERS: ReadonlySet<unknown> = new Set(['bindTools', 'withConfig', 'bind', 'withStructuredOutput']);

const guarded = new WeakSet<object>();

function isModel(value: unknown): boolean {
  if (!isFields(value)) return false;
  return (
    typeof value._generate === 'function' || typeof value._getModelInstance === 'function' || isFields(value.bound)
  );
}

/** Whether a method is the base class's. LangChain detects a model without streaming by comparing its methods with these. */
function isInherited(model: object, name: PropertyKey): boolean {
  let base: unknown;
  for (let each: object | null = model; each !== null; each = Object.getPrototypeOf(each))
    base = Object.getOwnPropertyDescriptor(each, name)?.value ?? base;
  return base === (model as Record<PropertyKey, unknown>)[name];
}

/**
 * Whether LangChain's summarizer calls the model. It sends the history as one text, which would count as the user's words. It has
 * no tools, and its answer is marked as a summary, so the text passes unchanged and is not recorded.
 */
function isForSummary(input: unknown, config: unknown): boolean {
  return typeof input === 'string' && isSummary({ additional_kwargs: fieldsOf(config).metadata });
}

class Handler implements ProxyHandler<object> {
  readonly #conversation: Conversation;

  constructor(conversation: Conversation) {
    this.#conversation = conversation;
  }

  get(model: object, name: PropertyKey, receiver: unknown): unknown {
    const value: unknown = Reflect.get(model, name, receiver);
    if (name === 'bound') return guardModel(this.#conversation, value as object);
    if (typeof value !== 'function') return value;
    if (name === 'invoke') return this.#invoke(value.bind(receiver) as Method, value.bind(model) as Method);
    if (name === '_generate') return this.#generate(value.bind(model) as Generate);
    if (STREAMS.has(name)) return isInherited(model, name) ? value : this.#stream(value.bind(model) as Stream);
    if (name === '_getModelInstance') return this.#instance(value.bind(model) as Method);
    return MAKERS.has(name) ? this.#maker(value.bind(receiver) as Method) : value;
  }

  #invoke(invoke: Method, invokeBare: Method): Method {
    return (input, config, ...rest) => (isForSummary(input, config) ? invokeBare : invoke)(input, config, ...rest);
  }

  #generate(generate: Generate): Generate {
    return async (messages, ...rest) => generate(await show(this.#conversation, messages), ...rest);
  }

  #stream(stream: Stream): Stream {
    const conversation = this.#conversation;
    return async function* (messages, ...rest) {
      yield* stream(await show(conversation, messages), ...rest);
    };
  }

  #instance(instance: Method): Method {
    return async (...given) => guardModel(this.#conversation, (await instance(...given)) as object);
  }

  #maker(make: Method): Method {
    return (...given) => {
      const made = make(...given);
      return isModel(made) ? guardModel(this.#conversation, made as object) : made;
    };
  }
}

/** The same model behind the boundary, even if it is bound, configured or selected later. */
export function guardModel<M extends object>(conversation: Conversation, model: M): M {
  if (guarded.has(model)) return model;
  if (!isModel(model))
    throw new TypeError(
      '`model` must be a chat model, or one bound to tools; received another object. Guard the model before you compose it.',
    );
  const proxy = new Proxy<M>(model, new Handler(conversation));
  guarded.add(proxy);
  return proxy;
}
