import type { LayerBuilder } from './layer.ts';
import { classOfPoint, FOLDABLE, FOREIGN, LATIN, lookAlikeOf } from './points.ts';

// Indexes of a tally, which counts the letters of each class.
const OTHERS = 0;
const LATINS = 1;
const FOREIGNERS = 2;
const FOLDABLES = 3;

const SLOTS: readonly number[] = (() => {
  const slots = new Array<number>(16).fill(OTHERS);
  slots[LATIN] = LATINS;
  slots[FOREIGN] = FOREIGNERS;
  slots[FOLDABLE] = FOLDABLES;
  return slots;
})();

function pointIn(units: Uint16Array, at: number, end: number): number {
  const high = units[at] as number;
  if ((high & 0xfc00) !== 0xd800 || at + 1 >= end) return high;
  const low = units[at + 1] as number;
  return (low & 0xfc00) === 0xdc00 ? (high - 0xd800) * 0x400 + (low - 0xdc00) + 0x10000 : high;
}

/** Folds the look-alike letters of a text in a builder, in place. */
class Folder {
  folds = 0;
  private readonly builder: LayerBuilder;
  private written = 0;
  private readonly line: Int32Array = new Int32Array(4);
  private readonly word: Int32Array = new Int32Array(4);

  constructor(builder: LayerBuilder) {
    this.builder = builder;
  }

  run(): void {
    const { length } = this.builder;
    for (let from = 0; from < length; ) {
      const end = this.tallyLine(from, length);
      this.foldLine(from, end);
      from = end;
    }
    this.builder.length = this.written;
  }

  /** Counts the letters up to and including the next line break. Returns the offset after it. */
  private tallyLine(from: number, length: number): number {
    const { units } = this.builder;
    const { line } = this;
    line.fill(0);
    let at = from;
    while (at < length && units[at] !== 10) {
      const point = pointIn(units, at, length);
      const slot = SLOTS[classOfPoint(point)] as number;
      line[slot] = (line[slot] as number) + 1;
      at += point > 0xffff ? 2 : 1;
    }
    return Math.min(at + 1, length);
  }

  private foldLine(from: number, end: number): void {
    // Without Latin letters in the line, other letters do not imitate any.
    if (this.line[FOLDABLES] === 0 || this.line[LATINS] === 0) {
      this.copy(from, end, false);
      return;
    }
    for (let at = from; at < end; ) {
      const wordEnd = this.tallyWord(at, end);
      this.copy(at, wordEnd, this.isDisguised());
      // The unit that ended the word is included in it.
      at = wordEnd;
    }
  }

  private tallyWord(from: number, end: number): number {
    const { units } = this.builder;
    this.word.fill(0);
    for (let at = from; at < end; ) {
      const point = pointIn(units, at, end);
      const slot = SLOTS[classOfPoint(point)] as number;
      this.word[slot] = (this.word[slot] as number) + 1;
      at += point > 0xffff ? 2 : 1;
      if (slot === OTHERS) return at;
    }
    return end;
  }

  /**
   * Recognises a word that mixes scripts, or that consists of look-alikes among Latin words. Russian and Greek lines
   * are not changed.
   */
  private isDisguised(): boolean {
    const [, latins, foreigners, foldables] = this.word as unknown as [number, number, number, number];
    if (foldables === 0) return false;
    if (latins > 0) return true;
    const [, lineLatins, lineForeigners, lineFoldables] = this.line as unknown as [number, number, number, number];
    // A line in another script has letters that only that script has.
    return foreigners === 0 && (lineForeigners === 0 || lineLatins > lineForeigners + lineFoldables);
  }

  private copy(from: number, end: number, isFolded: boolean): void {
    const { builder } = this;
    if (!isFolded) {
      this.move(from, end);
      return;
    }
    for (let at = from; at < end; ) {
      const point = pointIn(builder.units, at, end);
      const next = at + (point > 0xffff ? 2 : 1);
      this.move(at, next);
      if (classOfPoint(point) === FOLDABLE) this.replaceLast(next - at, lookAlikeOf(point));
      at = next;
    }
  }

  private replaceLast(count: number, unit: number): void {
    this.written -= count - 1;
    this.builder.units[this.written - 1] = unit;
    this.folds++;
  }

  private move(from: number, end: number): void {
    const { units, starts, ends } = this.builder;
    if (this.written !== from) {
      units.copyWithin(this.written, from, end);
      starts.copyWithin(this.written, from, end);
      ends.copyWithin(this.written, from, end);
    }
    this.written += end - from;
  }
}

/** Replaces letters that look Latin with Latin ones, in words that mix the two. Returns their number. */
export function foldLookAlikes(builder: LayerBuilder): number {
  const folder = new Folder(builder);
  folder.run();
  return folder.folds;
}
