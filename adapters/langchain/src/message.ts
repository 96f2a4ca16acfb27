/** An object whose members are yet to be looked at: messages of every version of LangChain, and whatever comes next, in one shape. */
export type Fields = Readonly<Record<string, unknown>>;

export type Role = 'system' | 'user' | 'assistant' | 'tool';

/** A call of the model's, as LangChain has parsed it. */
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

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Who speaks; undefined for a kind of message that nobody knows yet. */
export function roleOf({ type, role }: Fields): Role | undefined {
  return ROLES.get(type === 'generic' ? role : type);
}

/** Whether a model wrote this in place of earlier messages: the mark that LangChain's own middleware leaves. */
export function isSummary({ additional_kwargs: kwargs }: Fields): boolean {
  return fieldsOf(kwargs).lc_source === 'summarization';
}

function nameOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

export function idOf(value: unknown): string {
  return nameOf(value, 'no-id');
}

/** A tool that takes text has one argument. */
export function useOf(id: unknown, tool: unknown, given: unknown): Use {
  const parsed = typeof given === 'string' ? { input: given } : (given ?? null);
  return { id: idOf(id), tool: nameOf(tool, 'unnamed'), arguments: parsed };
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

/** The text of a part that is nothing but text. */
export function plainText(part: unknown): string | undefined {
  if (typeof part === 'string') return part;
  const { type, text } = fieldsOf(part);
  const isPlain = type === 'text' || type === 'input_text' || type === 'output_text';
  return isPlain && typeof text === 'string' ? text : undefined;
}

export function partsOf(content: unknown): readonly unknown[] {
  return typeof content === 'string' ? [content] : listOf(content);
}

/** The same message with another content. The one that was given is shared with the checkpointer. */
export function withContent<M extends object>(message: M, content: unknown): M {
  const { lc_kwargs: _, ...fields } = message as Fields;
  return new (message.constructor as new (fields: object) => M)({ ...fields, content });
}
