import { pointAt } from '../base/code-point.ts';
import { neutralize } from './escape-markers.ts';
import { viewOf } from './fold.ts';
import { sectionName, vocabularyFor } from './reserved-names.ts';

const LESS = 60;
const GREATER = 62;
const MAX_NAME_LENGTH = 128;
const TAG_NAME = /^<[\s/|\\]*([a-z][a-z0-9_.:-]*)/;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The text that remains so far: folded units, their offsets in the original, and where a tag may have begun. */
class Remainder {
  readonly #units: Uint16Array;
  readonly #starts: Int32Array;
  readonly #opens: number[] = [];
  readonly #names: ReadonlySet<string>;
  readonly removed: Range[] = [];
  #length = 0;

  constructor(capacity: number, names: ReadonlySet<string>) {
    this.#units = new Uint16Array(capacity);
    this.#starts = new Int32Array(capacity);
    this.#names = names;
  }

  add(unit: number, start: number): void {
    if (unit === LESS) this.#opens.push(this.#length);
    this.#units[this.#length] = unit;
    this.#starts[this.#length++] = start;
  }

  /** Called at a `>`. Removes the tag that it closes, or discards all open `<`, since a tag contains no `<` or `>`. */
  close(end: number): void {
    const at = this.#opens.pop();
    if (at === undefined) return;
    const head = String.fromCharCode(...this.#units.subarray(at, Math.min(at + MAX_NAME_LENGTH, this.#length)));
    const name = TAG_NAME.exec(head)?.[1];
    if (name === undefined || !this.#names.has(name)) {
      this.#opens.length = 0;
      return;
    }
    const from = this.#starts[at] as number;
    while ((this.removed.at(-1)?.from ?? -1) >= from) this.removed.pop();
    this.removed.push({ from, to: end });
    this.#length = at;
  }
}

/**
 * Removes tags with these names, including those that removing another tag would form. Case, look-alikes and invisible
 * characters do not hide a tag. Tags that remain, unclosed or written as character references, are escaped. Linear.
 * Prefer `neutralize`, which keeps the whole text.
 *
 * @example
 * ```ts
 * stripTags('a <sys<system>tem>b</system>', ['system']); // 'a b'
 * ```
 */
export function stripTags(text: string, tagNames: readonly string[]): string {
  const names = new Set(tagNames.map(sectionName));
  const view = viewOf(text);
  const remainder = new Remainder(view.text.length, names);
  for (let at = 0; at < view.text.length; at++) {
    const unit = view.text.charCodeAt(at);
    const start = view.starts[at] as number;
    remainder.add(unit, start);
    if (unit === GREATER) remainder.close(start + (pointAt(text, start) > 0xffff ? 2 : 1));
  }
  let output = '';
  let from = 0;
  for (const range of remainder.removed) {
    output += text.slice(from, range.from);
    from = range.to;
  }
  return neutralize(output + text.slice(from), vocabularyFor(names));
}
