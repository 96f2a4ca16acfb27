import type { AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { type Fields, fieldsOf, isFields, listOf, READING_RULES } from '@sallyport/core/adapter';
import { checkOffered, type Offer } from './offered.ts';
import { sanitized, sanitizedParts } from './output.ts';

/** Every form in which an agent accepts its model: an object, a name, a list of models to fall back on, or a function. */
export type Model = AgentConfig['model'];

export interface ModelGuard extends Offer {
  readonly rawOutput: boolean;
  /** Called when the model is asked. */
  readonly onAsked: () => void;
}

type Ask = (options: unknown) => PromiseLike<unknown>;
type Choose = (context: { requestContext: never; mastra?: never }) => unknown;

/** Refuses a request with tools that the processor has not seen: tool results would be read without frames. */
function checkRendered(prompt: unknown, tools: readonly Fields[]): void {
  const isRendered = listOf(prompt).some((message) => String(fieldsOf(message).content).includes(READING_RULES));
  if (tools.length > 0 && !isRendered)
    throw new Error(
      'The request was made without the processor of protect(). Keep its `inputProcessors`, as the last of the list, in the agent and in every call that has its own.',
    );
}

function sanitizedAnswer({ conversation, rawOutput }: ModelGuard, answer: unknown): unknown {
  if (rawOutput || !isFields(answer)) return answer;
  const { content, stream } = answer;
  return {
    ...answer,
    ...(Array.isArray(content) ? { content: sanitized(conversation, content) } : {}),
    ...(stream instanceof ReadableStream ? { stream: stream.pipeThrough(sanitizedParts(conversation)) } : {}),
  };
}

function guardModel(guard: ModelGuard, model: object): object {
  const { specificationVersion } = model as Fields;
  if (specificationVersion === 'v1')
    throw new TypeError('`model` must be a model of the AI SDK 5 or later: an older one cannot be protected.');
  const ask =
    (own: Ask): Ask =>
    async (options) => {
      const { prompt, tools } = fieldsOf(options);
      const offered = listOf(tools).filter(isFields);
      guard.onAsked();
      // A tool of the provider is offered under the provider's name for it.
      checkOffered(
        guard,
        offered.filter(({ type }) => type === 'function').map(({ name }) => String(name)),
      );
      checkRendered(prompt, offered);
      const shown =
        tools === undefined ? options : { ...fieldsOf(options), tools: await guard.descriptions.shown(tools) };
      return sanitizedAnswer(guard, await own(shown));
    };
  return new Proxy(model, {
    get(target, name) {
      // Models have private members, which only the model itself can read.
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'constructor') return value;
      return name === 'doStream' || name === 'doGenerate' ? ask(value.bind(target) as Ask) : value.bind(target);
    },
  });
}

function isModelObject(model: unknown): model is object {
  return isFields(model) && typeof model.doStream === 'function';
}

/** The same model, whose requests are checked and whose answers are sanitized, in the form that it was given. */
export function protectModel(guard: ModelGuard, model: unknown): Model {
  if (isModelObject(model)) return guardModel(guard, model) as MastraModelConfig;
  if (Array.isArray(model))
    return model.map((each: Fields) => ({ ...each, model: protectModel(guard, each.model) })) as unknown as Model;
  if (typeof model === 'function')
    return (async (context: never) => resolved(guard, await (model as Choose)(context), context)) as Model;
  // A name is resolved when the agent runs: Mastra may have more providers then.
  return (async (context: never) => resolved(guard, model, context)) as Model;
}

async function resolved(guard: ModelGuard, model: unknown, context: Parameters<Choose>[0]): Promise<unknown> {
  if (isModelObject(model) || Array.isArray(model)) return protectModel(guard, model);
  const { resolveModelConfig } = await import('@mastra/core/llm');
  return guardModel(guard, await resolveModelConfig(model as never, context.requestContext, context.mastra));
}
