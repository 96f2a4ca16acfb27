import { utf8ToBytes } from '@noble/hashes/utils.js';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import { type ClassifierRunner, checkVerdict, EXEMPT, isClassified, UNCHECKED } from '../classify/classifier.ts';
import { Source } from '../label/source.ts';
import { checkLimits, cutTo, type LimitedPart, type LimitOptions, WINDOW } from '../record/limit.ts';
import { checkId } from '../record/record.ts';
import { vocabularyFor } from '../text/reserved-names.ts';
import { framePart } from './frame.ts';
import { FrameKey } from './key.ts';
import { quotePart } from './mark.ts';

export interface FrameStreamOptions {
  readonly id: string;
  readonly source: Source;
  readonly key: FrameKey;
  /** @default none: the content is presented as unchecked */
  readonly runClassifier?: ClassifierRunner;
  readonly limits?: LimitOptions;
  /** @default none */
  readonly sections?: readonly string[];
}

/** Text that arrives in pieces, held only as far as its limit reaches: a result of any length needs the same memory. */
class PieceBuffer {
  readonly #limits: Required<LimitOptions>;
  readonly #reach: number;
  #head = '';
  #tail = '';
  #held = '';
  #units = 0;
  #bytes = 0;

  constructor(limits: Required<LimitOptions>) {
    this.#limits = limits;
    this.#reach = limits.maxBytes + 2 * WINDOW;
  }

  add(piece: string): void {
    const joined = this.#held + piece;
    // A pair may be split between two pieces: its first half waits for the second.
    const waits = (joined.charCodeAt(joined.length - 1) & 0xfc00) === 0xd800;
    this.#held = waits ? (joined.at(-1) as string) : '';
    this.#take(waits ? joined.slice(0, -1) : joined);
  }

  #take(text: string): void {
    this.#units += text.length;
    this.#bytes += utf8ToBytes(text).length;
    const room = this.#reach - this.#head.length;
    this.#head += text.slice(0, room);
    this.#tail += text.slice(room);
    if (this.#tail.length > 2 * this.#reach) this.#tail = this.#tail.slice(-this.#reach);
  }

  finish(): LimitedPart {
    this.#take(this.#held);
    const text = this.#head + this.#tail;
    const isWhole = this.#bytes <= this.#limits.maxBytes;
    const shown = isWhole ? { text, digest: digestText(text), cut: undefined } : cutTo(text, this.#bytes, this.#limits);
    const part = Object.freeze({ type: 'text', text: shown.text } as const);
    return Object.freeze({ part, ...shown, media: undefined, mediaWithheld: false });
  }
}

/**
 * Frames a text that arrives in pieces, with the same bytes as the whole would give, in bounded memory. Nothing is given
 * out before the end: what is judged must be all that is sent. If the pieces break off with an error, nothing is.
 */
export async function* frameStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: FrameStreamOptions,
): AsyncGenerator<string, void, undefined> {
  const { source, key, runClassifier } = options;
  if (!Source.is(source))
    throw new SallyportError('ERR_STAGE_SKIPPED', 'frameStream() needs a source made by source().');
  if (!FrameKey.is(key)) throw new SallyportError('ERR_INVALID_KEY', 'frameStream() needs a key made by deriveKey().');
  const id = checkId(options.id);
  const buffer = new PieceBuffer(checkLimits(options.limits ?? {}));
  for await (const piece of pieces) {
    if (typeof piece !== 'string')
      throw new SallyportError(
        'ERR_INVALID_CONTENT',
        'A stream gives strings: pipe bytes through a TextDecoderStream.',
      );
    buffer.add(piece);
  }
  const limited = buffer.finish();
  const isExempt = !isClassified(source.origin);
  const given = isExempt
    ? EXEMPT
    : runClassifier === undefined
      ? UNCHECKED.missing
      : await runClassifier(limited.text, limited.digest);
  const verdict = isExempt ? EXEMPT : checkVerdict(given, limited.text.length);
  const quoted = quotePart(Object.freeze({ limited, verdict }), vocabularyFor(options.sections ?? []));
  yield framePart(quoted, key, { id, index: 0, origin: source.origin, name: source.name });
}
