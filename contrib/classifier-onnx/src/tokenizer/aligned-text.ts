/** A text derived from another, with the range of the original text that each unit comes from. */
export interface Aligned {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

/** The text itself: both halves of a surrogate pair come from the whole pair. */
export function align(text: string): Aligned {
  const starts = new Int32Array(text.length);
  const ends = new Int32Array(text.length);
  let at = 0;
  for (const point of text) {
    const next = at + point.length;
    for (let unit = at; unit < next; unit++) {
      starts[unit] = at;
      ends[unit] = next;
    }
    at = next;
  }
  return { text, starts, ends };
}

export function slice({ text, starts, ends }: Aligned, from: number, to: number): Aligned {
  return { text: text.slice(from, to), starts: starts.subarray(from, to), ends: ends.subarray(from, to) };
}

function grown(places: Int32Array, length: number): Int32Array {
  const copy = new Int32Array(length);
  copy.set(places);
  return copy;
}

/** Writes a new text out of an aligned one. */
export class Rewriter {
  readonly #from: Aligned;
  #text = '';
  #starts: Int32Array;
  #ends: Int32Array;

  constructor(from: Aligned) {
    this.#from = from;
    this.#starts = new Int32Array(from.text.length + 16);
    this.#ends = new Int32Array(from.text.length + 16);
  }

  /** Writes `text` for the units from `from` to `to`, of which there is at least one. */
  write(text: string, from: number, to: number): void {
    const length = this.#text.length;
    this.#reserve(length + text.length);
    this.#starts.fill(this.#from.starts[from] as number, length, length + text.length);
    this.#ends.fill(this.#from.ends[to - 1] as number, length, length + text.length);
    this.#text += text;
  }

  /** Writes the units from `from` to `to` as they are. */
  copy(from: number, to: number): void {
    const length = this.#text.length;
    this.#reserve(length + to - from);
    this.#starts.set(this.#from.starts.subarray(from, to), length);
    this.#ends.set(this.#from.ends.subarray(from, to), length);
    this.#text += this.#from.text.slice(from, to);
  }

  finish(): Aligned {
    const { length } = this.#text;
    return { text: this.#text, starts: this.#starts.subarray(0, length), ends: this.#ends.subarray(0, length) };
  }

  #reserve(length: number): void {
    if (length <= this.#starts.length) return;
    this.#starts = grown(this.#starts, length * 2);
    this.#ends = grown(this.#ends, length * 2);
  }
}

/** Rewrites every match of a global pattern, and keeps what lies between. */
export function rewrite(aligned: Aligned, pattern: RegExp, replace: (match: string) => string): Aligned {
  const { text } = aligned;
  const rewriter = new Rewriter(aligned);
  let done = 0;
  for (const { index, 0: match } of text.matchAll(pattern)) {
    if (match === '') continue;
    rewriter.copy(done, index);
    done = index + match.length;
    rewriter.write(replace(match), index, done);
  }
  if (done === 0) return aligned;
  rewriter.copy(done, text.length);
  return rewriter.finish();
}
