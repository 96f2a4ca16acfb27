import { aiSdkEntries } from './ai-sdk.ts';
import { anthropicEntries } from './anthropic.ts';
import { langchainEntries } from './langchain.ts';
import { type Fields, isFields, type Log, type LogEntry, listOf, stringOf } from './log.ts';
import { chatEntries, responsesEntries } from './openai.ts';
import { attributesOf, spanEntries, spansIn } from './otel.ts';
import { traceEntries } from './trace.ts';

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

function partTypes(messages: readonly Fields[]): ReadonlySet<unknown> {
  return new Set(
    messages.flatMap(({ content }) =>
      listOf(content)
        .filter(isFields)
        .map(({ type }) => type),
    ),
  );
}

function hasAny(types: ReadonlySet<unknown>, ...names: readonly string[]): boolean {
  return names.some((name) => types.has(name));
}

function isLangchain(message: Fields): boolean {
  return (
    'kwargs' in message ||
    ['human', 'ai'].includes(String(message.type)) ||
    (message.type === 'tool' && 'content' in message)
  );
}

/** Which format a list of messages has, by what only that format writes. */
function formatOfMessages(messages: readonly Fields[]): Format {
  const types = partTypes(messages);
  if (messages.some(isLangchain)) return 'langchain';
  if (messages.some((message) => 'text' in message && !('content' in message))) return 'trace';
  if (hasAny(types, 'tool-call', 'tool-result')) return 'ai-sdk';
  if (hasAny(types, 'tool_use', 'tool_result', 'server_tool_use')) return 'anthropic';
  return 'openai-chat';
}

function isResponses({ input, output, object }: Fields): boolean {
  return (
    object === 'response' ||
    (input !== undefined && (typeof input === 'string' || Array.isArray(input))) ||
    Array.isArray(output)
  );
}

/** Which format a value of a log has; undefined when it is none that is known. */
export function formatOf(value: unknown): Format | undefined {
  if (Array.isArray(value)) {
    const messages = value.filter(isFields);
    return messages.length > 0 && messages.some(({ role, type, kwargs }) => role ?? type ?? kwargs)
      ? formatOfMessages(messages)
      : undefined;
  }
  if (!isFields(value)) return undefined;
  if (isFields(value.channel_values) || isFields(value.checkpoint)) return 'langchain';
  if ('resourceSpans' in value || spansIn(value).some((span) => 'gen_ai.input.messages' in attributesOf(span)))
    return 'otel';
  const messages = listOf(value.messages).filter(isFields);
  if (messages.length > 0) return value.system === undefined ? formatOfMessages(messages) : 'anthropic';
  return isResponses(value) ? 'openai-responses' : undefined;
}

/** The messages of a value, with those of an answer that was written down beside the request. */
function messagesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  const { messages, choices, response } = value as Fields;
  const answered = isFields(response) ? listOf(response.choices) : listOf(choices);
  return [
    ...listOf(messages),
    ...answered.flatMap((choice) => (isFields(choice) && isFields(choice.message) ? [choice.message] : [])),
  ];
}

function checkpointMessages({ channel_values: own, checkpoint }: Fields): readonly unknown[] {
  const values = isFields(own)
    ? own
    : isFields(checkpoint) && isFields(checkpoint.channel_values)
      ? checkpoint.channel_values
      : {};
  return listOf((values as Fields).messages);
}

function entriesOf(format: Exclude<Format, 'otel'>, value: unknown): readonly LogEntry[] {
  const fields = isFields(value) ? value : {};
  switch (format) {
    case 'openai-chat':
      return chatEntries(messagesOf(value));
    case 'openai-responses': {
      const output = isFields(fields.response) ? fields.response.output : fields.output;
      return responsesEntries({ ...fields, output });
    }
    case 'anthropic':
      return anthropicEntries(
        Array.isArray(value)
          ? { messages: value }
          : { ...fields, ...(isFields(fields.response) ? fields.response : {}) },
      );
    case 'ai-sdk':
      return aiSdkEntries(messagesOf(value));
    case 'langchain': {
      const stored = checkpointMessages(fields);
      return langchainEntries(stored.length > 0 ? stored : messagesOf(value));
    }
    case 'trace':
      return traceEntries(messagesOf(value));
  }
}

/** The conversations in one value of a log file. `name` is for those that say none themselves. */
export function logsIn(value: unknown, format: Format, name: string): readonly Log[] {
  if (format === 'otel')
    return spansIn(isFields(value) ? value : {}).map((span, index) => {
      const { 'gen_ai.conversation.id': id } = attributesOf(span);
      return { id: stringOf(id) ?? stringOf(span.spanId) ?? `${name}.${index + 1}`, entries: spanEntries(span) };
    });
  const { id, conversation_id: other, thread_id: thread } = isFields(value) ? value : ({} as Fields);
  return [{ id: stringOf(id) ?? stringOf(other) ?? stringOf(thread) ?? name, entries: entriesOf(format, value) }];
}
