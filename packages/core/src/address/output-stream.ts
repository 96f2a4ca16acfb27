// The possible beginnings of a link, an image, a tag or the address of a definition.
const OPENER = /\[|\](?=:)|!(?=\[|$)|<(?=[a-z/!?]|$)/gi;
// Style sheets and scripts can load addresses anywhere up to their end.
const BLOCK = /<(?:style|script)(?![a-z])/i;

// An image that all parsers read alike: its label has no bracket, escape, code or tag, and its address no blank or
// parenthesis.
const IMAGE = /!\[[^[\]`\\<\n]*\](?:\([^()\s`\\<]*(?:[ \t]+"[^"\n]*")?[ \t]*\)|\[[^[\]`\\<\n]*\]|(?![([:\s]|$))/y;
const IMAGE_BEGUN =
  /!(?:\[[^[\]`\\<\n]*(?:\](?:\([^()\s`\\<]*(?:[ \t]+(?:"[^"\n]*"?)?)?[ \t]*|\[[^[\]`\\<\n]*|\s*)?)?)?$/y;
// A tag that all parsers read alike: no angle bracket in an attribute.
const TAG = /^<\/?[a-z][a-z0-9:-]*(?:\s+[a-z:_][\w:.-]*(?:=(?:"[^"<>]*"|'[^'<>]*'|[^\s"'<>=`]+))?)*\s*\/?>$/i;
const AUTOLINK = /^<[a-z][a-z0-9+.-]{1,31}:[^\s<>]*>$/i;
// The ends of a link and of a definition, from the closing bracket on.
const LINK_END = /\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\]\[[^\]\n]*\]/y;
const LINK_BEGUN = /\](?:[([]|\s*$)/y;
const DEFINITION_END = /\]:\s*\S[^\n]*\n/y;

const MAX_HELD = 4000;
// Syntax that loads an address by itself, as soon as its end is shown.
const LOADING = /!(?=\[)|<(?=[a-z/!?])/gi;

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}

/** The start of the last run without blanks. More text may follow and make it an address. */
function startOfLastRun(text: string): number {
  let at = text.length;
  while (at > 0 && !/\s/.test(text[at - 1] as string)) at--;
  return at;
}

/**
 * `hold`: the syntax is not complete yet. `part`: parsers may read it in different ways. A number: the offset to read
 * on from.
 */
type Reading = 'hold' | 'part' | number;

function readImage(text: string, at: number, limit: number): Reading {
  if (matches(IMAGE, text, at)) return IMAGE.lastIndex > limit ? 'hold' : IMAGE.lastIndex;
  return matches(IMAGE_BEGUN, text, at) ? 'hold' : 'part';
}

/** The content of a tag is read as well, because not every parser takes it for a tag. */
function readTag(text: string, at: number, limit: number): Reading {
  const end = text.indexOf('>', at) + 1;
  if (end === 0 || end > limit) return 'hold';
  const tag = text.slice(at, end);
  // Quotes matter only after a sign of equality, and nothing is loaded without one.
  return !tag.includes('=') || TAG.test(tag) || AUTOLINK.test(tag) ? at + 1 : 'part';
}

/** A link is held until its line ends: an address after that is also found without its bracket. */
function readLink(text: string, at: number, limit: number): Reading {
  const line = text.indexOf('\n', at);
  for (let close = text.indexOf(']', at); close >= 0; close = text.indexOf(']', close + 1)) {
    if (line >= 0 && line < close) return at + 1;
    if (matches(LINK_END, text, close)) return LINK_END.lastIndex > limit ? 'hold' : at + 1;
    if (!matches(LINK_BEGUN, text, close)) return at + 1;
  }
  return line < 0 ? 'hold' : at + 1;
}

function readDefinition(text: string, at: number, limit: number): Reading {
  return matches(DEFINITION_END, text, at) && DEFINITION_END.lastIndex <= limit ? at + 1 : 'hold';
}

const READERS = { '[': readLink, ']': readDefinition, '!': readImage, '<': readTag } as const;

interface Settled {
  /** The text, with a blank after the first sign of images and tags that parsers may read in different ways. */
  readonly text: string;
  /** The length of the beginning that can be shown: every possible address in it is complete. */
  readonly length: number;
}

/** Finds the beginning of a text that can be shown. `limitOf` gives the offset up to which it is read. */
function settleText(given: string, limitOf: (text: string) => number): Settled {
  let [text, limit] = [given, limitOf(given)];
  // A tag is shown whole, even if an address in it may not be complete.
  let tag = { start: 0, end: 0 };
  OPENER.lastIndex = 0;
  for (let found = OPENER.exec(text); found !== null; found = OPENER.exec(text)) {
    const { index: at, 0: sign } = found;
    const read = READERS[sign as keyof typeof READERS](text, at, limit);
    if (read === 'hold') return { text, length: Math.min(at < tag.end ? tag.start : at, limit) };
    if (read === 'part') {
      text = `${text.slice(0, at + 1)} ${text.slice(at + 1)}`;
      limit = limitOf(text);
      tag = { ...tag, end: tag.end + Number(at < tag.end) };
    } else if (sign === '<' && at >= tag.end) tag = { start: at, end: text.indexOf('>', at) + 1 };
    OPENER.lastIndex = read === 'part' ? at + 1 : read;
  }
  return { text, length: limit };
}

function settle(given: string): Settled {
  const block = given.search(BLOCK);
  if (block < 0) return settleText(given, startOfLastRun);
  const { text, length } = settleText(given.slice(0, block), (each) => each.length);
  return { text: text + given.slice(block), length };
}

/**
 * Sanitizes an answer that arrives in pieces. Text is passed on as soon as it cannot be part of an address; the
 * beginning of a link, an image, a tag or the last word is held back until its end has arrived.
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

  /** @param sanitize sanitizes part of an answer, which may continue the part before it */
  constructor(sanitize: (text: string) => string) {
    this.#sanitize = sanitize;
  }

  /** Takes the next piece, and returns the text that can be shown now. */
  push(delta: string): string {
    const shown: string[] = [];
    for (let from = 0; from < delta.length; from += MAX_HELD) {
      const { text, length } = settle(this.#held + delta.slice(from, from + MAX_HELD));
      this.#held = text;
      shown.push(this.#release(length));
      if (this.#held.length > MAX_HELD) shown.push(this.#giveUp());
    }
    return shown.join('');
  }

  /**
   * Releases text that is held too long. A blank after each syntax that could still load an address ends that address.
   */
  #giveUp(): string {
    this.#held = this.#held.replace(LOADING, '$& ');
    const start = startOfLastRun(this.#held);
    return start > 0 ? this.#release(start) : `${this.#release(this.#held.length)} `;
  }

  /** Call it when the answer has ended: returns the rest. */
  end(): string {
    this.#held = settle(this.#held).text;
    return this.#release(this.#held.length);
  }

  #release(length: number): string {
    const text = this.#held.slice(0, length);
    this.#held = this.#held.slice(length);
    return text === '' ? '' : this.#sanitize(text);
  }
}
