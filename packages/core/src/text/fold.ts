import { pointAt } from '../base/code-point.ts';
import { CONFUSABLES } from './confusables.ts';

// Marks are removed with the invisible: `<` with U+0338 on it composes to U+226E and is still read as `<`.
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]/u;
const SPACE = /\s/u;
const LINE_BREAK = /[\n\v\f\r\u2028\u2029]/;

function foldCharacter(character: string): string {
  if (LINE_BREAK.test(character)) return '\n';
  if (character === '\t') return ' ';
  // Before spaces: U+FEFF is one to a regular expression and nothing to a reader.
  if (INVISIBLE.test(character)) return '';
  if (SPACE.test(character)) return ' ';
  return CONFUSABLES.get(character.codePointAt(0) as number) ?? character;
}

function computeFold(point: number): string {
  if ((point & 0xfffff800) === 0xd800) return '\ufffd';
  // Before normalisation: NFKC takes the lunate sigma, which everybody reads as a c, for a sigma.
  const lookAlike = CONFUSABLES.get(point);
  if (lookAlike !== undefined) return lookAlike;
  const character = String.fromCodePoint(point);
  // Upper before lower, so that U+00DF (ss), U+0131 and U+017F meet the letters a case-insensitive reader takes them for.
  const decomposed = character.normalize('NFKD').toUpperCase().toLowerCase().normalize('NFKD');
  let folded = '';
  for (const each of decomposed) folded += foldCharacter(each);
  // U+FDFA is one character and eighteen letters: a text of them would be a view of six times its size.
  return folded.length <= MAX_FOLD_LENGTH ? folded : `${folded[0]}\ufffd${folded.at(-1)}`;
}

function replaceLookAlikes(text: string): string {
  let replaced = '';
  for (const each of text) replaced += CONFUSABLES.get(each.codePointAt(0) as number) ?? each;
  return replaced;
}

/** The single things a reader may do to a text; in which order and how often, nobody knows. */
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
 * Every first letter that some sequence of readers can make of a code point. For most there is one; U+03BD is an n to
 * whoever looks at its capital and a v to whoever looks at itself.
 */
export function firstReadings(point: number): readonly string[] {
  const known = readings.get(point);
  if (known !== undefined) return known;
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
const cache = new Map<number, string>();

/**
 * What a code point looks like to a careless reader: after compatibility normalisation, case folding, removal of what
 * cannot be seen, and replacement of look-alikes. Folding is per code point, so that a view of a text can point back.
 */
export function foldPoint(point: number): string {
  const known = cache.get(point);
  if (known !== undefined) return known;
  const folded = computeFold(point);
  // A text of all of Unicode must not fill memory for ever; starting over is cheap.
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(point, folded);
  return folded;
}

/** A folded text whose every unit knows where in the original it came from. */
export interface View {
  readonly text: string;
  /** For each UTF-16 unit of `text`, the index in the original of the code point it came from. */
  readonly starts: readonly number[];
  readonly original: string;
}

/** A text as it is scanned: printable ASCII as it stands, anything else folded. */
export interface Scanned extends Partial<View> {
  readonly text: string;
  /** Something nobody knows yet will be written behind it, so what only begins a marker counts as one. */
  readonly isOpen: boolean;
  /** Places in the original where a tag of ours will stand. */
  readonly breaks?: ReadonlySet<number> | undefined;
}

/** Whether the units from `from` to `to` are ASCII and side by side in the original too, so that all readers agree on them. */
export function isLiteral({ starts, original }: Scanned, from: number, to: number): boolean {
  if (starts === undefined || original === undefined) return true;
  const first = starts[from] as number;
  for (let index = from; index < to; index++)
    if (starts[index] !== first + index - from || original.charCodeAt(first + index - from) > 127) return false;
  return true;
}

/** Whether a tag of ours will stand between two of the units from `from` to `to`: then each half is read by itself. */
export function isBroken({ starts, breaks }: Scanned, from: number, to: number): boolean {
  if (breaks === undefined) return false;
  for (let index = from + 1; index <= to; index++)
    if (breaks.has(starts === undefined ? index : (starts[index] ?? -1))) return true;
  return false;
}

/** Folds a whole text. Linear; the original is never changed by it. */
export function viewOf(original: string): View {
  const pieces: string[] = [];
  const starts: number[] = [];
  for (let index = 0; index < original.length; ) {
    const point = pointAt(original, index);
    const folded = foldPoint(point);
    pieces.push(folded);
    for (let unit = 0; unit < folded.length; unit++) starts.push(index);
    index += point > 0xffff ? 2 : 1;
  }
  return { text: pieces.join(''), starts, original };
}
