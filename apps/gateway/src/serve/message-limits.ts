const MAX_DEPTH = 64;
const MAX_VALUES = 10_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const CLOSE_OBJECT = 0x7d;
const CLOSE_ARRAY = 0x5d;

/** The position of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

/**
 * Why a client's message is refused before anything parses it; undefined if it is within the limits. The work of a check grows with
 * the number of values and their depth, not only with the length of the text.
 */
export function excessIn(text: string): string | undefined {
  let [depth, values] = [0, 1];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === COMMA) values++;
    else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      depth++;
      values++;
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) depth--;
    if (depth > MAX_DEPTH) return `The message is nested more than ${MAX_DEPTH} levels deep: send a flatter one.`;
    if (values > MAX_VALUES) return `The message has more than ${MAX_VALUES} values: send several smaller ones.`;
  }
  return undefined;
}
