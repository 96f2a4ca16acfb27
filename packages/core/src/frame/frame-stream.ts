import { utf8ToBytes } from '@noble/hashes/utils.js';
import { digestText } from '../base/digest.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import { type ClassifierRunner, checkVerdict, EXEMPT, isClassified, UNCHECKED } from '../classify/classifier.ts';
import { Source } from '../label/source.ts';
import { checkLimits, cutTo, type LimitedPart, type LimitOptions, WINDOW } from '../record/limit.ts';
import { checkId } from '../record/record.ts';
import { vocabularyFor } from '../text/reserved-names.ts';
import { framePart } from './frame.ts';
import { checkKey, type FrameKey } from './key.ts';
import { quotePart } from './mark.ts';

/**
 * Options of `frameStream()`.
 *
 * @example
 * ```ts
 * const options: FrameStreamOptions = { id: 'log', source: source('external'), key: deriveKey(master, 'conversation-1') };
 * ```
 */
export interface FrameStreamOptions {
  /** Unique in the conversation, 1 to 512 characters. */
  readonly id: string;
  readonly source: Source;
  readonly key: FrameKey;
  /** Classifies the text. @default none: the content is framed as unchecked */
  readonly runClassifier?: ClassifierRunner;
  /** Limits on the text that is shown. @default 100000 bytes, the beginning of the text */
  readonly limits?: LimitOptions;
  /** Names of the tags that your own prompts use, which the content must not contain. @default none */
  readonly sections?: readonly string[];
}

/**
 * Collects text that arrives in pieces. It keeps only what the limit can show, so memory does not grow with the text.
 */
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
    // A surrogate pair may be split between two pieces: its first half is held until the second arrives.
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
 * Frames a text that arrives in pieces, in bounded memory. The result is the same as for the whole text. The frame is
 * yielded at the end, because the classifier must read everything that is sent; if the input fails, nothing is yielded.
 *
 * @example
 * ```ts
 * let framed = '';
 * for await (const piece of frameStream(response.body.pipeThrough(new TextDecoderStream()), options)) framed += piece;
 * ```
 */
export async function* frameStream(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: FrameStreamOptions,
): AsyncGenerator<string, void, undefined> {
  const { source, key, runClassifier } = options;
  if (!Source.is(source))
    throw new SallyportError(
      'ERR_STAGE_SKIPPED',
      `\`source\` must be a Source, made with source(); received ${describeType(source)}.`,
    );
  checkKey(key);
  const id = checkId(options.id);
  const buffer = new PieceBuffer(checkLimits(options.limits ?? {}));
  for await (const piece of pieces) {
    if (typeof piece !== 'string')
      throw new SallyportError(
        'ERR_INVALID_CONTENT',
        `A stream must yield strings; received ${describeType(piece)}. Pipe bytes through a TextDecoderStream.`,
      );
    buffer.add(piece);
  }
  const limited = buffer.finish();
  const isExempt = !isClassified(source.origin);
  const result = isExempt
    ? EXEMPT
    : runClassifier === undefined
      ? UNCHECKED.missing
      : await runClassifier(limited.text, limited.digest);
  const verdict = isExempt ? EXEMPT : checkVerdict(result, limited.text.length);
  const quoted = quotePart(Object.freeze({ limited, verdict }), vocabularyFor(options.sections ?? []));
  yield framePart(quoted, key, { id, index: 0, origin: source.origin, name: source.name });
}
