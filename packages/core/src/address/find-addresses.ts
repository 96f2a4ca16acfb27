import type { Span } from '@sallyport/decode';
import { readBare } from './bare-url.ts';
import { readCode } from './code-fence.ts';
import type { Found } from './collector.ts';
import { readMarkup } from './html-attribute.ts';
import { readBrackets } from './markdown-link.ts';

/** An address in a text that a client loads by itself or a person can follow. */
export interface Address extends Span {
  /** As it is written. */
  readonly text: string;
  /** `fetched` is loaded as soon as the text is shown. */
  readonly kind: Found['kind'];
}

/** An address with the syntax that makes it a link, which has to be removed with it. */
interface AddressWithSyntax extends Address {
  readonly syntax: readonly Span[];
}

/** Resolves the overlap of two ranges: merges them, or cuts the first where the second starts. */
function join(one: Found, other: Found): readonly Found[] {
  if (other.start >= one.end) return [one, other];
  if (other.isBare && other.start < one.solidEnd) return [one];
  if (other.start > one.start) return [{ ...one, end: other.start }, other];
  const kind = one.kind === 'fetched' ? 'fetched' : other.kind;
  return [{ ...one, kind, end: Math.max(one.end, other.end), syntax: [...one.syntax, ...other.syntax] }];
}

/**
 * All addresses in a text, sorted and without overlaps, with their syntax. With `isPart` the text is part of a longer
 * one, so code and the definitions of images cannot be told apart from other text.
 */
export function locateAddresses(text: string, isPart = false): readonly AddressWithSyntax[] {
  // Addresses with syntax come before bare ones at the same position, since the sort is stable.
  const all = [...readBrackets(text, isPart), ...readMarkup(text), ...readBare(text)].sort(
    (one, other) => one.start - other.start,
  );
  const separate: Found[] = [];
  for (const each of all) {
    const last = separate.pop();
    separate.push(...(last === undefined ? [each] : join(last, each)));
  }
  const code = isPart ? [] : readCode(text);
  let index = 0;
  return separate.map(({ start, end, kind, syntax }) => {
    while (index < code.length && (code[index] as Span).end <= start) index++;
    const isCode = (code[index]?.start ?? end) <= start;
    return { start, end, text: text.slice(start, end), kind: isCode ? 'followed' : kind, syntax };
  });
}

/**
 * Finds every address in a text that a client may load or turn into a link, sorted and without overlaps. Parsers of
 * Markdown and HTML differ; an address for any of them counts. Takes linear time.
 */
export function findAddresses(text: string, isPart = false): readonly Address[] {
  return locateAddresses(text, isPart).map(({ syntax: _, ...address }) => address);
}
