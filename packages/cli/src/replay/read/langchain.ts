import { type Fields, isFields, listOf, stringOf } from './log.ts';

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

/** Whether a message is written down as a constructor call. */
function isConstructor({ kwargs, id, role }: Fields): boolean {
  return isFields(kwargs) && Array.isArray(id) && role === undefined;
}

/** Whether only LangChain writes a message like this. */
export function isLangchain(message: Fields): boolean {
  if (isConstructor(message)) return true;
  if (message.role !== undefined) return false;
  return OWN_TYPES.has(message.type) || KINDS.has(message.type) || (message.type === 'tool' && 'content' in message);
}

/** What is wrapped, as a message of the kind that the wrapper says: what a tool gave may claim a role of its own. */
function unwrapped(inner: Fields, type: unknown): Fields {
  const { role: _, ...rest } = inner;
  return { ...rest, type };
}

/** A message of LangChain by whichever of its three written forms (plain, `{ type, data }`, or a constructor call); any other as it is. */
export function plain(message: Fields): Fields {
  if (isConstructor(message)) {
    const name = stringOf(listOf(message.id).at(-1)) ?? '';
    return unwrapped(message.kwargs as Fields, KINDS.get(name) ?? name);
  }
  const { type, data, role, content } = message;
  if (isFields(data) && role === undefined && content === undefined) return unwrapped(data, KINDS.get(type) ?? type);
  return role === undefined && KINDS.has(type) ? { ...message, type: KINDS.get(type) } : message;
}
