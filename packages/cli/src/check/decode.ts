/** From this share of characters on that no text has, bytes with NULs among them are no text. */
const MAX_ODD = 0.1;
// What stands for bytes that are no UTF-8, and controls that no text has. Not NUL: UTF-16 without a mark is half of them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is counted.
const ODD = /[\ufffd\u0001-\u0008\u000e-\u001a\u001c-\u001f\u007f]/g;

function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : 'utf-8';
}

function isBinary(text: string): boolean {
  if (!text.includes('\0')) return false;
  let odd = 0;
  for (const _ of text.matchAll(ODD)) odd++;
  return odd > MAX_ODD * withoutNuls(text).text.length;
}

/** The text that bytes stand for, by their byte order mark; undefined where they stand for none. A NUL alone hides nothing. */
export function decode(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder(encodingOf(bytes)).decode(bytes);
  return isBinary(text) ? undefined : text;
}

/** A text without NULs, and where in the original an offset of it lies. */
export interface Plain {
  readonly text: string;
  originalOf(offset: number): number;
}

/** NULs are taken out: nobody sees them, and words with one inside are no words to a classifier. */
export function withoutNuls(content: string): Plain {
  if (!content.includes('\0')) return { text: content, originalOf: (offset) => offset };
  /** Of each NUL, the offset that what stands behind it has in the text. */
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
