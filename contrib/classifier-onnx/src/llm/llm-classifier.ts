import type { ClassifierV1 } from '@sallyport/core';
import type { AbortSignalLike } from '@sallyport/core/adapter';
import type { ClassifierResult, Span } from '@sallyport/core/stages';
import { throwIfAborted } from '../base/abort.ts';
import { isCount, requireOption, shown } from '../base/option.ts';
import { highest } from '../base/span.ts';
import { readThresholds, type Thresholds } from '../base/threshold.ts';
import { locate, readAnswer } from './answer.ts';
import { promptFor } from './prompt.ts';

/**
 * Options of `createLlmClassifier`.
 *
 * @example
 * ```ts
 * const options: LlmClassifierOptions = { id: 'my-model-2026-01/prompt-1', ask: (prompt) => callYourModel(prompt) };
 * ```
 */
export interface LlmClassifierOptions {
  /** Sends the prompt to a model without tools, and returns its answer. */
  readonly ask: (prompt: string, signal: AbortSignalLike) => PromiseLike<string>;
  /** Name of the model, its version and settings: verdicts are cached under it. */
  readonly id: string;
  /** For a model that answers with numbers from 0 to 1 instead of words. @default low 0.5, medium 0.8, high 0.95 */
  readonly thresholds?: Thresholds;
  /** Characters of one question: a longer text is divided into parts that overlap by a tenth. @default 20000 */
  readonly maxCharacters?: number;
  /** Random bytes, for the nonce. @default the platform's crypto.getRandomValues */
  readonly random?: (length: number) => Uint8Array;
}

interface Platform {
  readonly crypto?: { getRandomValues(bytes: Uint8Array): Uint8Array };
}

const NONCE_BYTES = 16;

function platformRandom(length: number): Uint8Array {
  const { crypto } = globalThis as Platform;
  requireOption(crypto !== undefined, 'This platform has no `crypto.getRandomValues`; pass `random`.');
  return crypto.getRandomValues(new Uint8Array(length));
}

function nonceFrom(random: (length: number) => Uint8Array): string {
  const bytes = random(NONCE_BYTES);
  if (!(bytes instanceof Uint8Array) || bytes.length !== NONCE_BYTES)
    throw new Error(`\`random\` must return a Uint8Array of ${NONCE_BYTES} bytes; received ${shown(bytes)}.`);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Divides a text into overlapping parts, never inside a surrogate pair. */
function* partsOf(text: string, maxLength: number): Generator<readonly [number, number]> {
  const whole = (at: number): number => ((text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at);
  const step = maxLength - Math.floor(maxLength / 10);
  for (let start = 0; ; start += step) {
    const isLast = start + maxLength >= text.length;
    yield [whole(start), isLast ? text.length : whole(start + maxLength)];
    if (isLast) return;
  }
}

/**
 * Creates a classifier that asks a language model. The text itself can persuade the model to report nothing: use it as a second
 * tier, never as the first.
 *
 * @example
 * ```ts
 * const second = createLlmClassifier({ id: 'my-model-2026-01/prompt-1', ask: (prompt) => callYourModel(prompt) });
 * const boundary = createBoundary({ classifier: combine(spanClassifier, second) });
 * ```
 */
export function createLlmClassifier(options: LlmClassifierOptions): ClassifierV1 {
  const { ask, id, maxCharacters = 20_000, random = platformRandom } = options;
  requireOption(typeof ask === 'function', `\`ask\` must be a function; received ${shown(ask)}.`);
  requireOption(
    typeof id === 'string' && id !== '',
    `\`id\` must be a non-empty string that names the model and its version; received ${shown(id)}.`,
  );
  requireOption(
    isCount(maxCharacters, 100),
    `\`maxCharacters\` must be an integer of at least 100; received ${shown(maxCharacters)}.`,
  );
  requireOption(typeof random === 'function', `\`random\` must be a function; received ${shown(random)}.`);
  const thresholds = readThresholds(options.thresholds);

  async function doClassify({ text, signal }: { text: string; signal: AbortSignalLike }): Promise<ClassifierResult> {
    const spans: Span[] = [];
    if (text === '') return { spans };
    for (const [start, end] of partsOf(text, maxCharacters)) {
      throwIfAborted(signal);
      const part = text.slice(start, end);
      const answer = await ask(promptFor(part, nonceFrom(random)), signal);
      for (const span of locate(part, readAnswer(answer, thresholds)))
        spans.push({ ...span, start: span.start + start, end: span.end + start });
    }
    return { spans: highest(spans) };
  }

  return Object.freeze({ specificationVersion: 'v1', id, doClassify });
}
