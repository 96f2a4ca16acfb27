import { type Fields, isFields, type LogEntry, listOf, partsOf, stringOf, unclear } from './log.ts';
import { messageEntries, ownEntries, policyEntry } from './message.ts';

/** Attributes, which exporters write as a table or as a list of keys and values. */
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
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** The messages of an attribute, which exporters write as JSON in a text. */
function messagesIn(value: unknown, name: string): LogEntry[] {
  if (value === undefined) return [];
  const messages = parsed(value);
  return Array.isArray(messages)
    ? messages.flatMap((message) => messageEntries(message, true))
    : [unclear(`"${name}", which is no list of messages`)];
}

/** What the model answered, as the AI SDK's own telemetry writes it down. */
function answerIn({ 'ai.response.text': text, 'ai.response.toolCalls': calls }: Fields): LogEntry[] {
  if (text === undefined && calls === undefined) return [];
  return messageEntries({ role: 'assistant', content: stringOf(text) ?? '', calls: listOf(parsed(calls)) }, true);
}

/** A span of a model call, by the conventions of OpenTelemetry for generative AI. */
export function spanEntries(span: Fields): LogEntry[] {
  const attributes = attributesOf(span);
  const policy = ownEntries(partsOf(parsed(attributes['gen_ai.system_instructions'])), policyEntry);
  const names = ['gen_ai.input.messages', 'ai.prompt.messages', 'gen_ai.output.messages'];
  return [...policy, ...names.flatMap((name) => messagesIn(attributes[name], name)), ...answerIn(attributes)];
}

/** The spans of an export, each on its own. */
export function spansIn(value: Fields): readonly Fields[] {
  if ('resourceSpans' in value)
    return listOf(value.resourceSpans)
      .filter(isFields)
      .flatMap(({ scopeSpans }) => listOf(scopeSpans).filter(isFields))
      .flatMap(({ spans }) => listOf(spans).filter(isFields))
      .filter((span) => Object.keys(attributesOf(span)).some((name) => name.endsWith('.messages')));
  return 'attributes' in value ? [value] : [];
}
