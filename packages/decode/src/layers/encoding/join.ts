import type { Budget } from '../../budget.ts';
import { type Layer, LayerBuilder } from '../layer.ts';
import { isCommonWord, letterIndex } from './words.ts';

const NEWLINE = 10;
const BLANK = 32;
const PLUS = 43;
const COLON = 58;
const MIN_CHAIN_LENGTH = 16;
const MAX_FRAGMENT_LENGTH = 16;
// The characters between two values of an array, an object, a call or a concatenation.
const STRUCTURE: Uint8Array = new Uint8Array(0x10000);
// The colon separates a key from its value; keys are skipped.
for (const mark of ' \t\n,+.[]{}()&;:') STRUCTURE[mark.charCodeAt(0)] = 1;
/** Letters and blanks. */
const PROSE: Uint8Array = new Uint8Array(0x10000).fill(1, 0xc0);
PROSE[32] = 1;
PROSE.fill(1, 65, 91).fill(1, 97, 123);
const SENTENCE_END = '.!?:;';

/** The range of a string literal's content. A flag is set if a plus joins the literal to the one before. */
interface Piece {
  readonly from: number;
  readonly to: number;
  readonly isAdded: boolean;
}

function isLetter(unit: number): boolean {
  const letter = letterIndex(unit);
  return (letter >= 0 && letter < 26) || unit >= 0xc0;
}

function isLower(character: string): boolean {
  if (character < '\u0080') return character >= 'a' && character <= 'z';
  return character === character.toLowerCase() && character !== character.toUpperCase();
}

/** Recognises a range of mostly letters and spaces, as opposed to an address, a number or a key. */
function isProse(text: string, from: number, to: number): boolean {
  let letters = 0;
  for (let at = from; at < to; at++) letters += PROSE[text.charCodeAt(at)] as number;
  return letters > 0 && letters * 5 >= (to - from) * 4;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === BLANK || text.charCodeAt(at) === NEWLINE) at++;
  return at;
}

/** Joins the strings written with one kind of quotation mark. */
class Joiner {
  private readonly parent: Layer;
  private readonly text: string;
  private readonly quote: string;
  private readonly budget: Budget;
  private readonly builder = new LayerBuilder();
  private chain: Piece[] = [];
  private breakAt = -1;

  constructor(parent: Layer, quote: string, budget: Budget) {
    this.parent = parent;
    this.text = parent.text;
    this.quote = quote;
    this.budget = budget;
  }

  run(): Layer | undefined {
    let gapFrom = 0;
    for (let open = this.find(0); open >= 0 && !this.budget.isExhausted; ) {
      const close = this.find(open + 1);
      if (close < 0) break;
      const lineBreak = this.rawBreak(open);
      if (lineBreak < close) {
        // A string does not contain a line break: this quotation mark closed one, or means inches.
        this.flush();
        gapFrom = lineBreak;
        open = this.find(lineBreak);
        continue;
      }
      this.add(open, close, gapFrom);
      gapFrom = close + 1;
      open = this.find(gapFrom);
    }
    this.flush();
    const { builder, parent } = this;
    return builder.length > 0 ? builder.finish('joined', parent.depth + 1, parent) : undefined;
  }

  /** The next quotation mark that was not written as an escape. */
  private find(from: number): number {
    const { text, quote } = this;
    for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
      const isApostrophe = quote === "'" && isLetter(text.charCodeAt(at - 1)) && isLetter(text.charCodeAt(at + 1));
      if (!this.isEscaped(at) && !isApostrophe) return at;
    }
    return -1;
  }

  /** The next line break at or after `from` that was not written as an escape. */
  private rawBreak(from: number): number {
    const { text } = this;
    if (this.breakAt >= from) return this.breakAt;
    let at = text.indexOf('\n', from);
    while (at >= 0 && this.isEscaped(at)) at = text.indexOf('\n', at + 1);
    this.breakAt = at < 0 ? text.length : at;
    return this.breakAt;
  }

  // In the plain layer the width in the original distinguishes `\"` from `"`. In other layers every unit may be wide.
  private isEscaped(at: number): boolean {
    const { parent } = this;
    return parent.depth === 0 && parent.endOf(at) - parent.startOf(at) === 2;
  }

  private add(open: number, close: number, gapFrom: number): void {
    const { text } = this;
    let isStructure = true;
    let isAdded = false;
    for (let at = gapFrom; at < open && isStructure; at++) {
      const unit = text.charCodeAt(at);
      if (unit === PLUS) isAdded = true;
      isStructure = STRUCTURE[unit] === 1;
    }
    if (!isStructure) this.flush();
    if (text.charCodeAt(skipBlanks(text, close + 1)) === COLON) return;
    this.link({ from: open + 1, to: close, isAdded });
  }

  /**
   * Adds a piece to the chain or begins a new one. The first piece is tested for text only if a second continues it.
   */
  private link(piece: Piece): void {
    const { chain } = this;
    const before = chain.at(-1);
    if (before !== undefined) {
      if (!this.readsOn(before, piece)) this.flush();
      else if (chain.length === 1 && !this.isText(before)) chain.pop();
      else if (!this.isText(piece)) {
        this.flush();
        return;
      }
    }
    this.chain.push(piece);
  }

  private isText({ from, to, isAdded }: Piece): boolean {
    return isAdded || isProse(this.text, from, to);
  }

  private readsOn(before: Piece, { from, to, isAdded }: Piece): boolean {
    if (isAdded) return true;
    if (from >= to || before.from >= before.to) return false;
    let last = before.to - 1;
    while (last > before.from && this.text.charCodeAt(last) === BLANK) last--;
    const first = skipBlanks(this.text, from);
    return !SENTENCE_END.includes(this.text.charAt(last)) && isLower(this.text.charAt(first));
  }

  private flush(): void {
    const { chain, builder } = this;
    if (chain.length < 2) {
      chain.pop();
      return;
    }
    this.chain = [];
    const mark = builder.length;
    builder.separate((chain[0] as Piece).from);
    for (const [index, piece] of chain.entries()) {
      if (index > 0) this.glue(chain[index - 1] as Piece, piece);
      builder.copy(this.text, piece.from, piece.to);
    }
    const length = builder.length - mark;
    if (length < MIN_CHAIN_LENGTH || !this.budget.take(length)) builder.length = mark;
  }

  /** Adds a space between two values, unless there is one already or a word continues in the second. */
  private glue(before: Piece, next: Piece): void {
    const { text, builder } = this;
    if (next.isAdded || text.charCodeAt(before.to - 1) <= BLANK || text.charCodeAt(next.from) <= BLANK) return;
    let from = before.to;
    while (from > before.from && before.to - from < MAX_FRAGMENT_LENGTH && isLetter(text.charCodeAt(from - 1))) from--;
    let to = next.from;
    while (to < next.to && to - next.from < MAX_FRAGMENT_LENGTH && isLetter(text.charCodeAt(to))) to++;
    if (isCommonWord(text.slice(from, before.to) + text.slice(next.from, to))) return;
    builder.push(BLANK, before.to, next.from);
  }
}

/** Joins sentences that are split over several strings of JSON or of a concatenation. */
export function joinStrings(parent: Layer, budget: Budget): Layer[] {
  const layers: Layer[] = [];
  for (const quote of ['"', "'", '`']) {
    const first = parent.text.indexOf(quote);
    const layer = first < 0 ? undefined : new Joiner(parent, quote, budget).run();
    if (layer !== undefined) layers.push(layer);
  }
  return layers;
}
