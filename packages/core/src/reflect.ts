import { CODE_PATTERN, type FrameKey } from './key.ts';
import type { Part } from './part.ts';
import type { Recorded } from './record.ts';

const CODE_LENGTH = 26;
// Any run that is long enough: a nonce may stand inside other characters of its own alphabet.
const RUN = new RegExp(`${CODE_PATTERN.replace('{26}', '{26,}')}`, 'g');

/** What stands in stored content where a live nonce stood. */
const REMOVED_CODE = '(code removed)';

/** The nonces of a record's frames. Derived on demand: none is ever kept with the record. */
export function noncesOf(recorded: Recorded, key: FrameKey): string[] {
  const indices = [...recorded.parts.keys(), 0];
  return indices.flatMap((index) => [key.code('nonce', recorded.id, index), key.code('corpus', recorded.id, index)]);
}

/** Replaces live nonces in a text. A request that came back through a tool must not put its codes into storage. */
function removeNonces(text: string, live: () => ReadonlySet<string>): { text: string; count: number } {
  let count = 0;
  const cleaned = text.replace(RUN, (run) => {
    const codes = live();
    let output = '';
    let from = 0;
    for (let at = 0; at + CODE_LENGTH <= run.length; ) {
      if (codes.has(run.slice(at, at + CODE_LENGTH))) {
        output += run.slice(from, at) + REMOVED_CODE;
        at += CODE_LENGTH;
        from = at;
        count++;
      } else at++;
    }
    return output + run.slice(from);
  });
  return { text: cleaned, count };
}

/** The same over every field of a part. */
export function removeNoncesFromPart(part: Part, live: () => ReadonlySet<string>): { part: Part; count: number } {
  let count = 0;
  const fields = Object.entries(part).map(([name, value]: [string, string]) => {
    const cleaned = name === 'type' ? { text: value, count: 0 } : removeNonces(value, live);
    count += cleaned.count;
    return [name, cleaned.text];
  });
  return count === 0 ? { part, count } : { part: Object.freeze(Object.fromEntries(fields)) as Part, count };
}
