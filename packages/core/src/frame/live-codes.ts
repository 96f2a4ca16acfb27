import { BoundedMap } from '../base/bounded-map.ts';
import { HIGHEST, type Label } from '../label/label.ts';
import { envelopesOf, splitLists } from '../record/envelopes.ts';
import type { Part } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { CodeTable, type Spelled, spelledIn } from './code-table.ts';
import type { FrameKey } from './key.ts';
import type { FrameText } from './read-frame.ts';

/** Replaces a live nonce in stored content. */
const REMOVED_CODE = '(code removed)';
const STRING_LITERAL = /"(?:[^"\\]|\\.)*"/g;

/**
 * The number of records whose codes are kept after they were computed: a record's content is searched for them before
 * it is added.
 */
const MAX_COMPUTED = 16;

/** The nonces that the frames of a record's part can have. */
type PartNonces = readonly [own: string, list: string];

/** A record that is being added. Its content may already contain the codes that its own frame will have. */
export interface NewRecord {
  readonly id: string;
  readonly parts: readonly Part[];
}

export interface Cleaned<T> {
  readonly value: T;
  /** The labels of the records whose codes were removed. */
  readonly labels: readonly Label[];
}

/** A frame of this conversation. */
export interface LiveFrame {
  readonly recorded: Recorded;
  readonly index: number;
}

/** The codes of all frames of a conversation, past and future. They are held in memory and never stored. */
export class LiveCodes {
  readonly #key: FrameKey;
  readonly #live = new CodeTable<LiveFrame>('many');
  readonly #waiting: Recorded[] = [];
  readonly #own = new WeakMap<NewRecord, CodeTable<undefined>>();
  readonly #computed = new BoundedMap<string, PartNonces[]>(MAX_COMPUTED);

  constructor(key: FrameKey) {
    this.#key = key;
  }

  /** Adds the codes of a record. They are computed when content is long enough to contain one. */
  add(recorded: Recorded): void {
    this.#waiting.push(recorded);
  }

  /** The nonces of each part of a record, in order. */
  #noncesFor(id: string, partCount: number): readonly PartNonces[] {
    const known = this.#computed.get(id) ?? [];
    const count = Math.max(1, partCount);
    for (let index = known.length; index < count; index++)
      known.push([this.#key.nonce('nonce', id, index), this.#key.nonce('corpus', id, index)]);
    this.#computed.set(id, known);
    return known.slice(0, count);
  }

  get #table(): CodeTable<LiveFrame> {
    for (let recorded = this.#waiting.pop(); recorded !== undefined; recorded = this.#waiting.pop())
      for (const [index, nonces] of this.#noncesFor(recorded.id, envelopesOf(recorded).length).entries())
        for (const nonce of nonces) this.#live.add(nonce, { recorded, index });
    return this.#live;
  }

  /** The frame of this conversation that has this nonce. */
  frameOf(nonce: string): LiveFrame | undefined {
    return this.#table.get(nonce);
  }

  /**
   * Recognises a frame with the codes of the record that is being added. A process that had the record made the frame.
   */
  isOwnFrame({ nonce, nonces }: FrameText, id: string, index: number): boolean {
    if (nonces[0] === nonce) return nonce === this.#key.nonce('nonce', id, index);
    const isChild = (each: string, at: number): boolean => each === this.#key.nonce('nonce', id, at);
    return nonce === this.#key.nonce('corpus', id, 0) && nonces.every(isChild);
  }

  /** The codes that a new record can have: one for each envelope, because its lists may be divided. */
  #ownCodes(newRecord: NewRecord): CodeTable<undefined> {
    const known = this.#own.get(newRecord);
    if (known !== undefined) return known;
    const own = new CodeTable<undefined>('few');
    const { id, parts } = newRecord;
    for (const nonce of this.#noncesFor(id, splitLists(parts).length).flat()) own.add(nonce, undefined);
    this.#own.set(newRecord, own);
    return own;
  }

  #spelledIn(text: string, newRecord: NewRecord): readonly Spelled<LiveFrame | undefined>[] {
    return spelledIn(text, () => [this.#table, this.#ownCodes(newRecord)]);
  }

  /** Removes live codes from a text, so that a request that a tool repeats does not put its codes into storage. */
  cleanText(text: string, newRecord: NewRecord): Cleaned<string> {
    const found = this.#spelledIn(text, newRecord);
    let value = '';
    let from = 0;
    for (const { start, end } of found) {
      value += text.slice(from, start) + REMOVED_CODE;
      from = end;
    }
    return {
      value: value + text.slice(from),
      labels: found.map(({ value: frame }) => frame?.recorded.label ?? HIGHEST),
    };
  }

  /** Like `cleanText`, for the strings and names of JSON text, which stays valid. */
  #cleanJson(text: string, newRecord: NewRecord): Cleaned<string> {
    if (this.#spelledIn(text, newRecord).length === 0) return { value: text, labels: [] };
    const labels: Label[] = [];
    const value = text.replace(STRING_LITERAL, (literal) => {
      const cleaned = this.cleanText(JSON.parse(literal), newRecord);
      labels.push(...cleaned.labels);
      return cleaned.labels.length === 0 ? literal : JSON.stringify(cleaned.value);
    });
    return { value, labels };
  }

  /** Like `cleanText`, for every field of a part. */
  cleanPart(part: Part, newRecord: NewRecord): Cleaned<Part> {
    const labels: Label[] = [];
    const fields = Object.entries(part).map(([name, value]: [string, string]) => {
      if (name === 'type') return [name, value];
      const isJson = part.type === 'json' && name === 'text';
      const cleaned = isJson ? this.#cleanJson(value, newRecord) : this.cleanText(value, newRecord);
      labels.push(...cleaned.labels);
      return [name, cleaned.value];
    });
    return labels.length === 0 ? { value: part, labels } : { value: Object.freeze(Object.fromEntries(fields)), labels };
  }
}
