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

/** Whether only LangChain writes a message like this. */
export function isLangchain(message: Fields): boolean {
  if (isFields(message.kwargs) && Array.isArray(message.id)) return true;
  if (message.role !== undefined) return false;
  return OWN_TYPES.has(message.type) || KINDS.has(message.type) || (message.type === 'tool' && 'content' in message);
}

/** A message of LangChain by whichever of its three written forms (plain, `{ type, data }`, or a constructor call); any other as it is. */
export function plain(message: Fields): Fields {
  if (isFields(message.kwargs)) {
    const name = stringOf(listOf(message.id).at(-1)) ?? '';
    return { ...message.kwargs, type: KINDS.get(name) ?? name };
  }
  const { type, data, role, content } = message;
  if (isFields(data) && role === undefined && content === undefined) return { ...data, type };
  return KINDS.has(type) ? { ...message, type: KINDS.get(type) } : message;
}
