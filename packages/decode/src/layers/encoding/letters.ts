import type { Budget } from '../../budget.ts';
import { type Layer, LayerBuilder } from '../layer.ts';
import { MIN_SINGLES } from '../survey.ts';
import { type Cut, cutWords } from './cut.ts';
import { letterIndex } from './words.ts';

const BLANK = 32;
const MAX_GAP_LENGTH = 3;
/** The minimum length of a sequence that is split into words. A shorter one is one word. */
const MIN_CUT_LENGTH = 3;
const WHOLE: Cut = { begins: new Uint8Array(0), isComplete: false };
/** The maximum length of a word. A longer sequence without a gap is several words. */
const MAX_WORD_LENGTH = 12;
/** The number of counters for separators, which are nearly always ASCII. */
const COUNTED = 256;
const CLOSERS = '.,;:!?';

function isAlphanumeric(unit: number): boolean {
  const letter = letterIndex(unit);
  return (letter >= 0 && letter < 26) || (unit >= 48 && unit <= 57) || unit >= 0xc0;
}

function isSingle(text: string, at: number): boolean {
  return isAlphanumeric(text.charCodeAt(at)) && !isAlphanumeric(text.charCodeAt(at + 1));
}

/** The offset of the next single letter after the one at `at`, or -1. */
function nextSingle(text: string, at: number): number {
  for (let next = at + 2; next <= at + 1 + MAX_GAP_LENGTH && next < text.length; next++)
    if (isAlphanumeric(text.charCodeAt(next))) return isSingle(text, next) ? next : -1;
  return -1;
}

/** A sequence of single letters, by their offsets, and the most common separator between them. */
interface Row {
  readonly positions: readonly number[];
  /** -1 if no separator is common enough; the letters are then not a word. */
  readonly separator: number;
}

function mostCommonSeparator(text: string, positions: readonly number[]): number {
  const counts = new Uint32Array(COUNTED);
  let best = BLANK;
  for (let index = 1; index < positions.length; index++) {
    const at = positions[index - 1] as number;
    if ((positions[index] as number) !== at + 2) continue;
    const unit = text.charCodeAt(at + 1);
    const slot = unit % COUNTED;
    const count = (counts[slot] as number) + 1;
    counts[slot] = count;
    if (count > (counts[best % COUNTED] as number)) best = unit;
  }
  return (counts[best % COUNTED] as number) * 2 < positions.length ? -1 : best;
}

function readRow(text: string, first: number): Row {
  const positions: number[] = [];
  for (let at = first; at >= 0; at = nextSingle(text, at)) positions.push(at);
  return { positions, separator: positions.length < MIN_SINGLES ? -1 : mostCommonSeparator(text, positions) };
}

class RowWriter {
  private readonly text: string;
  private readonly builder: LayerBuilder;

  constructor(text: string, builder: LayerBuilder) {
    this.text = text;
    this.builder = builder;
  }

  write({ positions, separator }: Row): void {
    this.builder.separate(positions[0] as number);
    for (let from = 0; from < positions.length; ) {
      let to = from + 1;
      while (to < positions.length && !this.isGap(positions, to, separator)) to++;
      if (from > 0) this.writeGap(positions[from - 1] as number, positions[from] as number);
      this.writeWord(positions, from, to);
      from = to;
    }
  }

  private isGap(positions: readonly number[], index: number, separator: number): boolean {
    const before = positions[index - 1] as number;
    return (positions[index] as number) !== before + 2 || this.text.charCodeAt(before + 1) !== separator;
  }

  private writeGap(before: number, next: number): void {
    let at = before + 1;
    for (let index = at; index < next; index++) {
      if (!CLOSERS.includes(this.text.charAt(index))) continue;
      this.builder.push(this.text.charCodeAt(index), index, index + 1);
      at = Math.min(index + 1, next - 1);
      break;
    }
    this.builder.push(BLANK, at, next);
  }

  private writeWord(positions: readonly number[], from: number, to: number): void {
    const units = new Uint16Array(to - from);
    for (let index = from; index < to; index++) units[index - from] = this.text.charCodeAt(positions[index] as number);
    const { begins, isComplete } = to - from > MIN_CUT_LENGTH ? cutWords(units) : WHOLE;
    const isCut = isComplete || to - from > MAX_WORD_LENGTH;
    for (let index = from; index < to; index++) {
      const position = positions[index] as number;
      if (isCut && index > from && begins[index - from] === 1) this.builder.push(BLANK, position - 1, position);
      this.builder.push(units[index - from] as number, position, position + 1);
    }
  }
}

/**
 * Reads `i g n o r e` and `i.g.n.o.r.e` as words. Wider gaps and other separators end a word; otherwise a word list
 * does.
 */
export function joinLetters(parent: Layer, budget: Budget): Layer | undefined {
  const { text } = parent;
  const builder = new LayerBuilder();
  const writer = new RowWriter(text, builder);
  for (let at = 0; at < text.length; at++) {
    if (!isAlphanumeric(text.charCodeAt(at))) continue;
    let end = at;
    if (isSingle(text, at)) {
      const row = readRow(text, at);
      const mark = builder.length;
      if (row.separator >= 0) writer.write(row);
      if (!budget.take(builder.length - mark)) {
        builder.length = mark;
        break;
      }
      end = row.positions.at(-1) as number;
    }
    while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++;
    at = end;
  }
  return builder.length > 0 ? builder.finish('letters', parent.depth + 1, parent) : undefined;
}
