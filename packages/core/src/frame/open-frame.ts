import { type LimitedPart, type LimitOptions, limit } from '../record/limit.ts';
import type { Recorded } from '../record/record.ts';
import type { LiveCodes } from './live-codes.ts';
import type { FrameText } from './read-frame.ts';

/**
 * The record that a frame shows, and the parts of it that are in the frame.
 *
 * @example
 * ```ts
 * const opened: Opened | undefined = conversation.openFrame(text);
 * console.log(opened?.recorded.id, opened?.parts.map((part) => part.text));
 * ```
 */
export interface Opened {
  readonly recorded: Recorded;
  readonly parts: readonly LimitedPart[];
}

/** The parts in the frame of a part. A corpus is one frame around all parts. */
function partsIn(recorded: Recorded, parts: readonly LimitedPart[], index: number): readonly LimitedPart[] {
  const isCorpus = recorded.parts.every((part) => recorded.originOf(part) === 'retrieved');
  return isCorpus ? parts : parts.slice(index, index + 1);
}

/**
 * Looks a frame up in the records of a conversation. It is opened if its nonces belong to a record and its texts are
 * those that the record shows. The result is the record's own content, so a changed frame cannot add words to it.
 */
export function openFrame(read: FrameText, codes: LiveCodes, limits: LimitOptions): Opened | undefined {
  const outer = codes.frameOf(read.nonce);
  if (outer === undefined) return undefined;
  const { recorded } = outer;
  const parts = partsIn(recorded, limit(recorded, limits).parts, outer.index);
  const isSame =
    parts.length === read.texts.length &&
    parts.every(({ text }, index) => text === read.texts[index]) &&
    read.nonces.every((nonce) => codes.frameOf(nonce)?.recorded === recorded) &&
    read.origin === recorded.originOf((parts[0] as LimitedPart).part);
  return isSame ? { recorded, parts } : undefined;
}
