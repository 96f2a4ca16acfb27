// Whether two values are the same, except for what a mode removes by design.
import { isObject } from './open.ts';

export type Structured = 'text-only' | 'keep' | 'typed';

const SHOWN = 160;
const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, SHOWN);

const isSame = (one: unknown, other: unknown): boolean => differenceOf(one, other, 'keep') === undefined;

/** Whether a member may be missing by design. */
function mayMiss(name: string, value: unknown, structured: Structured): boolean {
  if (name === 'outputSchema') return structured === 'text-only';
  return name === '_meta' && isObject(value) && Object.keys(value).length === 0;
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    // Not JSON: the text is compared word for word.
    return undefined;
  }
}

function leavesOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [value];
  return Object.values(value).flatMap(leavesOf);
}

/** Whether a value that was removed from a result is present as text: word for word, as JSON, or each of its leaves. */
function saysInText(content: unknown, value: unknown): boolean {
  const texts = Array.isArray(content) ? content.map((part) => (isObject(part) ? part.text : undefined)) : [];
  if (texts.some((text) => text === value || isSame(parsed(text), value))) return true;
  const said = new Set([...texts, ...texts.flatMap((text) => leavesOf(parsed(text)))]);
  return leavesOf(value).every((leaf) => said.has(leaf));
}

function differenceInContent(expected: unknown, actual: unknown, path: string): string | undefined {
  const before = Array.isArray(expected) ? expected : [];
  const now = Array.isArray(actual) ? actual : [];
  if (now.length < before.length || now.length > before.length + 1)
    return `${path} has ${now.length} parts, expected ${before.length} and the value as text`;
  return differenceOf(before, now.slice(0, before.length), 'keep', path);
}

/** A result whose structuredContent became text. */
function differenceInText(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  path: string,
): string | undefined {
  const { structuredContent, content: before, ...rest } = expected;
  const { content: now, ...left } = actual;
  if (!saysInText(now, structuredContent)) return `${path}.content does not say ${show(structuredContent)}`;
  return differenceInContent(before, now, `${path}.content`) ?? differenceOf(rest, left, 'text-only', path);
}

function differenceInObject(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  structured: Structured,
  path: string,
): string | undefined {
  if (structured !== 'keep' && 'structuredContent' in expected && !('structuredContent' in actual))
    return differenceInText(expected, actual, path);
  for (const name of Object.keys(actual))
    if (!Object.hasOwn(expected, name)) return `${path}.${name} is new: ${show(actual[name])}`;
  for (const [name, value] of Object.entries(expected)) {
    // Free text in a typed schema is widened. The client's validator checks the rest by accepting the result.
    if (name === 'outputSchema' && structured === 'typed' && isObject(actual[name])) continue;
    if (!Object.hasOwn(actual, name) && mayMiss(name, value, structured)) continue;
    if (!Object.hasOwn(actual, name)) return `${path}.${name} is missing, expected ${show(value)}`;
    const difference = differenceOf(value, actual[name], structured, `${path}.${name}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

/** The first difference between two values, or undefined. Frames in the actual one are opened before. */
export function differenceOf(
  expected: unknown,
  actual: unknown,
  structured: Structured,
  path = '',
): string | undefined {
  if (isObject(expected) && isObject(actual)) return differenceInObject(expected, actual, structured, path);
  if (!Array.isArray(expected) || !Array.isArray(actual))
    return Object.is(expected, actual) ? undefined : `${path} is ${show(actual)}, expected ${show(expected)}`;
  if (expected.length !== actual.length) return `${path} has ${actual.length} items, expected ${expected.length}`;
  for (const [index, value] of expected.entries()) {
    const difference = differenceOf(value, actual[index], structured, `${path}[${index}]`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}
