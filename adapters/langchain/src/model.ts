import type { Conversation } from '@sallyport/core';
import { fieldsOf, isFields, isSummary } from './message.ts';
import { show } from './show.ts';

type Generate = (messages: readonly object[], ...rest: unknown[]) => Promise<unknown>;
type Stream = (messages: readonly object[], ...rest: unknown[]) => AsyncIterable<unknown>;
type Method = (...given: unknown[]) => unknown;

const STREAMS: ReadonlySet<unknown> = new Set(['_streamResponseChunks', '_streamChatModelEvents']);
/** What gives a model back gives back one without a guard. */
const MAKERS: ReadonlySet<unknown> = new Set(['bindTools', 'withConfig', 'bind', 'withStructuredOutput']);

const guarded = new WeakSet<object>();

function isModel(value: unknown): boolean {
  if (!isFields(value)) return false;
  return (
    typeof value._generate === 'function' || typeof value._getModelInstance === 'function' || isFields(value.bound)
  );
}

/** The base class has streams that say they are none, and it knows them again only if they are the very same. */
function isInherited(model: object, name: PropertyKey): boolean {
  let base: unknown;
  for (let each: object | null = model; each !== null; each = Object.getPrototypeOf(each))
    base = Object.getOwnPropertyDescriptor(each, name)?.value ?? base;
  return base === (model as Record<PropertyKey, unknown>)[name];
}

/**
 * LangChain's summariser is sent the history as one text, which would be a user's. It has no tools, and what it writes comes back
 * marked as a summary: its text is let through, and nothing in it counts as said by anybody.
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

/** The same model behind the boundary, also where it is bound, configured or chosen later. */
export function guardModel<M extends object>(conversation: Conversation, model: M): M {
  if (guarded.has(model)) return model;
  if (!isModel(model))
    throw new TypeError('model() takes a chat model, or one that is bound to tools: guard it before you build on it.');
  const proxy = new Proxy<M>(model, new Handler(conversation));
  guarded.add(proxy);
  return proxy;
}
