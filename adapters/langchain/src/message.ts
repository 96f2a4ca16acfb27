import { type Fields, fieldsOf, isFields, listOf, nonEmptyStringOf } from '@sallyport/core/adapter';
import { ToolMessage } from 'langchain';

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A call of the model, as LangChain parsed it. */
export interface Use {
  readonly id: string;
  readonly tool: string;
  readonly arguments: unknown;
}

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'system'],
  ['human', 'user'],
  ['user', 'user'],
  ['ai', 'assistant'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** The role of a message; undefined for a message of an unknown type. */
export function roleOf({ type, role }: Fields): Role | undefined {
  return ROLES.get(type === 'generic' ? role : type);
}

/** Recognizes a summary of earlier messages, by the mark of LangChain's own middleware. */
export function isSummary({ additional_kwargs: kwargs }: Fields): boolean {
  return fieldsOf(kwargs).lc_source === 'summarization';
}

export function idOf(value: unknown): string {
  return nonEmptyStringOf(value) ?? 'no-id';
}

/** A call. Text in place of arguments becomes the one argument `input`. */
export function useOf(id: unknown, tool: unknown, given: unknown): Use {
  const parsed = typeof given === 'string' ? { input: given } : (given ?? null);
  return { id: idOf(id), tool: nonEmptyStringOf(tool) ?? 'unnamed', arguments: parsed };
}

export function usesOf({ tool_calls: calls }: Fields): readonly Use[] {
  return listOf(calls).map((call) => {
    const { id, name, args } = fieldsOf(call);
    return useOf(id, name, args);
  });
}

/** The calls of the model's latest turn. */
export function latestUses(messages: readonly unknown[]): readonly Use[] {
  const latest = messages.findLast((message) => isFields(message) && roleOf(message) === 'assistant');
  return usesOf(fieldsOf(latest));
}

/** The text of a part that is only text. */
export function plainText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const { type, text } = fieldsOf(part);
  const isPlain = type === 'text' || type === 'input_text' || type === 'output_text';
  return isPlain && typeof text === 'string' ? text : undefined;
}

export function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [content] : listOf(content);
}

/** A copy of a message with another content. The given message is shared with the checkpointer. */
export function withContent<M extends object>(message: M, content: unknown): M {
  const { lc_kwargs: _, ...fields } = message as Fields;
  return new (message.constructor as new (fields: object) => M)({ ...fields, content });
}

/** The message that replaces the result of a call that was not made. */
export function refusal(id: string | undefined, name: string, content: string): ToolMessage {
  return new ToolMessage({ content, name, tool_call_id: id ?? '', status: 'error' });
}
