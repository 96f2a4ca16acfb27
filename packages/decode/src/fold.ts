import { pointAt } from './code-point.ts';
import { CONFUSABLES } from './confusables.ts';

// Combining marks are removed with invisible characters: `<` with U+0338 composes to U+226E and is still read as `<`.
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;
const SPACE = /\s/u;
const LINE_BREAK = /[\n\v\f\r\u2028\u2029]/;

function foldCharacter(character: string): string {
  if (LINE_BREAK.test(character)) return '\n';
  if (character === '\t') return ' ';
  // Tested before spaces: for a regular expression U+FEFF is a space, but it is invisible.
  if (INVISIBLE.test(character)) return '';
  if (SPACE.test(character)) return ' ';
  return CONFUSABLES.get(character.codePointAt(0) as number) ?? character;
}

function computeFold(point: number): string {
  if ((point & 0xfffff800) === 0xd800) return '\ufffd';
  // Looked up before normalisation: NFKC makes a sigma of the lunate sigma, which looks like a c.
  const lookalike = CONFUSABLES.get(point);
  if (lookalike !== undefined) return lookalike;
  const character = String.fromCodePoint(point);
  // Upper case first, so that U+00DF (ss), U+0131 and U+017F become the letters they equal when case is ignored.
  const decomposed = character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  let folded = '';
  for (const each of decomposed) folded += foldCharacter(each);
  // U+FDFA folds to eighteen letters. The limit keeps a view from growing to many times the size of its text.
  return folded.length <= MAX_FOLD_LENGTH ? folded : `${folded[0]}\ufffd${folded.at(-1)}`;
}

function replaceLookAlikes(text: string): string {
  let replaced = '';
  for (const each of text) replaced += CONFUSABLES.get(each.codePointAt(0) as number) ?? each;
  return replaced;
}

/** The steps that a reader may apply to a text, in any order and any number of times. */
const STEPS: readonly ((text: string) => string)[] = [
  (text) => text.normalize('NFKC'),
  (text) => text.normalize('NFKD'),
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase(),
  (text) => Array.from(text, foldCharacter).join(''),
  replaceLookAlikes,
];

const readings = new Map<number, readonly string[]>();

/**
 * Every first letter that some sequence of steps can make of a code point. Most code points have one. U+03BD has two:
 * it looks like a v, and its capital like an N.
 */
export function firstReadings(point: number): readonly string[] {
  const cached = readings.get(point);
  if (cached !== undefined) return cached;
  const seen = new Set([String.fromCodePoint(point)]);
  for (const text of seen) for (const step of STEPS) if (seen.size < MAX_READINGS) seen.add(step(text));
  const first = [...new Set([...seen].map((text) => text.charAt(0).toLowerCase()))].filter((each) =>
    /^[!-~]$/.test(each),
  );
  if (readings.size >= CACHE_LIMIT) readings.clear();
  readings.set(point, first);
  return first;
}

const MAX_READINGS = 64;
const MAX_FOLD_LENGTH = 6;
const CACHE_LIMIT = 65_536;
/** The folded form of each UTF-16 unit seen so far. A list is read much faster than a map. */
const folds: (string | undefined)[] = new Array(0x10000);
const cache = new Map<number, string>();

/**
 * Folds a code point: compatibility normalisation, case folding, removal of invisible characters and marks, replacement
 * of look-alikes. Each code point is folded separately, so that offsets can be mapped back to the original text.
 *
 * @example
 * ```ts
 * foldPoint(0xff21); // 'a', for the full-width A
 * foldPoint(0x200b); // '', for a zero-width space
 * ```
 */
export function foldPoint(point: number): string {
  const cached = point < 0x10000 ? folds[point] : cache.get(point);
  if (cached !== undefined) return cached;
  const folded = computeFold(point);
  if (point < 0x10000) {
    folds[point] = folded;
    return folded;
  }
  // A text with all of Unicode must not make the cache grow without limit.
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(point, folded);
  return folded;
}

/**
 * A folded text, with the original offset of every UTF-16 unit.
 *
 * @example
 * ```ts
 * const originalIndex = (view: View, index: number) => view.starts[index];
 * ```
 */
export interface View {
  readonly text: string;
  /** For each UTF-16 unit of `text`, the index in the original of the code point it came from. */
  readonly starts: readonly number[];
  readonly original: string;
}

/** A text to scan: printable ASCII unchanged, other text folded. */
export interface Scanned extends Partial<View> {
  readonly text: string;
  /** Set if more text may follow, as in a stream, so that an incomplete marker at the end counts. */
  readonly isOpen: boolean;
  /** Offsets in the original at which a tag of the frame will be inserted. */
  readonly breaks?: ReadonlySet<number> | undefined;
}

/**
 * Checks that the units from `from` to `to` are ASCII and adjacent in the original too, so that all readers agree on
 * them.
 */
export function isLiteral({ starts, original }: Scanned, from: number, to: number): boolean {
  if (starts === undefined || original === undefined) return true;
  const first = starts[from] as number;
  for (let index = from; index < to; index++)
    if (starts[index] !== first + index - from || original.charCodeAt(first + index - from) > 127) return false;
  return true;
}

const MARK = /\p{M}/u;

/**
 * Finds a combining mark after a unit in the original: for a reader that composes them, the two are another character.
 */
export function isMarked({ text, starts, original = text }: Scanned, at: number): boolean {
  const next = (starts === undefined ? at : (starts[at] as number)) + 1;
  return original.charCodeAt(next) > 127 && MARK.test(String.fromCodePoint(pointAt(original, next)));
}

/**
 * Checks for a tag of the frame between the units from `from` to `to`. Each half of the text is then read separately.
 */
export function isBroken({ starts, breaks }: Scanned, from: number, to: number): boolean {
  if (breaks === undefined) return false;
  for (let index = from + 1; index <= to; index++)
    if (breaks.has(starts === undefined ? index : (starts[index] ?? -1))) return true;
  return false;
}

// With more arguments, `apply` overflows the stack in some engines.
const CHUNK = 8192;

/**
 * Folds a text. Linear in its length.
 *
 * @example
 * ```ts
 * viewOf('\u0130gnore').text; // 'ignore'
 * ```
 */
export function viewOf(original: string): View {
  const chunks: string[] = [];
  const units: number[] = [];
  const starts: number[] = [];
  const flush = (): void => {
    chunks.push(String.fromCharCode.apply(null, units));
    units.length = 0;
  };
  for (let index = 0; index < original.length; ) {
    const point = pointAt(original, index);
    const folded = foldPoint(point);
    for (let unit = 0; unit < folded.length; unit++) {
      units.push(folded.charCodeAt(unit));
      starts.push(index);
    }
    if (units.length >= CHUNK) flush();
    index += point > 0xffff ? 2 : 1;
  }
  flush();
  return { text: chunks.join(''), starts, original };
}
