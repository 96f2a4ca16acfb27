import type { Content, Turn } from '@sallyport/core';
import { type Fields, fieldsOf, isFields, stringOf } from '@sallyport/core/adapter';
import { contentOf, partOf } from './prompt/part.ts';
import { userRangesOf } from './prompt/thread.ts';
import { ATTACHED } from './prompt/turns.ts';
import { signalOf, turnOf } from './prompt/voices.ts';

/** The context of a tool call. Mastra passes the agent to its own tools, and only the call to others. */
export interface CallContext {
  readonly id: string;
  /** An object that identifies the run in every hook; undefined if the agent has no memory. */
  readonly run: object | undefined;
  /** The messages of the thread; none if the agent has no memory. */
  stored(): Promise<readonly unknown[]>;
}

/** The key of the request context under which Mastra stores an object that is new for every run. */
const MEMORY = 'MastraMemory';

interface Memory {
  recall(of: { threadId: string; resourceId?: string; perPage: false }): PromiseLike<{ messages: unknown[] }>;
}

function isMemory(value: unknown): value is Memory {
  return typeof value === 'object' && value !== null && 'recall' in value && typeof value.recall === 'function';
}

/** The object of a run. Approval rules receive the entries of a request context, other hooks the context itself. */
export function runOf(context: unknown): object | undefined {
  const { requestContext } = fieldsOf(context);
  if (!isFields(requestContext)) return undefined;
  const { get } = requestContext;
  const memory: unknown = typeof get === 'function' ? get.call(requestContext, MEMORY) : requestContext[MEMORY];
  return isFields(memory) ? memory : undefined;
}

export function contextOf(context: unknown): CallContext {
  const { agent, memory, toolCallId } = fieldsOf(context);
  const { toolCallId: id = toolCallId, threadId, resourceId } = fieldsOf(agent);
  return {
    id: stringOf(id) ?? '',
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
  const { result, errorText } = fieldsOf(toolInvocation);
  const { modelOutput } = fieldsOf(fieldsOf(providerMetadata).mastra);
  if (typeof errorText === 'string') return errorText;
  if (isFields(modelOutput)) return contentOf(modelOutput);
  return stringOf(result) ?? { json: result ?? null };
}

function* assistantTurns(message: Fields): Generator<Turn> {
  let results: Turn[] = [];
  for (const part of partsOf(message)) {
    // All calls of a step are made before a result is read.
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
    else if (isUser) yield* userRangesOf(text, parts.length === 1).map(({ turn }) => turn);
    else yield turnOf(text, voice);
  }
}

/** The turns of stored messages, in the order in which a model read them. */
export function storedTurns(messages: readonly unknown[]): readonly Turn[] {
  return messages
    .filter(isFields)
    .flatMap((message) => [...(message.role === 'assistant' ? assistantTurns(message) : otherTurns(message))]);
}
