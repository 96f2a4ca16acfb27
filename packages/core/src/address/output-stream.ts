// What a link, an image or a tag can begin with, when its end has not arrived.
const OPENER = /[[<]|!(?=\[|$)/g;
// Style sheets and scripts can load addresses anywhere up to their end.
const BLOCK = /<(?:style|script)(?![a-z])/i;
// The last run without blanks may go on and become an address.
const LAST_RUN = /\S*$/;
// A reference names its address in another place; a bracket that is closed and followed by something else is not a link.
const CLOSED = /\](?![([:]|$|\s*$)/;
const MAX_HELD = 4000;
// An image may refer to an address that is defined later. After one, every definition is read as that of an image.
const IMAGE = '![]\n';

/** Where an opener at `at` ends in its text, or -1 if it may still go on. */
function endOfOpener(text: string, at: number): number {
  if (text[at] === '<') {
    if (!/[a-z/!?]|$/iy.test(text.slice(at + 1, at + 2))) return at + 1;
    const end = text.indexOf('>', at);
    return end < 0 ? -1 : end + 1;
  }
  const from = text[at] === '!' ? at + 1 : at;
  const label = text.slice(from).search(CLOSED);
  const link = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\]\[[^\]\n]*\]|\]:[^\n]*\n/.exec(text.slice(from));
  if (link !== null && (label < 0 || link.index <= label)) return from + link.index + link[0].length;
  return label < 0 ? -1 : from + label + 1;
}

/** The length of the part of a text in which every possible address has ended. */
function settledLength(text: string): number {
  const block = text.search(BLOCK);
  const limit = LAST_RUN.exec(text)?.index ?? text.length;
  OPENER.lastIndex = 0;
  for (let found = OPENER.exec(text); found !== null; found = OPENER.exec(text)) {
    const end = endOfOpener(text, found.index);
    if (end < 0 || end > limit) return Math.min(found.index, limit, block < 0 ? limit : block);
    OPENER.lastIndex = end;
  }
  return block < 0 ? limit : Math.min(block, limit);
}

/**
 * Sanitizes an answer that arrives in pieces. Text is passed on as soon as no address can be part of it; of a link, an image, a tag
 * or the last word, the beginning is held back until its end has arrived.
 *
 * @example
 * ```ts
 * const output: OutputStream = conversation.outputStream();
 * for await (const delta of answer) show(output.push(delta));
 * show(output.end());
 * ```
 */
export class OutputStream {
  readonly #sanitize: (text: string) => string;
  #held = '';
  #hasImage = false;

  constructor(sanitize: (text: string) => string) {
    this.#sanitize = sanitize;
  }

  /** Takes the next piece, and returns what can be shown now. */
  push(delta: string): string {
    this.#held += delta;
    // Nothing is held for ever: an opener without an end is not a link, and its text is judged as far as it has come.
    const length = this.#held.length > MAX_HELD ? (LAST_RUN.exec(this.#held)?.index ?? 0) : settledLength(this.#held);
    return this.#release(length);
  }

  /** The rest, when the answer has ended. */
  end(): string {
    return this.#release(this.#held.length);
  }

  #release(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    if (text === '') return '';
    const shown = this.#hasImage ? this.#sanitize(IMAGE + text).slice(IMAGE.length) : this.#sanitize(text);
    this.#hasImage ||= text.includes('![');
    return shown;
  }
}
