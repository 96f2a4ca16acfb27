import { isCall } from './calls.ts';
import { callsBeside, gather, isListOfLogs } from './gather.ts';
import { isItem, itemEntries, joined } from './items.ts';
import { isLangchain, plain } from './langchain.ts';
import { type Fields, isFields, isFilled, type Log, type LogEntry, partsOf, stringOf, unclear } from './log.ts';
import { kindOf, messageEntries, ownEntries, policyEntry } from './message.ts';
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

/** Types of the parts of what the model said. What tools and users bring tells nothing: strangers write it. */
function callTypes(messages: readonly Fields[]): ReadonlySet<unknown> {
  const said = messages.filter((message) => ['assistant', 'ai', 'model'].includes(kindOf(message) ?? ''));
  return new Set(
    said.flatMap(({ content }) =>
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

/** Which format messages have, by what only that format writes; undefined where nothing tells. */
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
 * Which format a value of a log has; undefined when it is none that is known. It is a name for people: every message is read by what it is
 * itself, so that nothing in one of them changes how another is read.
 */
export function formatOf(value: unknown): Format | undefined {
  if (isFields(value)) return formatOfFields(value);
  if (!Array.isArray(value) || isListOfLogs(value)) return undefined;
  const messages = value.filter(isFields);
  return messages.some(isMessage) ? (formatOfMessages(messages) ?? 'openai-chat') : undefined;
}

/** What messages say, in their order. */
function entriesIn(messages: readonly unknown[], isSplit: boolean): LogEntry[] {
  const entries = messages.flatMap((each) => (isItem(each) ? itemEntries(each) : messageEntries(each, isSplit)));
  return messages.some(isItem) ? joined(entries) : entries;
}

function entriesOf(value: unknown): readonly LogEntry[] {
  const { policy, messages, answers, missed } = gather(value);
  const all = [...messages, ...answers];
  // Only the AI SDK puts several results into one message, each with its id.
  const isSplit = callTypes(all.filter(isFields).map(plain)).has('tool-call');
  const listed = callsBeside(value);
  // Those of the answer may be listed beside it once more.
  const isTwice = listed.length > 0 && entriesIn(answers, isSplit).some(({ type }) => type === 'calls');
  const beside = isTwice ? [] : listed;
  return [
    ...policy.flatMap((each) => ownEntries(partsOf(each), policyEntry)),
    ...entriesIn(all, isSplit),
    ...[...missed, ...beside].map((name) => unclear(`what stands under "${name}"`)),
  ];
}

/** A conversation of which nothing could be read is not one in which nothing happened. */
function logOf(id: string, entries: readonly LogEntry[]): Log {
  if (entries.length === 0) return { id, entries: [unclear('the whole of it')] };
  // An answer without its request: nobody can say whose words its calls are.
  const isRead = entries.some(({ type }) => ['policy', 'user', 'result', 'content'].includes(type));
  const isBlind = !isRead && entries.some(({ type }) => type === 'calls');
  return { id, entries: isBlind ? [...entries, unclear('what the model had read')] : entries };
}

/** The conversations in one value of a log file. `name` is for those that say none themselves. */
export function logsIn(value: unknown, format: Format, name: string): readonly Log[] {
  if (format === 'otel')
    return spansIn(isFields(value) ? value : {}).map((span, index) => {
      const { 'gen_ai.conversation.id': id } = attributesOf(span);
      return logOf(stringOf(id) ?? stringOf(span.spanId) ?? `${name}.${index + 1}`, spanEntries(span));
    });
  const { id, conversation_id: other, thread_id: thread } = isFields(value) ? value : ({} as Fields);
  return [logOf(stringOf(id) ?? stringOf(other) ?? stringOf(thread) ?? name, entriesOf(value))];
}
