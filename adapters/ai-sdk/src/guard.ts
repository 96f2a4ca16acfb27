import type { Ask, Conversation, Decision } from '@sallyport/core';
import { canonicalJson, type Fields, isFields, listOf } from '@sallyport/core/adapter';
import type { ToolSet } from 'ai';
import type { Unchecked } from './offered.ts';
import { turnsOf } from './turns.ts';

/** The second argument that the SDK passes to a tool. */
interface ToolOptions {
  readonly toolCallId: string;
  readonly messages: readonly unknown[];
}

type Execute = (input: unknown, options: ToolOptions) => unknown;
type NeedsApproval = (input: unknown, options: ToolOptions) => PromiseLike<boolean> | boolean;

/** The state that the tools of one conversation share. */
export interface Gate {
  readonly conversation: Conversation;
  readonly unchecked: Unchecked;
  readonly ask: Ask | undefined;
}

interface Guarded extends Gate {
  readonly name: string;
  /** The input of each call that was allowed when the SDK asked about it, by its id. */
  readonly allowed: Map<string, string>;
}

function partsOf(messages: readonly unknown[]): Fields[] {
  return messages.filter(isFields).flatMap(({ content }) => listOf(content).filter(isFields));
}

/** Looks in the history for an unused approval of this call, with the same tool and the same input. */
function isApproved(name: string, input: unknown, { toolCallId, messages }: ToolOptions): boolean {
  const parts = partsOf(messages);
  const at = parts.findLastIndex((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId);
  const call = parts.slice(0, at).findLast((part) => part.type === 'tool-call' && part.toolCallId === toolCallId);
  if (at < 0 || call?.toolName !== name || canonicalJson(call.input ?? null) !== canonicalJson(input ?? null))
    return false;
  const later = parts.slice(at);
  const answers = later.filter(
    (part) => part.type === 'tool-approval-response' && part.approvalId === parts[at]?.approvalId,
  );
  const isUsed = later.some((part) => part.type === 'tool-result' && part.toolCallId === toolCallId);
  return !isUsed && answers.length > 0 && answers.every(({ approved }) => approved === true);
}

async function check(
  { conversation, unchecked, name }: Guarded,
  input: unknown,
  options: ToolOptions,
): Promise<Decision> {
  unchecked.check(options.toolCallId);
  // The history says what the model has read, even in a process that has just started or if the model is not wrapped.
  await conversation.render(turnsOf(options.messages).map(({ turn }) => turn));
  return conversation.check({ id: options.toolCallId, tool: name, arguments: input ?? null });
}

/** The decision when the tool is about to run. It takes an approval given since the first check into account. */
async function checkWithApproval(guarded: Guarded, input: unknown, options: ToolOptions): Promise<Decision> {
  const { conversation, name, ask } = guarded;
  const decision = await check(guarded, input, options);
  if (decision.outcome !== 'ask') return decision;
  const use = { id: options.toolCallId, tool: name, arguments: input ?? null };
  if (isApproved(name, input, options))
    return conversation.check(use, { ask: () => ({ by: 'approval in the history' }) });
  return ask === undefined ? decision : conversation.check(use, { ask });
}

/** A call that the gate did not allow. The message is the text for the model. */
class CallNotAllowedError extends Error {
  override readonly name = 'CallNotAllowedError';

  /** Without the name: the SDK shows this text to the model, and core recognizes a refusal in a history by its exact text. */
  override toString(): string {
    return this.message;
  }
}

/** Takes the mark of an allowed call. A second check would need, and count, a second approval. */
function wasAllowed({ allowed }: Guarded, input: unknown, { toolCallId }: ToolOptions): boolean {
  const checked = allowed.get(toolCallId);
  allowed.delete(toolCallId);
  return checked === canonicalJson(input ?? null);
}

async function requireAllowed(guarded: Guarded, input: unknown, options: ToolOptions): Promise<void> {
  if (wasAllowed(guarded, input, options)) return;
  const { outcome, result } = await checkWithApproval(guarded, input, options);
  if (outcome !== 'allow') throw new CallNotAllowedError(result);
}

async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** An async generator stays one, because the SDK shows its first values before the last one is ready. */
function guardExecute(guarded: Guarded, execute: Execute): Execute {
  if (Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]')
    return async function* (input, options) {
      await requireAllowed(guarded, input, options);
      yield* execute(input, options) as AsyncIterable<unknown>;
    };
  return async (input, options) => {
    await requireAllowed(guarded, input, options);
    const result = execute(input, options);
    return isStream(result) ? lastOf(result) : result;
  };
}

/** The approval rule of a tool. A call that runs elsewhere is not checked again, so it needs approval or is allowed. */
function guardApproval(
  guarded: Guarded,
  own: boolean | NeedsApproval | undefined,
  runsElsewhere: boolean,
): NeedsApproval {
  return async (input, options) => {
    const isOwn = typeof own === 'function' ? await own(input, options) : own === true;
    if (runsElsewhere) return (await checkWithApproval(guarded, input, options)).outcome !== 'allow' || isOwn;
    const { outcome } = await check(guarded, input, options);
    // If the tool's own approval follows, time passes: then it is checked again.
    if (outcome === 'allow' && !isOwn) guarded.allowed.set(options.toolCallId, canonicalJson(input ?? null));
    return isOwn || (outcome === 'ask' && guarded.ask === undefined);
  };
}

/**
 * The same tools, gated: a call is checked when approval could be requested. It is checked again before the tool runs,
 * unless it was allowed.
 */
export function guardTools<T extends ToolSet>(gate: Gate, tools: T): T {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const guarded = { ...gate, name, allowed: new Map<string, string>() };
    const { execute, needsApproval } = tool as { execute?: Execute; needsApproval?: boolean | NeedsApproval };
    const approval = { needsApproval: guardApproval(guarded, needsApproval, execute === undefined) };
    return [
      name,
      { ...tool, ...approval, ...(execute === undefined ? {} : { execute: guardExecute(guarded, execute) }) },
    ];
  });
  return Object.fromEntries(entries) as T;
}
