import { type Fields, isFields, listOf, stringOf } from '@sallyport/core/adapter';

const KINDS: ReadonlyMap<unknown, string> = new Map(
  [
    ['HumanMessage', 'human'],
    ['AIMessage', 'ai'],
    ['SystemMessage', 'system'],
    ['ToolMessage', 'tool'],
    ['FunctionMessage', 'function'],
  ].flatMap(([name, kind]) => [
    [name, kind],
    [`${name}Chunk`, kind],
  ]) as [string, string][],
);

const OWN_TYPES: ReadonlySet<unknown> = new Set(['human', 'ai']);

/** Recognizes a message that is serialized as a constructor call. */
function isConstructor({ kwargs, id, role }: Fields): boolean {
  return isFields(kwargs) && Array.isArray(id) && role === undefined;
}

/** Recognizes a message in a form that only LangChain uses. */
export function isLangchain(message: Fields): boolean {
  if (isConstructor(message)) return true;
  if (message.role !== undefined) return false;
  return OWN_TYPES.has(message.type) || KINDS.has(message.type) || (message.type === 'tool' && 'content' in message);
}

/** The inner message with the type of the outer one, without its own role: the result of a tool could claim any role. */
function unwrapped(inner: Fields, type: unknown): Fields {
  const { role: _, ...rest } = inner;
  return { ...rest, type };
}

/** The plain form of a LangChain message in any of its forms (plain, `{ type, data }`, constructor call). Returns others unchanged. */
export function plainMessage(message: Fields): Fields {
  if (isConstructor(message)) {
    const name = stringOf(listOf(message.id).at(-1)) ?? '';
    return unwrapped(message.kwargs as Fields, KINDS.get(name) ?? name);
  }
  const { type, data, role, content } = message;
  if (isFields(data) && role === undefined && content === undefined) return unwrapped(data, KINDS.get(type) ?? type);
  return role === undefined && KINDS.has(type) ? { ...message, type: KINDS.get(type) } : message;
}
