// Restores what the server sent from what a wrapped client sees.
import { isFields, READING_RULES } from '@sallyport/core/adapter';
import { readFrame, recover } from '@sallyport/core/stages';
import { FIELD_NOTICE } from '@sallyport/fields';

/** The wrapper is given this key, so that its frames are the same in every run. */
export const KEY = '5a'.repeat(32);

const OWN_META = 'sallyport/';
/** An annotation that we added to a line without `_meta`. */
const ADDED = /,?"_meta":\{"sallyport\/source":\{[^{}]*\}\}/g;
/** A string literal in a line of JSON. */
const LITERAL = /"(?:[^"\\]|\\.)*"/g;

export const isObject = (value: unknown): value is Record<string, unknown> => isFields(value);

/** The tags around a free text in typed structured content. */
const FIELD = /^<untrusted_field ([a-z]+(?: [a-z]+){3})>([\s\S]*)<\/untrusted_field \1>$/;

/** The content of a field, or of a complete frame. */
function contentOf(text: string): string | undefined {
  const [, , field] = FIELD.exec(text) ?? [];
  if (field !== undefined) return recover(field);
  const frame = readFrame(text);
  return frame?.whole === true && frame.texts.length === 1 ? frame.texts[0] : undefined;
}

function withoutOwn(meta: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(meta).filter(([name]) => !name.startsWith(OWN_META)));
}

/** The wrapper adds the reading rules to the instructions of a server. */
function withoutRules(text: string): string {
  return text.startsWith(READING_RULES) ? text.slice(READING_RULES.length).trimStart() : text;
}

function openedMember([name, value]: [string, unknown]): [string, unknown][] {
  if (value === READING_RULES || value === FIELD_NOTICE) return [];
  if (name !== '_meta' || !isObject(value)) return [[name, opened(value)]];
  const rest = withoutOwn(value);
  return Object.keys(rest).length === 0 && Object.keys(value).length > 0 ? [] : [[name, opened(rest)]];
}

/** Opens every frame, and removes our annotations. */
export function opened(value: unknown): unknown {
  if (typeof value === 'string') return contentOf(withoutRules(value)) ?? value;
  if (Array.isArray(value)) return value.map(opened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(openedMember));
}

/** The line with frames opened and annotations removed: if its bytes equal the original, nothing else was changed. */
export function openedLine(line: string): string {
  return line.replace(ADDED, '').replace(LITERAL, (literal) => {
    const content = contentOf(JSON.parse(literal));
    return content === undefined ? literal : JSON.stringify(content);
  });
}

/** Whether a part has an annotation of its source. */
export function isAnnotated(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isAnnotated);
  if (!isObject(value)) return false;
  if (isObject(value._meta) && Object.keys(value._meta).some((name) => name.startsWith(OWN_META))) return true;
  return Object.values(value).some(isAnnotated);
}

const WORDS = /\S\s+\S+\s+\S/;
/** Values that the client returns to the server unchanged, and does not show. */
const OPAQUE = new Set(['requestState', 'cursor', 'nextCursor']);

/** The strings of three or more words outside a frame, each with its path. */
export function* unframed(value: unknown, path = ''): Generator<string> {
  const isOwn = typeof value === 'string' && (value === FIELD_NOTICE || value.startsWith(READING_RULES));
  const isBare = typeof value === 'string' && WORDS.test(value) && !isOwn;
  if (isBare && contentOf(value) === undefined) yield `${path}: ${value}`;
  if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* unframed(each, `${path}[${index}]`);
  else if (isObject(value))
    for (const [name, each] of Object.entries(value)) if (!OPAQUE.has(name)) yield* unframed(each, `${path}.${name}`);
}
