import type { ClassifierV1 } from '@sallyport/core';
import type { AbortSignalLike } from '@sallyport/core/adapter';
import type { ClassifierResult, Span } from '@sallyport/core/stages';
import { throwIfAborted } from '../base/abort.ts';
import { isCount, requireOption } from '../base/option.ts';
import { highest } from '../base/span.ts';
import { readThresholds, type Thresholds } from '../base/threshold.ts';
import { locate, readAnswer } from './answer.ts';
import { promptFor } from './prompt.ts';

export interface JudgeClassifierOptions {
  /** Asks any model, without tools, and gives its answer. */
  readonly ask: (prompt: string, signal: AbortSignalLike) => PromiseLike<string>;
  /** Names model, version and settings: verdicts are cached under it. */
  readonly id: string;
  /** For a model that answers with numbers from 0 to 1 instead of words. @default low 0.5, medium 0.8, high 0.95 */
  readonly thresholds?: Thresholds;
  /** Characters of one question: a longer text is asked in stretches that overlap by a tenth. @default 20000 */
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
  requireOption(crypto !== undefined, 'This platform has no crypto: give random.');
  return crypto.getRandomValues(new Uint8Array(length));
}

function nonceFrom(random: (length: number) => Uint8Array): string {
  const bytes = random(NONCE_BYTES);
  if (!(bytes instanceof Uint8Array) || bytes.length !== NONCE_BYTES)
    throw new Error(`random gave something else than ${NONCE_BYTES} bytes.`);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Stretches of a text with an overlap, never cut inside a surrogate pair. */
function* stretchesOf(text: string, longest: number): Generator<readonly [number, number]> {
  const whole = (at: number): number => ((text.charCodeAt(at) & 0xfc00) === 0xdc00 ? at - 1 : at);
  const step = longest - Math.floor(longest / 10);
  for (let start = 0; ; start += step) {
    const isLast = start + longest >= text.length;
    yield [whole(start), isLast ? text.length : whole(start + longest)];
    if (isLast) return;
  }
}

/** A classifier that asks a language model. It can be talked out of a finding by the text itself: never the first tier. */
export function createJudgeClassifier(options: JudgeClassifierOptions): ClassifierV1 {
  const { ask, id, maxCharacters = 20_000, random = platformRandom } = options;
  requireOption(typeof ask === 'function', 'ask is a function that asks a model.');
  requireOption(typeof id === 'string' && id !== '', 'id names the model and its version.');
  requireOption(isCount(maxCharacters, 100), 'maxCharacters is 100 at least.');
  requireOption(typeof random === 'function', 'random is a function that gives bytes.');
  const thresholds = readThresholds(options.thresholds);

  async function doClassify({ text, signal }: { text: string; signal: AbortSignalLike }): Promise<ClassifierResult> {
    const spans: Span[] = [];
    if (text === '') return { spans };
    for (const [start, end] of stretchesOf(text, maxCharacters)) {
      throwIfAborted(signal);
      const stretch = text.slice(start, end);
      const answer = await ask(promptFor(stretch, nonceFrom(random)), signal);
      for (const span of locate(stretch, readAnswer(answer, thresholds)))
        spans.push({ ...span, start: span.start + start, end: span.end + start });
    }
    return { spans: highest(spans) };
  }

  return Object.freeze({ specificationVersion: 'v1', id, doClassify });
}
