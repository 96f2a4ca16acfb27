import { HIGHEST, type Label } from '../label/label.ts';
import type { Part } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { CODE_PATTERN, type FrameKey } from './key.ts';

const CODE_LENGTH = 26;
// Any run that is long enough: a nonce may stand inside other characters of its own alphabet.
const RUN = new RegExp(`${CODE_PATTERN.replace('{26}', '{26,}')}`, 'g');

/** What stands in stored content where a live nonce stood. */
const REMOVED_CODE = '(code removed)';

function noncesFor(id: string, partCount: number, key: FrameKey): string[] {
  const indices = Array.from({ length: Math.max(1, partCount) }, (_, index) => index);
  return indices.flatMap((index) => [key.code('nonce', id, index), key.code('corpus', id, index)]);
}

/** The nonces of a record's frames. Derived on demand: none is ever kept with the record. */
export function noncesOf(recorded: Recorded, key: FrameKey): string[] {
  return noncesFor(recorded.id, recorded.parts.length, key);
}

/** A record that is being taken in: content may already hold the codes it is going to have. */
export interface Newcomer {
  readonly id: string;
  readonly partCount: number;
}

export interface Cleaned<T> {
  readonly value: T;
  /** The labels of the records whose codes were found. */
  readonly labels: readonly Label[];
}

/** The codes of everything a conversation has shown or will show. They live as long as this object and are never stored. */
export class LiveCodes {
  readonly #key: FrameKey;
  readonly #labels = new Map<string, Label>();
  readonly #waiting: Recorded[] = [];

  constructor(key: FrameKey) {
    this.#key = key;
  }

  /** Most content has nothing in it that looks like a code: codes are computed when the first does, once each. */
  add(recorded: Recorded): void {
    this.#waiting.push(recorded);
  }

  labelOf(code: string): Label | undefined {
    for (let recorded = this.#waiting.pop(); recorded !== undefined; recorded = this.#waiting.pop())
      for (const nonce of noncesOf(recorded, this.#key)) this.#labels.set(nonce, recorded.label);
    return this.#labels.get(code);
  }

  /** Replaces live codes in a text. A request that came back through a tool must not put its codes into storage. */
  cleanText(text: string, newcomer: Newcomer): Cleaned<string> {
    const labels: Label[] = [];
    const value = text.replace(RUN, (run) => {
      const own = new Set(noncesFor(newcomer.id, newcomer.partCount, this.#key));
      let output = '';
      let from = 0;
      for (let at = 0; at + CODE_LENGTH <= run.length; ) {
        const code = run.slice(at, at + CODE_LENGTH);
        const label = this.labelOf(code) ?? (own.has(code) ? HIGHEST : undefined);
        if (label === undefined) {
          at++;
          continue;
        }
        labels.push(label);
        output += run.slice(from, at) + REMOVED_CODE;
        at += CODE_LENGTH;
        from = at;
      }
      return output + run.slice(from);
    });
    return { value, labels };
  }

  /** The same over every field of a part. */
  cleanPart(part: Part, newcomer: Newcomer): Cleaned<Part> {
    const labels: Label[] = [];
    const fields = Object.entries(part).map(([name, value]: [string, string]) => {
      const cleaned = name === 'type' ? { value, labels: [] } : this.cleanText(value, newcomer);
      labels.push(...cleaned.labels);
      return [name, cleaned.value];
    });
    return labels.length === 0 ? { value: part, labels } : { value: Object.freeze(Object.fromEntries(fields)), labels };
  }
}
