import { type Fields, isFields, listOf, stringOf } from '@sallyport/core/adapter';
import { parseJson } from '@sallyport/core/json';
import { type LogEntry, partsOf, unclear } from './log.ts';
import { authoredEntries, messageEntries, policyEntry } from './message.ts';

/** The attributes of a span, which exporters write as an object or as a list of keys and values. */
export function attributesOf({ attributes }: Fields): Fields {
  if (isFields(attributes)) return attributes;
  const entries = listOf(attributes)
    .filter(isFields)
    .filter(({ key }) => typeof key === 'string')
    .map(({ key, value }) => [
      key,
      isFields(value) ? (value.stringValue ?? value.arrayValue ?? value.intValue) : value,
    ]);
  return Object.fromEntries(entries) as Fields;
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return parseJson(value) as unknown;
  } catch {
    // A plain text is itself the value.
    return value;
  }
}

/** The messages in an attribute, which exporters write as JSON text. */
function messagesIn(value: unknown, name: string): LogEntry[] {
  if (value === undefined) return [];
  const messages = parsed(value);
  return Array.isArray(messages)
    ? messages.flatMap((message) => messageEntries(message, true))
    : [unclear(`the attribute "${name}", which is not a list of messages`)];
}

/** The model's answer in the attributes of the AI SDK's own telemetry. */
function answerIn({ 'ai.response.text': text, 'ai.response.toolCalls': calls }: Fields): LogEntry[] {
  if (text === undefined && calls === undefined) return [];
  return messageEntries({ role: 'assistant', content: stringOf(text) ?? '', calls: listOf(parsed(calls)) }, true);
}

/** The entries of a model call, by OpenTelemetry's conventions for generative AI. */
export function spanEntries(span: Fields): LogEntry[] {
  const attributes = attributesOf(span);
  const policy = authoredEntries(partsOf(parsed(attributes['gen_ai.system_instructions'])), policyEntry);
  const names = ['gen_ai.input.messages', 'ai.prompt.messages', 'gen_ai.output.messages'];
  return [...policy, ...names.flatMap((name) => messagesIn(attributes[name], name)), ...answerIn(attributes)];
}

/** The spans of model calls in an export. */
export function spansIn(value: Fields): readonly Fields[] {
  if ('resourceSpans' in value)
    return listOf(value.resourceSpans)
      .filter(isFields)
      .flatMap(({ scopeSpans }) => listOf(scopeSpans).filter(isFields))
      .flatMap(({ spans }) => listOf(spans).filter(isFields))
      .filter((span) => Object.keys(attributesOf(span)).some((name) => name.endsWith('.messages')));
  return 'attributes' in value ? [value] : [];
}
