import { neutralize } from './escape-markers.ts';
import { vocabularyFor } from './reserved-names.ts';

const VOCABULARY = vocabularyFor([]);

/** A text of this number of words or more counts as prose. A name has one or two. */
const MIN_PROSE_WORDS = 3;

const MAX_TOKEN_LENGTH = 256;
const MAX_NAME_LENGTH = 64;
/** A longer token may contain prose, unless it is encoded bytes. */
const MAX_OPAQUE_LENGTH = 2000;

// Scripts without spaces between words: two characters count as one word.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}\p{Script=Tibetan}\p{Script=Javanese}\p{Script=Balinese}]/gu;
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]/u;
const TOKEN = /^[!-~]*$/;
const BYTES = /^[\w+/=-]*$/;

/** A run of printable ASCII without spaces is one word. In other text a word is a run of letters. */
function wordCount(text: string): number {
  if (TOKEN.test(text)) return 1;
  const runs = text.match(/[\p{L}\p{M}\p{N}]+/gu)?.length ?? 0;
  const blanks = text.split(/\s+/u).filter((run) => run !== '').length;
  return Math.max(runs, blanks) + Math.floor((text.match(UNSPACED)?.length ?? 0) / 2);
}

/**
 * Recognises a text that a model may read without a frame: one token such as a name, an address or a date, or a name of
 * two words. Prose, hidden characters and imitated tags are not plain. The MCP proxy asks it about names, which it
 * cannot frame.
 *
 * @example
 * ```ts
 * if (!isPlain(tool.name)) hold(tool);
 * ```
 */
export function isPlain(text: string): boolean {
  const isShort = TOKEN.test(text) ? text.length <= MAX_TOKEN_LENGTH : text.length <= MAX_NAME_LENGTH;
  if (!isShort || wordCount(text) >= MIN_PROSE_WORDS || HIDDEN.test(text)) return false;
  return neutralize(text, VOCABULARY) === text;
}

/**
 * Recognises encoded bytes, such as a picture in base64: a run of letters and digits that is too long for a name.
 *
 * @example
 * ```ts
 * const texts = strings.filter((text) => !isBytes(text));
 * ```
 */
export function isBytes(text: string): boolean {
  return text.length > MAX_OPAQUE_LENGTH && BYTES.test(text);
}

/**
 * Recognises one token that does not imitate a tag, such as an address or a cursor of a server. Bytes may have any
 * length.
 *
 * @example
 * ```ts
 * const isOpaque = isToken(result.nextCursor);
 * ```
 */
export function isToken(text: string): boolean {
  if (text.length > MAX_OPAQUE_LENGTH) return isBytes(text);
  return TOKEN.test(text) && neutralize(text, VOCABULARY) === text;
}
