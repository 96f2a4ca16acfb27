import { type JsonRange, stringAt } from '../base/json-positions.ts';
import { mergeSpans, subtractSpans } from '../base/span.ts';
import { findStrings, findWrittenBy } from '../json/leaf-positions.ts';
import { quotationsIn } from './quotations.ts';

// One unit of a JSON string, escaped or not.
const UNIT = /\\(?:u[\dA-Fa-f]{4}|.)|[^\\]/gs;

/** Where the units of a JSON string are in its text, and where the last one ends. */
function offsetsOf(text: string, { start, end }: JsonRange): number[] {
  const inner = text.slice(start + 1, end - 1);
  return [...Array.from(inner.matchAll(UNIT), ({ index }) => start + 1 + index), end - 1];
}

/** What the strings of JSON text quote. */
function quotedIn(text: string): JsonRange[] {
  return findStrings(text).flatMap((range) => {
    const quotations = quotationsIn(stringAt(text, range));
    if (quotations.length === 0) return [];
    const offsets = offsetsOf(text, range);
    return quotations.map(({ start, end }) => ({ start: offsets[start] as number, end: offsets[end] as number }));
  });
}

/** What these people say in the messages of a JSON text, by the authenticated sender. What they quote is not theirs. */
export function findSaidBy(text: string, sender: string, people: ReadonlySet<string>): JsonRange[] {
  const messages = findWrittenBy(text, sender, people);
  return messages.length === 0 ? [] : subtractSpans(mergeSpans(messages), mergeSpans(quotedIn(text)));
}
