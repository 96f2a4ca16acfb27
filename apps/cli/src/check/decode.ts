/** A file that contains NULs is binary if more than this share of its other characters do not occur in text. */
const MAX_BINARY_SHARE = 0.1;
// The replacement character for invalid UTF-8, and control characters that do not occur in text. Not NUL: in UTF-16 without a
// byte order mark, every second byte may be one.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted.
const BINARY = /[\ufffd\u0001-\u0008\u000e-\u001a\u001c-\u001f\u007f]/g;

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function isBinary(text: string): boolean {
  if (!text.includes('\0')) return false;
  let count = 0;
  for (const _ of text.matchAll(BINARY)) count++;
  return count > MAX_BINARY_SHARE * withoutNuls(text).text.length;
}

/** Decodes text by its byte order mark; undefined for binary data. Single NULs do not make text binary. */
export function decode(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return isBinary(text) ? undefined : text;
}

/** A text without NULs. `originalOf` maps an offset to the original text. */
export interface NulFreeText {
  readonly text: string;
  originalOf(offset: number): number;
}

/** Removes NULs: they are invisible, and the classifier does not recognize a word that contains one. */
export function withoutNuls(content: string): NulFreeText {
  if (!content.includes('\0')) return { text: content, originalOf: (offset) => offset };
  /** For each NUL, the offset in the new text of the character after it. */
  const gaps: number[] = [];
  for (let at = content.indexOf('\0'); at >= 0; at = content.indexOf('\0', at + 1)) gaps.push(at - gaps.length);
  return {
    text: content.replaceAll('\0', ''),
    originalOf(offset) {
      let low = 0;
      let high = gaps.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((gaps[middle] as number) <= offset) low = middle + 1;
        else high = middle;
      }
      return offset + low;
    },
  };
}
