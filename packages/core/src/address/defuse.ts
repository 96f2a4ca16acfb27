import { foldPoint, mergeSpans, type Span } from '@sallyport/decode';
import { type Address, findAddresses, locateAddresses } from './find-addresses.ts';
import { isUrl, partsOfAddress } from './host.ts';

/** An address that was removed from a text. */
export interface Withheld extends Span {
  readonly address: string;
  readonly kind: Address['kind'];
}

/**
 * A text that can be shown, and the addresses that were removed from it.
 *
 * @example
 * ```ts
 * const { text, withheld }: SanitizedOutput = conversation.sanitizeOutput(answer);
 * if (withheld.length > 0) log.warn(`${withheld.length} addresses were removed.`);
 * ```
 */
export interface SanitizedOutput {
  readonly text: string;
  readonly withheld: readonly Withheld[];
}

const MAX_HOST_LENGTH = 64;

const BARE_HOST = /^[\p{L}\p{N}-]+[.\u3002]/u;

/** The text shown to a person in place of an address: its host only, since the rest may carry stolen data. */
function noteOf(address: string): string {
  const parts = partsOfAddress(BARE_HOST.test(address) && !isUrl(address) ? `//${address}` : address);
  const host = (parts?.host ?? '').slice(0, MAX_HOST_LENGTH);
  const clean = host
    .replace(/[^a-z0-9.-]/g, '-')
    .replace(/\.{2,}/g, '.')
    .replace(/^\.|\.$/g, '');
  return clean === '' ? '(address withheld)' : `(address withheld: ${clean.replaceAll('.', '[.]')})`;
}

/** Cuts spans out of a text and leaves a blank, so that the text on both sides cannot form new syntax. */
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
    const isSeparate = before === '' || (notes.length === 0 ? /\s/ : /[\s("']/).test(before);
    pieces.push(isSeparate ? notes.join(' ') : ` ${notes.join(' ')}`);
  }
  return pieces.join('') + text.slice(from);
}

const DELIMITER = /[^\p{L}\p{N}\s,;!?-]/u;

/** A text without any character that is part of a syntax, or looks like one. */
function flatten(text: string): string {
  return Array.from(text, (each) => (DELIMITER.test(foldPoint(each.codePointAt(0) as number)) ? ' ' : each)).join('');
}

/**
 * Removes from a text the addresses that are not kept, together with the syntax that makes them links, and writes their
 * hosts instead. The rest of the text stays. If the removal forms a new address, which happens only on purpose, the
 * whole text loses its punctuation, and the new address is reported for the whole text. Set `isPart` if the text is
 * part of a longer one.
 */
export function defuse(
  text: string,
  decide: (address: Address) => 'keep' | 'withhold',
  isPart = false,
): SanitizedOutput {
  const withheld: Withheld[] = [];
  const spans: Span[] = [];
  const kept = new Set<string>();
  for (const { syntax, ...address } of locateAddresses(text, isPart)) {
    const { start, end, kind } = address;
    // Anything other than 'keep' withholds, in case the caller has no types.
    if (decide(address) === 'keep') kept.add(address.text);
    else {
      withheld.push({ start, end, address: address.text, kind });
      spans.push(...syntax, { start, end });
    }
  }
  if (withheld.length === 0) return { text, withheld };
  const released = replace(text, withheld, spans);
  const left = findAddresses(released, isPart).filter((each) => !kept.has(each.text) && decide(each) !== 'keep');
  if (left.length === 0) return { text: released, withheld };
  const formed = left.map(({ text: address, kind }) => ({ start: 0, end: text.length, address, kind }));
  return { text: flatten(released), withheld: [...withheld, ...formed] };
}
