import type { Budget } from '../../budget.ts';
import { ByteText } from '../bytes.ts';
import { type Layer, LayerBuilder } from '../layer.ts';
import { MIN_RUN_LENGTH } from '../survey.ts';
import { isBase64Unit, readBase64, readHex } from './runs.ts';

/** The minimum length of a value: six bytes in hex, nine in base64. Shorter runs are usually abbreviations or words. */
const MIN_VALUE_LENGTH = 12;
/** Base64 contains these signs too, but next to a value they usually separate it from other text. */
const SEPARATOR = /[-_+/]/;

/**
 * Reads the encoded values of one layer: runs of base64 or hex that contain an address, an id or a word, not a
 * sentence.
 */
class ValueReader {
  readonly #layer: Layer;
  readonly #budget: Budget;
  readonly #base64 = new LayerBuilder();
  readonly #hex = new LayerBuilder();

  constructor(layer: Layer, budget: Budget) {
    this.#layer = layer;
    this.#budget = budget;
  }

  read(): Layer[] {
    const { text } = this.#layer;
    // A run of this length that begins after the last one covers the offset that is tested, or begins after it.
    for (let at = MIN_VALUE_LENGTH - 1; at < text.length && !this.#budget.isExhausted; at += MIN_VALUE_LENGTH) {
      if (!isBase64Unit(text.charCodeAt(at))) continue;
      let from = at;
      while (from > 0 && isBase64Unit(text.charCodeAt(from - 1))) from--;
      let end = at + 1;
      while (end < text.length && isBase64Unit(text.charCodeAt(end))) end++;
      if (end - from >= MIN_VALUE_LENGTH) this.#readRun(from, end);
      at = end;
    }
    const depth = this.#layer.depth + 1;
    const layers: Layer[] = [];
    if (this.#base64.length > 0) layers.push(this.#base64.finish('base64', depth, this.#layer));
    if (this.#hex.length > 0) layers.push(this.#hex.finish('hex', depth, this.#layer));
    return layers;
  }

  #readRun(from: number, end: number): void {
    if (this.#take(from, end, end - from >= MIN_RUN_LENGTH)) return;
    let part = from;
    for (let at = from; at <= end; at++) {
      if (at < end && !SEPARATOR.test(this.#layer.text.charAt(at))) continue;
      if (at - part >= MIN_VALUE_LENGTH && at - part < end - from) this.#take(part, at, false);
      part = at + 1;
    }
  }

  /** Decodes one run. A long run was already tested for sentences, so prose in it is a layer already. */
  #take(from: number, end: number, isLong: boolean): boolean {
    const { text } = this.#layer;
    const hex = new ByteText(this.#hex, from);
    if (readHex(text, from, end, hex)) return this.#keep(hex, isLong);
    hex.rewind();
    const base64 = new ByteText(this.#base64, from);
    if (readBase64(text, from, end, base64)) return this.#keep(base64, isLong);
    base64.rewind();
    return false;
  }

  #keep(bytes: ByteText, isLong: boolean): boolean {
    const isLayer = isLong && bytes.isProse();
    if (!isLayer && bytes.isValue() && this.#budget.take(bytes.length)) return true;
    bytes.rewind();
    return isLayer;
  }
}

/** Decodes readable base64 and hex of a layer, even if short. Linear in the length of the layer. */
export function decodeValues(layer: Layer, budget: Budget): Layer[] {
  return new ValueReader(layer, budget).read();
}
