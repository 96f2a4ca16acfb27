import type { Budget } from '../../budget.ts';
import { ByteText } from '../bytes.ts';
import { type Layer, LayerBuilder } from '../layer.ts';
import { hexValue } from '../references.ts';

const PERCENT = 37;
const PLUS = 43;
const BLANK = 32;
const MIN_PLUSES = 3;
/** The minimum length of a phrase with escapes. Shorter texts may be values. */
const MIN_PHRASE_LENGTH = 8;
const MIN_VALUE_LENGTH = 4;
/** The maximum average length of words between pluses. Base64, which contains pluses too, has longer runs. */
const MAX_WORD_LENGTH = 12;

const ADDRESS: Uint8Array = new Uint8Array(128);
for (let unit = 33; unit < 127; unit++) ADDRESS[unit] = /["'<>`\\^{|}[\]]/.test(String.fromCharCode(unit)) ? 0 : 1;

function isAddress(unit: number): boolean {
  return unit < 128 && ADDRESS[unit] === 1;
}

function byteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== PERCENT) return -1;
  const high = hexValue(text.charCodeAt(at + 1));
  const low = hexValue(text.charCodeAt(at + 2));
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

function isLetter(unit: number): boolean {
  const lower = unit | 32;
  return lower >= 97 && lower <= 122;
}

/** A range of characters that a URL may contain, and the number of escapes and pluses in it. */
interface Phrase {
  readonly from: number;
  readonly to: number;
  readonly escapes: number;
  readonly pluses: number;
}

function readPhrase(text: string, seed: number, floor: number): Phrase {
  let from = seed;
  while (from > floor && isAddress(text.charCodeAt(from - 1))) from--;
  let to = from;
  let escapes = 0;
  let pluses = 0;
  for (; to < text.length && isAddress(text.charCodeAt(to)); to++) {
    const unit = text.charCodeAt(to);
    if (unit === PERCENT && byteAt(text, to) >= 0) escapes++;
    else if (unit === PLUS && isLetter(text.charCodeAt(to - 1)) && isLetter(text.charCodeAt(to + 1))) pluses++;
  }
  return { from, to, escapes, pluses };
}

function isPhrase({ from, to, escapes, pluses }: Phrase, marker: string): boolean {
  const length = to - from;
  if (marker === '%') return escapes > 0 && length >= MIN_PHRASE_LENGTH;
  return escapes === 0 && pluses >= MIN_PLUSES && length >= pluses * 3 && length <= (pluses + 1) * MAX_WORD_LENGTH;
}

function writePhrase(text: string, { from, to }: Phrase, builder: LayerBuilder): ByteText {
  const bytes = new ByteText(builder, from);
  for (let at = from; at < to; ) {
    const byte = byteAt(text, at);
    const unit = text.charCodeAt(at);
    const next = byte >= 0 ? at + 3 : at + 1;
    bytes.feed(byte >= 0 ? byte : unit === PLUS ? BLANK : unit, at, next);
    at = next;
  }
  return bytes;
}

function isValue({ from, to, escapes }: Phrase): boolean {
  return escapes > 0 && to - from >= MIN_VALUE_LENGTH && to - from < MIN_PHRASE_LENGTH;
}

type Wanted = (phrase: Phrase, marker: string) => boolean;

function decodeMarked(parent: Layer, marker: string, isWanted: Wanted, budget: Budget): Layer | undefined {
  const { text } = parent;
  const builder = new LayerBuilder();
  for (let at = text.indexOf(marker), floor = 0; at >= 0; at = text.indexOf(marker, floor)) {
    const phrase = readPhrase(text, at, floor);
    floor = Math.max(phrase.to, at + 1);
    if (!isWanted(phrase, marker)) continue;
    const bytes = writePhrase(text, phrase, builder);
    if (bytes.isReadable() && budget.take(bytes.length)) continue;
    bytes.rewind();
    if (budget.isExhausted) break;
  }
  return builder.length > 0 ? builder.finish('percent', parent.depth + 1, parent) : undefined;
}

/** Decodes `%69%67...`, `ignore%20all` and, if there are several pluses, `ignore+all+previous`. */
export function decodePercent(parent: Layer, budget: Budget): Layer[] {
  return ['%', '+']
    .map((marker) => decodeMarked(parent, marker, isPhrase, budget))
    .filter((layer): layer is Layer => layer !== undefined);
}

/** Decodes escapes in texts that are too short to be phrases: `a%40b`. */
export function decodePercentValues(parent: Layer, budget: Budget): Layer | undefined {
  return decodeMarked(parent, '%', isValue, budget);
}
