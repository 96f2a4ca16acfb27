import type { Span } from '../base/span.ts';
import { readBare } from './bare-url.ts';
import { readCode } from './code-fence.ts';
import type { Found } from './collector.ts';
import { readMarkup } from './html-attribute.ts';
import { readBrackets } from './markdown-link.ts';

/** Where a text leads: what a client loads by itself, or a person follows. */
export interface Address extends Span {
  /** As it is written. */
  readonly text: string;
  /** `fetched` is loaded as soon as the text is shown. */
  readonly kind: Found['kind'];
}

/** An address, and the syntax that makes it live, all of which has to go with it. */
interface Placed extends Address {
  readonly syntax: readonly Span[];
}

/** What becomes of two that overlap: one inside the other, or the first cut where the second begins. */
function join(one: Found, other: Found): readonly Found[] {
  if (other.start >= one.end) return [one, other];
  if (other.isBare && other.start < one.solidEnd) return [one];
  if (other.start > one.start) return [{ ...one, end: other.start }, other];
  const kind = one.kind === 'fetched' ? 'fetched' : other.kind;
  return [{ ...one, kind, end: Math.max(one.end, other.end), syntax: [...one.syntax, ...other.syntax] }];
}

/** All addresses in a text, in order and apart from each other, with what makes them live. */
export function placeAddresses(text: string): readonly Placed[] {
  // Those that syntax makes come first, and the sort is stable.
  const all = [...readBrackets(text), ...readMarkup(text), ...readBare(text)].sort(
    (one, other) => one.start - other.start,
  );
  const apart: Found[] = [];
  for (const each of all) {
    const last = apart.pop();
    apart.push(...(last === undefined ? [each] : join(last, each)));
  }
  const code = readCode(text);
  let index = 0;
  return apart.map(({ start, end, kind, syntax }) => {
    while (index < code.length && (code[index] as Span).end <= start) index++;
    const isCode = (code[index]?.start ?? end) <= start;
    return { start, end, text: text.slice(start, end), kind: isCode ? 'followed' : kind, syntax };
  });
}

/**
 * Finds every address in a text that a client may load or make a link of, sorted and without overlaps. Readers of Markdown
 * and HTML differ; what is an address to one of them is one here. Linear.
 */
export function findAddresses(text: string): readonly Address[] {
  return placeAddresses(text).map(({ syntax: _, ...address }) => address);
}
