import type { Ask, Conversation, Decision } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import type { ToolSet } from 'ai';
import { type Fields, isFields } from './part.ts';
import { turnsOf } from './turns.ts';

/** What the SDK hands to a tool beside its input. */
interface ToolOptions {
  readonly toolCallId: string;
  readonly messages: readonly unknown[];
}

type Execute = (input: unknown, options: ToolOptions) => unknown;
type NeedsApproval = (input: unknown, options: ToolOptions) => PromiseLike<boolean> | boolean;

interface Guarded {
  readonly conversation: Conversation;
  readonly name: string;
  readonly ask: Ask | undefined;
}

function partsOf(messages: readonly unknown[]): Fields[] {
  return messages.filter(isFields).flatMap(({ content }) => (Array.isArray(content) ? content.filter(isFields) : []));
}

/** Whether the history says that a person has approved this very call: its tool, its input, and not yet used. */
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

async function decide({ conversation, name }: Guarded, input: unknown, options: ToolOptions): Promise<Decision> {
  // What the model has read stands in the history, also in a process that has just started, and where the model is not wrapped.
  await conversation.render(turnsOf(options.messages).map(({ turn }) => turn));
  return conversation.check({ id: options.toolCallId, tool: name, arguments: input ?? null });
}

/** The decision at the moment the tool would run, after what a person has said in the meantime. */
async function settle(guarded: Guarded, input: unknown, options: ToolOptions): Promise<Decision> {
  const { conversation, name, ask } = guarded;
  const decision = await decide(guarded, input, options);
  if (decision.outcome !== 'ask') return decision;
  const use = { id: options.toolCallId, tool: name, arguments: input ?? null };
  if (isApproved(name, input, options))
    return conversation.check(use, { ask: () => ({ by: 'approval in the history' }) });
  return ask === undefined ? decision : conversation.check(use, { ask });
}

/** Without a name: the SDK shows the model name and message, and our own words are known by being nothing else. */
class Refused extends Error {
  override readonly name = '';
}

async function admitted(guarded: Guarded, input: unknown, options: ToolOptions): Promise<void> {
  const { outcome, result } = await settle(guarded, input, options);
  if (outcome !== 'allow') throw new Refused(result);
}

async function lastOf(values: AsyncIterable<unknown>): Promise<unknown> {
  let last: unknown;
  for await (const value of values) last = value;
  return last;
}

function isStream(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

/** A tool that yields stays one that yields: the SDK shows what comes first while the rest is under way. */
function guardExecute(guarded: Guarded, execute: Execute): Execute {
  if (Object.prototype.toString.call(execute) === '[object AsyncGeneratorFunction]')
    return async function* (input, options) {
      await admitted(guarded, input, options);
      yield* execute(input, options) as AsyncIterable<unknown>;
    };
  return async (input, options) => {
    await admitted(guarded, input, options);
    const result = execute(input, options);
    return isStream(result) ? lastOf(result) : result;
  };
}

function guardApproval(guarded: Guarded, own: boolean | NeedsApproval | undefined): NeedsApproval {
  return async (input, options) => {
    const isOwn = typeof own === 'function' ? await own(input, options) : own === true;
    const { outcome } = await decide(guarded, input, options);
    return isOwn || (outcome === 'ask' && guarded.ask === undefined);
  };
}

/** The same tools behind the gate: a call is judged when approval could be asked for, and again when the tool would run. */
export function guardTools<T extends ToolSet>(conversation: Conversation, tools: T, ask: Ask | undefined): T {
  const entries = Object.entries(tools).map(([name, tool]) => {
    const guarded = { conversation, name, ask };
    const { execute, needsApproval } = tool as { execute?: Execute; needsApproval?: boolean | NeedsApproval };
    const approval = { needsApproval: guardApproval(guarded, needsApproval) };
    return [
      name,
      { ...tool, ...approval, ...(execute === undefined ? {} : { execute: guardExecute(guarded, execute) }) },
    ];
  });
  return Object.fromEntries(entries) as T;
}
