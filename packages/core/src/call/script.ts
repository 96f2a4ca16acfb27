import { SallyportError } from '../base/errors.ts';
import { joinLabels, type Label } from '../label/label.ts';
import { Recorded } from '../record/record.ts';

/** A program that a model wrote, as far as it has come. */
export interface Script {
  readonly source: string;
  /** Everything it has read until now. */
  readonly read: readonly Recorded[];
}

/** What is kept of a script that makes a call: its words are the model's, and what it computes is of everything it has read. */
export interface ScriptOrigin {
  readonly source: string;
  readonly label: Label;
}

/** The records that a script has read. */
export function readBy({ source, read }: Script): readonly Recorded[] {
  if (typeof source !== 'string' || !Array.isArray(read) || !read.every(Recorded.is))
    throw new SallyportError('ERR_INVALID_CALL', 'script is { source, read }: its text, and the records it has read.');
  return read;
}

export function originOfScript(script: Script): ScriptOrigin {
  return Object.freeze({ source: script.source, label: joinLabels(readBy(script).map(({ label }) => label)) });
}

/** What a name, a number or an address goes on with. */
const GOES_ON = /[\p{L}\p{N}_$.@-]/u;

/** Whether a program says a text somewhere by itself, and not as part of something longer. */
export function mentions({ source }: ScriptOrigin, text: string): boolean {
  for (let at = text === '' ? -1 : source.indexOf(text); at >= 0; at = source.indexOf(text, at + 1)) {
    const [before = '', after = ''] = [source[at - 1], source[at + text.length]];
    if (!GOES_ON.test(before) && !GOES_ON.test(after)) return true;
  }
  return false;
}

/** Whether a value stands in a program: as a string, or as a number. What a program puts together does not. */
export function saysLiterally(origin: ScriptOrigin, value: string): boolean {
  if (["'", '"', '`'].some((quote) => origin.source.includes(quote + value + quote))) return true;
  return /^-?[\d.]+$/.test(value) && mentions(origin, value);
}
