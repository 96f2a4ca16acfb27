import { HIGHEST, type Label } from '../label/label.ts';
import { envelopesOf } from '../record/envelopes.ts';
import type { Part } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { CODE_PATTERN, type FrameKey } from './key.ts';

const CODE_LENGTH = 26;
// Any run that is long enough: a nonce may be surrounded by other characters of its alphabet.
const RUN = new RegExp(`${CODE_PATTERN.replace('{26}', '{26,}')}`, 'g');

/** Replaces a live nonce in stored content. */
const REMOVED_CODE = '(code removed)';

function noncesFor(id: string, partCount: number, key: FrameKey): string[] {
  const indices = Array.from({ length: Math.max(1, partCount) }, (_, index) => index);
  return indices.flatMap((index) => [key.code('nonce', id, index), key.code('corpus', id, index)]);
}

/** The nonces of a record's frames. They are computed when needed and never stored with the record. */
export function noncesOf(recorded: Recorded, key: FrameKey): string[] {
  return noncesFor(recorded.id, envelopesOf(recorded).length, key);
}

/** A record that is being added. Its content may already contain the codes that its own frame will have. */
export interface NewRecord {
  readonly id: string;
  /** How many parts it has when it is shown. */
  readonly partCount: number;
}

export interface Cleaned<T> {
  readonly value: T;
  /** The labels of the records whose codes were removed. */
  readonly labels: readonly Label[];
}

/** The codes of all frames of a conversation, past and future. They are held in memory and never stored. */
export class LiveCodes {
  readonly #key: FrameKey;
  readonly #labels = new Map<string, Label>();
  readonly #waiting: Recorded[] = [];

  constructor(key: FrameKey) {
    this.#key = key;
  }

  /** Adds the codes of a record. They are computed when content first contains something that looks like a code. */
  add(recorded: Recorded): void {
    this.#waiting.push(recorded);
  }

  labelOf(code: string): Label | undefined {
    for (let recorded = this.#waiting.pop(); recorded !== undefined; recorded = this.#waiting.pop())
      for (const nonce of noncesOf(recorded, this.#key)) this.#labels.set(nonce, recorded.label);
    return this.#labels.get(code);
  }

  /** Replaces live codes in a text: a request that a tool returns must not put its codes into storage. */
  cleanText(text: string, newRecord: NewRecord): Cleaned<string> {
    const labels: Label[] = [];
    const value = text.replace(RUN, (run) => {
      const own = new Set(noncesFor(newRecord.id, newRecord.partCount, this.#key));
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

  /** Like `cleanText`, for every field of a part. */
  cleanPart(part: Part, newRecord: NewRecord): Cleaned<Part> {
    const labels: Label[] = [];
    const fields = Object.entries(part).map(([name, value]: [string, string]) => {
      const cleaned = name === 'type' ? { value, labels: [] } : this.cleanText(value, newRecord);
      labels.push(...cleaned.labels);
      return [name, cleaned.value];
    });
    return labels.length === 0 ? { value: part, labels } : { value: Object.freeze(Object.fromEntries(fields)), labels };
  }
}
