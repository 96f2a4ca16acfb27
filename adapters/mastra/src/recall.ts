import type { Content, Turn } from '@sallyport/core';
import { contentOf, type Fields, isFields, partOf, textOf } from './part.ts';
import { saidIn } from './thread.ts';
import { ATTACHED } from './turns.ts';
import { signalOf, turnOf } from './voices.ts';

/** Where a tool is called. A tool of Mastra's own kind is told of the agent, others of the call alone. */
export interface Surroundings {
  readonly id: string;
  /** What stands for the run: an object of its own that every seam is told of, where the agent has memory. */
  readonly run: object | undefined;
  /** What the thread holds, where the agent has memory. */
  stored(): Promise<readonly unknown[]>;
}

/** Where Mastra keeps what a run knows of its thread, made anew for every run. */
const MEMORY = 'MastraMemory';

interface Memory {
  recall(of: { threadId: string; resourceId?: string; perPage: false }): PromiseLike<{ messages: unknown[] }>;
}

function isMemory(value: unknown): value is Memory {
  return typeof value === 'object' && value !== null && 'recall' in value && typeof value.recall === 'function';
}

/** Rules of tools are handed the entries of a request context, others the context itself. */
export function runOf(context: unknown): object | undefined {
  const { requestContext } = isFields(context) ? context : ({} as Fields);
  if (!isFields(requestContext)) return undefined;
  const { get } = requestContext;
  const memory: unknown = typeof get === 'function' ? get.call(requestContext, MEMORY) : requestContext[MEMORY];
  return isFields(memory) ? memory : undefined;
}

export function surroundingsOf(context: unknown): Surroundings {
  const { agent, memory, toolCallId } = isFields(context) ? context : ({} as Fields);
  const { toolCallId: id = toolCallId, threadId, resourceId } = isFields(agent) ? agent : ({} as Fields);
  return {
    id: textOf(id) ?? '',
    run: runOf(context),
    async stored() {
      if (!isMemory(memory) || typeof threadId !== 'string') return [];
      const owner = typeof resourceId === 'string' ? { resourceId } : {};
      return (await memory.recall({ threadId, ...owner, perPage: false })).messages;
    },
  };
}

function partsOf({ content }: Fields): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!isFields(content) || !Array.isArray(content.parts)) return [{ type: 'unknown', content }];
  return content.parts.filter(isFields);
}

function outputOf({ toolInvocation, providerMetadata }: Fields): Content {
  const { result, errorText } = isFields(toolInvocation) ? toolInvocation : ({} as Fields);
  const mastra = isFields(providerMetadata) && isFields(providerMetadata.mastra) ? providerMetadata.mastra : {};
  if (typeof errorText === 'string') return errorText;
  if (isFields(mastra.modelOutput)) return contentOf(mastra.modelOutput);
  return textOf(result) ?? { json: result ?? null };
}

function* assistantTurns(message: Fields): Generator<Turn> {
  let results: Turn[] = [];
  for (const part of partsOf(message)) {
    // Calls of one step are made before any of their results is read.
    if (part.type === 'step-start') {
      yield* results;
      results = [];
    }
    const { toolInvocation } = part;
    if (part.type !== 'tool-invocation' || !isFields(toolInvocation)) continue;
    const id = String(toolInvocation.toolCallId);
    const tool = String(toolInvocation.toolName);
    yield { type: 'call', id, tool, arguments: toolInvocation.args ?? null };
    const isOpen = toolInvocation.state === 'call' || toolInvocation.state === 'partial-call';
    if (!isOpen) results.push({ type: 'result', id, tool, content: outputOf(part) });
  }
  yield* results;
}

function* otherTurns(message: Fields): Generator<Turn> {
  const [, voice = 'others'] = signalOf(message) ?? [];
  const isUser = message.role === 'user' || (message.role === 'signal' && signalOf(message) === undefined);
  const parts = partsOf(message);
  for (const part of parts) {
    const { type, text } = part;
    if (type !== 'text' || typeof text !== 'string')
      yield { type: 'content', source: ATTACHED, content: [partOf(part)] };
    else if (isUser) yield* saidIn(text, parts.length === 1).map(({ turn }) => turn);
    else yield turnOf(text, voice);
  }
}

/** The turns of messages as Mastra stores them, in the order in which a model read them. */
export function storedTurns(messages: readonly unknown[]): readonly Turn[] {
  return messages
    .filter(isFields)
    .flatMap((message) => [...(message.role === 'assistant' ? assistantTurns(message) : otherTurns(message))]);
}
