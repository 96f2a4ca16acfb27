import { foldPoint } from '../fold.ts';

/**
 * The class of a code point decides how it is normalised. Up to `FOLDABLE` it is copied; larger classes need handling.
 */
const OTHER = 1;
export const LATIN = 2;
export const FOREIGN = 3;
/** A letter of another script that looks like a Latin one. It is folded or not depending on its word and line. */
export const FOLDABLE = 4;
export const REMOVE = 5;
export const REPLACE = 6;
/** A combining mark that can be stacked on a letter. */
export const MARK = 7;
export const BREAK = 8;
export const AMPERSAND = 9;
export const BACKSLASH = 10;
export const SURROGATE = 11;
/** A variation selector: invisible, and the 256 of them can encode bytes. */
export const SELECTOR = 12;
export const TAG = 13;
/** A stroke through a letter or a line under it, which no orthography uses. */
export const OVERLAY = 14;

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9-\ufffb]/u;
const LETTER = /\p{L}/u;
const LATIN_LETTER = /\p{Script=Latin}/u;
const LINE_BREAK = /[\v\f\r\u0085\u2028\u2029]/;
const STROKES =
  /[\u0332-\u0338\u0305\u033f\u0347\u20d2\u20d3\u20d8-\u20da\u20dd-\u20e0\u20e2-\u20e4\u20e5\u20e6\u20ea\u20eb]/;
const STACKED = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/;
// Phonetic and enclosed letters that look like a plain letter and belong to no orthography. Those that African
// languages and Azerbaijani use are not included.
const STYLED_LETTER =
  /[\u0250-\u0252\u0255\u0258\u025c-\u025f\u0261\u0262\u0264-\u0267\u026a-\u0271\u0273-\u0287\u028c-\u0291\u0293-\u02af\u1d00-\u1d2b\ua730\ua731\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/u;
// Scripts with letters that look Latin. Others (Arabic, Kana, Devanagari) have some too, but are mixed with Latin words
// so often that folding them would corrupt ordinary text.
const LATIN_LIKE_SCRIPT =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Coptic}\p{Script=Cherokee}\p{Script=Lisu}\p{Script=Canadian_Aboriginal}\p{Script=Deseret}\p{Script=Osage}\p{Script=Warang_Citi}\p{Script=Old_Italic}\p{Script=Lydian}\p{Script=Lycian}\p{Script=Carian}\p{Script=Miao}]/u;

// Longer compatibility forms, such as a unit of measure in six Katakana, would only make a text longer.
const MAX_FORM_LENGTH = 4;
const CACHE_LIMIT = 16_384;
/** The class of every UTF-16 unit seen so far; 0 for the others. */
export const classes: Uint8Array = new Uint8Array(0x10000);
const astralClasses = new Map<number, number>();
const replacements = new Map<number, string>();
const lookAlikes = new Map<number, number>();

function caseLike(folded: string, character: string): string {
  return character === character.toLowerCase() ? folded : folded.toUpperCase();
}

/** The Latin letter that a foldable code point looks like, as a UTF-16 unit in the same case. */
export function lookAlikeOf(point: number): number {
  const cached = lookAlikes.get(point);
  if (cached !== undefined) return cached;
  const unit = caseLike(foldPoint(point), String.fromCodePoint(point)).charCodeAt(0);
  lookAlikes.set(point, unit);
  return unit;
}

function compatibilityForm(point: number, character: string): string | undefined {
  if (STYLED_LETTER.test(character)) {
    const folded = foldPoint(point);
    return /^[a-z]$/.test(folded) ? folded : undefined;
  }
  const form = character.normalize('NFKC');
  if (form === character || form.length > MAX_FORM_LENGTH) return undefined;
  // U+00B4 would become a space and a separate accent.
  return form.length > 1 && form.startsWith(' ') ? undefined : form;
}

function letterClass(point: number, character: string): number {
  if (!LETTER.test(character)) return OTHER;
  if (LATIN_LETTER.test(character)) return LATIN;
  return LATIN_LIKE_SCRIPT.test(character) && /^[a-z]$/.test(foldPoint(point)) ? FOLDABLE : FOREIGN;
}

function keptClass(point: number, character: string): number {
  const form = compatibilityForm(point, character);
  if (form === undefined) return letterClass(point, character);
  if (INVISIBLE.test(form)) return REMOVE;
  if (replacements.size >= CACHE_LIMIT) clearCaches();
  replacements.set(point, form);
  return REPLACE;
}

function computeClass(point: number): number {
  if (point === 9 || point === 10) return OTHER;
  if (point === 38) return AMPERSAND;
  if (point === 92) return BACKSLASH;
  if ((point & 0xfffff800) === 0xd800) return SURROGATE;
  if ((point >= 0xfe00 && point <= 0xfe0f) || (point >= 0xe0100 && point <= 0xe01ef)) return SELECTOR;
  if (point >= 0xe0000 && point <= 0xe007f) return TAG;
  const character = String.fromCodePoint(point);
  if (LINE_BREAK.test(character)) return BREAK;
  if (INVISIBLE.test(character)) return REMOVE;
  if (STROKES.test(character)) return OVERLAY;
  return STACKED.test(character) ? MARK : keptClass(point, character);
}

// A text with all of Unicode must not make the caches grow without limit.
function clearCaches(): void {
  replacements.clear();
  astralClasses.clear();
  classes.fill(0);
}

function cacheUnit(unit: number): number {
  const cached = computeClass(unit);
  classes[unit] = cached;
  return cached;
}

/** The class of a UTF-16 unit. For surrogate pairs use `classOfPoint`. */
export function classOfUnit(unit: number): number {
  return (classes[unit] as number) || cacheUnit(unit);
}

export function classOfPoint(point: number): number {
  if (point < 0x10000) return classOfUnit(point);
  const cached = astralClasses.get(point);
  if (cached !== undefined) return cached;
  if (astralClasses.size >= CACHE_LIMIT) clearCaches();
  const computed = computeClass(point);
  astralClasses.set(point, computed);
  return computed;
}

/** The replacement of a code point of class `REPLACE`. */
export function replacementOf(point: number): string {
  return replacements.get(point) ?? String.fromCodePoint(point);
}
