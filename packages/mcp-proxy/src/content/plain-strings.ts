import { neutralize, vocabularyFor } from '@sallyport/core/stages';

const VOCABULARY = vocabularyFor([]);

/** How many words a text must have to say something: a name has one or two. */
const SAYING = 3;

const MAX_TOKEN_LENGTH = 256;
const MAX_NAME_LENGTH = 64;
/** What is longer, and is not bytes, could say something to somebody. */
const MAX_OPAQUE_LENGTH = 2000;

// Scripts that put no blanks between words: two characters are counted for one.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Balinese}]/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const TOKEN = /^[!-~]*$/;
const BYTES = /^[\w+/=-]*$/;

/** An ASCII token is one word whatever signs it has; in all else a word is a run of letters. */
function wordCount(text: string): number {
  if (TOKEN.test(text)) return 1;
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  const blanks = text.split(/\s+/u).filter((run) => run !== '').length;
  return Math.max(runs, blanks) + Math.floor((text.match(UNSPACED)?.length ?? 0) / 2);
}

/**
 * Whether a text may stand before a model as it is: one token of a machine, such as a name, an address or a date, or a name of
 * two words. What could say more, hides something or imitates a tag is not plain.
 */
export function isPlain(text: string): boolean {
  const isShort = TOKEN.test(text) ? text.length <= MAX_TOKEN_LENGTH : text.length <= MAX_NAME_LENGTH;
  if (!isShort || wordCount(text) >= SAYING || HIDDEN.test(text)) return false;
  return neutralize(text, VOCABULARY) === text;
}

/** So long a run of letters and digits that it is no name: a picture, a state in base64. */
export function isBytes(text: string): boolean {
  return text.length > MAX_OPAQUE_LENGTH && BYTES.test(text);
}

/** One token that imitates no tag: an address, the state that a server wants back; of bytes, at any length. */
export function isToken(text: string): boolean {
  if (text.length > MAX_OPAQUE_LENGTH) return isBytes(text);
  return TOKEN.test(text) && neutralize(text, VOCABULARY) === text;
}
