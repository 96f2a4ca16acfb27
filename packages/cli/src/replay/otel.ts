import { contentOf, type Fields, isFields, type LogEntry, listOf, spoken, stringOf, useOf } from './log.ts';

/** Attributes, which exporters write as a table or as a list of keys and values. */
export function attributesOf({ attributes }: Fields): Fields {
  if (isFields(attributes)) return attributes;
  const entries = listOf(attributes)
    .filter(isFields)
    .map(({ key, value }) => [
      String(key),
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

function messageEntries({ role, parts }: Fields): LogEntry[] {
  const all = listOf(parts).filter(isFields);
  const texts = all.filter(({ type }) => type === 'text').map(({ content }) => stringOf(content) ?? '');
  const results = all
    .filter(({ type }) => type === 'tool_call_response')
    .map(
      (part): LogEntry => ({
        type: 'result',
        id: stringOf(part.id),
        tool: stringOf(part.name),
        content: contentOf(part.response ?? part.result),
      }),
    );
  if (role === 'system') return texts.map((text) => ({ type: 'policy', text }));
  if (role === 'assistant') {
    const calls = all
      .filter(({ type }) => type === 'tool_call')
      .map(({ id, name, arguments: given }) => useOf(id, name, given));
    return [...spoken(texts.join('\n'), calls), ...results];
  }
  if (role === 'tool') return results;
  return [...texts.map((text): LogEntry => ({ type: 'user', content: text })), ...results];
}

/** A span of a model call, by the conventions of OpenTelemetry for generative AI. */
export function spanEntries(span: Fields): LogEntry[] {
  const attributes = attributesOf(span);
  const instructions = listOf(parsed(attributes['gen_ai.system_instructions'])).filter(isFields);
  const policy = instructions.map(({ content }): LogEntry => ({ type: 'policy', text: stringOf(content) ?? '' }));
  const messages = ['gen_ai.input.messages', 'gen_ai.output.messages'].flatMap((name) =>
    listOf(parsed(attributes[name])),
  );
  return [...policy, ...messages.filter(isFields).flatMap(messageEntries)];
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
