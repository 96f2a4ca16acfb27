import { SallyportError } from '../base/errors.ts';
import { joinLabels, type Label } from '../label/label.ts';
import { Recorded } from '../record/record.ts';

/** A program that a model wrote, at the time it makes a call. */
export interface Script {
  readonly source: string;
  /** Everything it has read so far. */
  readonly read: readonly Recorded[];
}

/** What a call keeps of its script. */
export interface ScriptOrigin {
  readonly source: string;
  /** The joined label of everything that the script has read, and so of everything it computes. */
  readonly label: Label;
}

/** The records that a script has read. */
export function readBy({ source, read }: Script): readonly Recorded[] {
  if (typeof source !== 'string' || !Array.isArray(read) || !read.every(Recorded.is))
    throw new SallyportError(
      'ERR_INVALID_CALL',
      '`script` must be { source, read }: the text of the program, and an array of the records it has read.',
    );
  return read;
}

export function originOfScript(script: Script): ScriptOrigin {
  return Object.freeze({ source: script.source, label: joinLabels(readBy(script).map(({ label }) => label)) });
}

/** A character that continues a name, a number or an address. */
const CONTINUES = /[\p{L}\p{N}_$.@-]/u;

/** True if a program contains a text, not as part of a longer name, number or address. */
export function mentions({ source }: ScriptOrigin, text: string): boolean {
  for (let at = text === '' ? -1 : source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
    const [before = '', after = ''] = [source[at - 1], source[at + text.length]];
    if (!CONTINUES.test(before) && !CONTINUES.test(after)) return true;
  }
  return false;
}

/** True for a string or number literal of a program, as opposed to a value that it computes. */
export function hasLiteral(origin: ScriptOrigin, value: string): boolean {
  if (["'", '"', '`'].some((quote) => origin.source.includes(quote + value + quote))) return true;
  return /^-?[\d.]+$/.test(value) && mentions(origin, value);
}
