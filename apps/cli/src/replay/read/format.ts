import { type Fields, fieldsOf, isFields, stringOf } from '@sallyport/core/adapter';
import { isCall } from './calls.ts';
import { gather, isListOfLogs, unreadCallFields } from './gather.ts';
import { isItem, itemEntries, mergeCalls } from './items.ts';
import { isLangchain, plainMessage } from './langchain.ts';
import { isFilled, type Log, type LogEntry, partsOf, unclear } from './log.ts';
import { authoredEntries, kindOf, messageEntries, policyEntry } from './message.ts';
import { attributesOf, spanEntries, spansIn } from './otel.ts';
import { isUiTool } from './ui.ts';

export const FORMATS = [
  'openai-chat',
  'openai-responses',
  'anthropic',
  'ai-sdk',
  'langchain',
  'otel',
  'trace',
] as const;

export type Format = (typeof FORMATS)[number];

/** The types of call parts in the model's messages. Other messages are ignored: an attacker may have written their content. */
function callTypes(messages: readonly Fields[]): ReadonlySet<unknown> {
  const fromModel = messages.filter((message) => ['assistant', 'ai', 'model'].includes(kindOf(message) ?? ''));
  return new Set(
    fromModel.flatMap(({ content }) =>
      partsOf(content)
        .filter(isCall)
        .map((part) => (part as Fields).type),
    ),
  );
}

function isChat({ tool_calls: calls, function_call: called, tool_call_id: id }: Fields): boolean {
  return isFilled(calls) || isFields(called) || typeof id === 'string';
}

function isTrace(messages: readonly Fields[]): boolean {
  return (
    messages.every((message) => !('content' in message) && !('parts' in message)) &&
    messages.some((message) => typeof message.text === 'string' || Array.isArray(message.calls))
  );
}

/** The format of messages, by features that only one format has; undefined if there are none. */
function formatOfMessages(messages: readonly Fields[]): Format | undefined {
  if (messages.some(isLangchain)) return 'langchain';
  if (messages.some(isItem)) return 'openai-responses';
  if (messages.some(isChat)) return 'openai-chat';
  if (isTrace(messages)) return 'trace';
  const types = callTypes(messages);
  if (types.has('tool-call') || messages.some(({ parts }) => partsOf(parts).some(isUiTool))) return 'ai-sdk';
  return types.size > 0 ? 'anthropic' : undefined;
}

function isMessage(value: Fields): boolean {
  return typeof value.role === 'string' || typeof value.type === 'string' || isFields(value.kwargs);
}

function isSpans(value: Fields): boolean {
  return 'resourceSpans' in value || spansIn(value).some((span) => 'gen_ai.input.messages' in attributesOf(span));
}

function formatOfFields(value: Fields): Format | undefined {
  if (isFields(value.channel_values) || isFields(value.checkpoint)) return 'langchain';
  if (isSpans(value)) return 'otel';
  const { messages, input, output, object, system } = value;
  const gathered = gather(value);
  const all = [...gathered.messages, ...gathered.answers].filter(isFields);
  if (Array.isArray(messages) && messages.some(isFields))
    return formatOfMessages(all) ?? (system === undefined ? 'openai-chat' : 'anthropic');
  const isResponses =
    object === 'response' || typeof input === 'string' || Array.isArray(input) || Array.isArray(output);
  return isResponses ? (formatOfMessages(all) ?? 'openai-responses') : undefined;
}

/**
 * The format of a value of a log; undefined if it is unknown. It is used for reports only: every message is read by its own form, so
 * that the content of one cannot change how another is read.
 */
export function formatOf(value: unknown): Format | undefined {
  if (isFields(value)) return formatOfFields(value);
  if (!Array.isArray(value) || isListOfLogs(value)) return undefined;
  const messages = value.filter(isFields);
  return messages.some(isMessage) ? (formatOfMessages(messages) ?? 'openai-chat') : undefined;
}

/** The entries of messages, in order. */
function entriesIn(messages: readonly unknown[], isSplit: boolean): LogEntry[] {
  const entries = messages.flatMap((each) => (isItem(each) ? itemEntries(each) : messageEntries(each, isSplit)));
  return messages.some(isItem) ? mergeCalls(entries) : entries;
}

function entriesOf(value: unknown): readonly LogEntry[] {
  const { policy, messages, answers, missed } = gather(value);
  const all = [...messages, ...answers];
  // Only the AI SDK puts several results into one message, each with its id.
  const isSplit = callTypes(all.filter(isFields).map(plainMessage)).has('tool-call');
  const callFields = unreadCallFields(value);
  // Such a field may repeat the calls of the answer.
  const isRepeated = callFields.length > 0 && entriesIn(answers, isSplit).some(({ type }) => type === 'calls');
  const unread = isRepeated ? [] : callFields;
  return [
    ...policy.flatMap((each) => authoredEntries(partsOf(each), policyEntry)),
    ...entriesIn(all, isSplit),
    ...[...missed, ...unread].map((name) => unclear(`the field "${name}"`)),
  ];
}

/** Marks a conversation as unclear if nothing could be read: that does not mean that nothing happened. */
function logOf(id: string, entries: readonly LogEntry[]): Log {
  if (entries.length === 0) return { id, entries: [unclear('the whole conversation')] };
  // An answer without its request: the sources of the values in its calls are unknown.
  const hasInput = entries.some(({ type }) => ['policy', 'user', 'result', 'content'].includes(type));
  const isAnswerOnly = !hasInput && entries.some(({ type }) => type === 'calls');
  return { id, entries: isAnswerOnly ? [...entries, unclear('the input of the model')] : entries };
}

/** The conversations in one value of a log file. `name` is used for those without an id. */
export function logsIn(value: unknown, format: Format, name: string): readonly Log[] {
  if (format === 'otel')
    return spansIn(fieldsOf(value)).map((span, index) => {
      const { 'gen_ai.conversation.id': id } = attributesOf(span);
      return logOf(stringOf(id) ?? stringOf(span.spanId) ?? `${name}.${index + 1}`, spanEntries(span));
    });
  const { id, conversation_id: conversation, thread_id: thread } = fieldsOf(value);
  return [logOf(stringOf(id) ?? stringOf(conversation) ?? stringOf(thread) ?? name, entriesOf(value))];
}
