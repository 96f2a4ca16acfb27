import type { Budget } from '../../../base/budget.ts';
import { type Layer, LayerBuilder } from '../layer.ts';
import { MIN_SINGLES } from '../survey.ts';
import { type Cut, cutWords } from './cut.ts';
import { letterIndex } from './words.ts';

const BLANK = 32;
const MAX_GAP_LENGTH = 3;
/** Shorter ones are one word. */
const MIN_CUT_LENGTH = 3;
const WHOLE: Cut = { begins: new Uint8Array(0), isComplete: false };
/** Longer words between gaps are several words. */
const MAX_WORD_LENGTH = 12;
/** Separators are ASCII or few. */
const COUNTED = 256;
const CLOSERS = '.,;:!?';

function isAlphanumeric(unit: number): boolean {
  const letter = letterIndex(unit);
  return (letter >= 0 && letter < 26) || (unit >= 48 && unit <= 57) || unit >= 0xc0;
}

function isSingle(text: string, at: number): boolean {
  return isAlphanumeric(text.charCodeAt(at)) && !isAlphanumeric(text.charCodeAt(at + 1));
}

/** Where the next single letter lies behind the one at `at`, or -1. */
function nextSingle(text: string, at: number): number {
  for (let next = at + 2; next <= at + 1 + MAX_GAP_LENGTH && next < text.length; next++)
    if (isAlphanumeric(text.charCodeAt(next))) return isSingle(text, next) ? next : -1;
  return -1;
}

/** A row of single letters, by their places, and the separator that most of them have between them. */
interface Row {
  readonly places: readonly number[];
  /** -1 when there is none: then they are no word. */
  readonly separator: number;
}

function commonest(text: string, places: readonly number[]): number {
  const counts = new Uint32Array(COUNTED);
  let best = BLANK;
  for (let index = 1; index < places.length; index++) {
    const at = places[index - 1] as number;
    if ((places[index] as number) !== at + 2) continue;
    const unit = text.charCodeAt(at + 1);
    const slot = unit % COUNTED;
    const count = (counts[slot] as number) + 1;
    counts[slot] = count;
    if (count > (counts[best % COUNTED] as number)) best = unit;
  }
  return (counts[best % COUNTED] as number) * 2 < places.length ? -1 : best;
}

function readRow(text: string, first: number): Row {
  const places: number[] = [];
  for (let at = first; at >= 0; at = nextSingle(text, at)) places.push(at);
  return { places, separator: places.length < MIN_SINGLES ? -1 : commonest(text, places) };
}

class RowWriter {
  private readonly text: string;
  private readonly builder: LayerBuilder;

  constructor(text: string, builder: LayerBuilder) {
    this.text = text;
    this.builder = builder;
  }

  write({ places, separator }: Row): void {
    this.builder.separate(places[0] as number);
    for (let from = 0; from < places.length; ) {
      let to = from + 1;
      while (to < places.length && !this.isGap(places, to, separator)) to++;
      if (from > 0) this.writeGap(places[from - 1] as number, places[from] as number);
      this.writeWord(places, from, to);
      from = to;
    }
  }

  private isGap(places: readonly number[], index: number, separator: number): boolean {
    const before = places[index - 1] as number;
    return (places[index] as number) !== before + 2 || this.text.charCodeAt(before + 1) !== separator;
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

  private writeWord(places: readonly number[], from: number, to: number): void {
    const units = new Uint16Array(to - from);
    for (let index = from; index < to; index++) units[index - from] = this.text.charCodeAt(places[index] as number);
    const { begins, isComplete } = to - from > MIN_CUT_LENGTH ? cutWords(units) : WHOLE;
    const isCut = isComplete || to - from > MAX_WORD_LENGTH;
    for (let index = from; index < to; index++) {
      const place = places[index] as number;
      if (isCut && index > from && begins[index - from] === 1) this.builder.push(BLANK, place - 1, place);
      this.builder.push(units[index - from] as number, place, place + 1);
    }
  }
}

/** Reads `i g n o r e` and `i.g.n.o.r.e` as words. A wider gap or another separator parts words; else a word list does. */
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
      end = row.places.at(-1) as number;
    }
    while (end < text.length && isAlphanumeric(text.charCodeAt(end))) end++;
    at = end;
  }
  return builder.length > 0 ? builder.finish('letters', parent.depth + 1, parent) : undefined;
}
