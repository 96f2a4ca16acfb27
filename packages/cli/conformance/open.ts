// Takes what a wrapped client sees back to what the server said.
import { READING_RULES } from '@sallyport/core/adapter';
import { deriveKey, FIELD_NOTICE, openFrame, recover } from '@sallyport/core/stages';

/** The wrapper is given this key, so that its frames can be opened here. */
export const KEY = '5a'.repeat(32);
const frameKey = deriveKey(Buffer.from(KEY, 'hex'), 'local');

const OWN_META = 'sallyport/';
/** A mark of ours in a line that had no `_meta` before. */
const ADDED = /,?"_meta":\{"sallyport\/source":\{[^{}]*\}\}/g;
/** A string in a line of JSON, as it is written there. */
const LITERAL = /"(?:[^"\\]|\\.)*"/g;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** How a free text of typed structured content is tagged in its place. */
const FIELD = /^<untrusted_field_([0-9a-z]{26})>([\s\S]*)<\/untrusted_field_\1>$/;

/** The content of a frame whose seal is right and that shows all there was, or of a field. */
function contentOf(text: string): string | undefined {
  const [, , field] = FIELD.exec(text) ?? [];
  if (field !== undefined) return recover(field);
  const frame = openFrame(text, frameKey);
  return frame?.whole === true && frame.texts.length === 1 ? frame.texts[0] : undefined;
}

function withoutOwn(meta: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith(OWN_META)));
}

/** The wrapper tells in a server's instructions how frames are read. */
function withoutRules(text: string): string {
  return text.startsWith(READING_RULES) ? text.slice(READING_RULES.length).trimStart() : text;
}

function openedMember([name, value]: [string, unknown]): [string, unknown][] {
  if (value === READING_RULES || value === FIELD_NOTICE) return [];
  if (name !== '_meta' || !isObject(value)) return [[name, opened(value)]];
  const rest = withoutOwn(value);
  return Object.keys(rest).length === 0 && Object.keys(value).length > 0 ? [] : [[name, opened(rest)]];
}

/** Every frame opened, every mark of ours taken away. */
export function opened(value: unknown): unknown {
  if (typeof value === 'string') return contentOf(withoutRules(value)) ?? value;
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(openedMember));
}

/** The line with every framed string as it was before, without marks: equal bytes mean that nothing else was touched. */
export function openedLine(line: string): string {
  return line.replace(ADDED, '').replace(LITERAL, (literal) => {
    const content = contentOf(JSON.parse(literal));
    return content === undefined ? literal : JSON.stringify(content);
  });
}

/** Whether a part carries where it came from. */
export function isAnnotated(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isAnnotated);
  if (!isObject(value)) return false;
  if (isObject(value._meta) && Object.keys(value._meta).some((name) => name.startsWith(OWN_META))) return true;
  return Object.values(value).some(isAnnotated);
}

const WORDS = /\S\s+\S+\s+\S/;
/** Given back to the server as it is, and shown to nobody. */
const OPAQUE = new Set(['requestState', 'cursor', 'nextCursor']);

/** The strings of three or more words that stand outside a frame, each with its path. */
export function* unframed(value: unknown, path = ''): Generator<string> {
  const isOwn = typeof value === 'string' && (value === FIELD_NOTICE || value.startsWith(READING_RULES));
  const isBare = typeof value === 'string' && WORDS.test(value) && !isOwn;
  if (isBare && contentOf(value) === undefined) yield `${path}: ${value}`;
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* unframed(each, `${path}[${index}]`);
  else if (isObject(value))
    for (const [name, each] of Object.entries(value)) if (!OPAQUE.has(name)) yield* unframed(each, `${path}.${name}`);
}
