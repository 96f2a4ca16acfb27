import { mergeSpans, type Span } from '../base/span.ts';
import { foldPoint } from '../text/fold.ts';
import { type Address, findAddresses, placeAddresses } from './find-addresses.ts';
import { partsOfAddress } from './host.ts';

/** An address that was taken out of a text. */
export interface Withheld extends Span {
  readonly address: string;
  readonly kind: Address['kind'];
}

/** A text that may be shown. */
export interface SanitizedOutput {
  readonly text: string;
  readonly withheld: readonly Withheld[];
}

const MAX_HOST_LENGTH = 64;

/** What a person reads in place of an address: where it led, and nothing else of it, since the rest may be the loot. */
function noteOf(address: string): string {
  const host = (partsOfAddress(address)?.host ?? '').slice(0, MAX_HOST_LENGTH);
  const clean = host
    .replace(/[^a-z0-9.-]/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '');
  return clean === '' ? '(address withheld)' : `(address withheld: ${clean.replaceAll('.', '[.]')})`;
}

/** Cuts spans out of a text and leaves a blank, so that what stood around them cannot make new syntax together. */
function replace(text: string, withheld: readonly Withheld[], spans: readonly Span[]): string {
  const pieces: string[] = [];
  let from = 0;
  let index = 0;
  for (const { start, end } of mergeSpans(spans)) {
    const before = text.charAt(start - 1);
    pieces.push(text.slice(from, start));
    from = end;
    const notes: string[] = [];
    for (; index < withheld.length && (withheld[index] as Withheld).start < end; index++)
      notes.push(noteOf((withheld[index] as Withheld).address));
    const isApart = before === '' || (notes.length === 0 ? /\s/ : /[\s("']/).test(before);
    pieces.push(isApart ? notes.join(' ') : ` ${notes.join(' ')}`);
  }
  return pieces.join('') + text.slice(from);
}

const DELIMITER = /[^\p{L}\p{N}\s,;!?-]/u;

/** A text without anything that syntax is made of, or that is taken for it. */
function flatten(text: string): string {
  return Array.from(text, (each) => (DELIMITER.test(foldPoint(each.codePointAt(0) as number)) ? ' ' : each)).join('');
}

/**
 * Takes the addresses that are not kept out of a text, with the syntax that makes them live, and says in their place which
 * host they led to. Everything else stays as it was. Only when an address comes together by taking out others, which takes
 * somebody who wants it to, the whole text loses its punctuation; that one is then reported in place of all of it.
 */
export function defuse(text: string, decide: (address: Address) => 'keep' | 'withhold'): SanitizedOutput {
  const withheld: Withheld[] = [];
  const spans: Span[] = [];
  const kept = new Set<string>();
  for (const { syntax, ...address } of placeAddresses(text)) {
    const { start, end, kind } = address;
    // Whatever is not plainly a `keep`, as from a caller without types, is none.
    if (decide(address) === 'keep') kept.add(address.text);
    else {
      withheld.push({ start, end, address: address.text, kind });
      spans.push(...syntax, { start, end });
    }
  }
  if (withheld.length === 0) return { text, withheld };
  const released = replace(text, withheld, spans);
  const left = findAddresses(released).filter((each) => !kept.has(each.text) && decide(each) !== 'keep');
  if (left.length === 0) return { text: released, withheld };
  const formed = left.map(({ text: address, kind }) => ({ start: 0, end: text.length, address, kind }));
  return { text: flatten(released), withheld: [...withheld, ...formed] };
}
