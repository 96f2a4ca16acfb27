import { type ClassifierV1, SallyportError } from '@sallyport/core';
import type { ClassifierResult, Span, Timer } from '@sallyport/core/stages';
import { linkedTo, throwIfAborted } from './base/abort.ts';
import { isCount, requireOption, shown } from './base/option.ts';
import { highest, readSpans } from './base/span.ts';

/**
 * A further classifier with its own time limit and failure handling.
 *
 * @example
 * ```ts
 * const tier: Tier = { classifier: second, timeout: 3000, timer, onFailure: 'keep-first', onError: console.error };
 * ```
 */
export interface Tier {
  readonly classifier: ClassifierV1;
  /** Milliseconds that this tier may take for one text; needs `timer`. @default no limit of its own */
  readonly timeout?: number;
  /** Sets and clears the timeout. @default none; required with `timeout` */
  readonly timer?: Timer;
  /**
   * The effect of a failure or a timeout of this tier. With 'unchecked' the whole fails, so that the text is unchecked.
   * With 'keep-first' the result of the other tiers is used, and cached like a full one.
   * @default 'unchecked'
   */
  readonly onFailure?: 'unchecked' | 'keep-first';
  /** Called with each failure that 'keep-first' ignores. @default failures are not reported */
  readonly onError?: (cause: unknown) => void;
}

type Input = Parameters<ClassifierV1['doClassify']>[0];

function checkClassifier(classifier: ClassifierV1): ClassifierV1 {
  const { specificationVersion, id, doClassify } = classifier ?? {};
  if (specificationVersion !== 'v1' || typeof id !== 'string' || id === '' || typeof doClassify !== 'function')
    throw new SallyportError(
      'ERR_INVALID_CLASSIFIER',
      `combine() takes classifiers with specificationVersion 'v1', an id and doClassify, or tiers with one; received ${shown(classifier)}.`,
    );
  return classifier;
}

function readTier(given: ClassifierV1 | Tier): Tier {
  const tier =
    typeof given === 'object' && given !== null && 'classifier' in given ? { ...given } : { classifier: given };
  checkClassifier(tier.classifier);
  const { timeout, timer, onFailure = 'unchecked' } = tier;
  requireOption(
    onFailure === 'unchecked' || onFailure === 'keep-first',
    `\`onFailure\` must be 'unchecked' or 'keep-first'; received ${shown(onFailure)}.`,
  );
  requireOption(
    timeout === undefined || isCount(timeout, 1),
    `\`timeout\` must be an integer of at least 1; received ${shown(timeout)}.`,
  );
  requireOption(timeout === undefined || timer !== undefined, 'A tier with `timeout` needs `timer`; received none.');
  return Object.freeze(tier);
}

async function spansOf(classifier: ClassifierV1, { text, signal }: Input): Promise<Span[]> {
  return readSpans(await classifier.doClassify({ text, signal }), text.length);
}

async function withinTime({ classifier, timeout, timer }: Tier, { text, signal: outer }: Input): Promise<Span[]> {
  if (timeout === undefined || timer === undefined) return spansOf(classifier, { text, signal: outer });
  const { signal, abort } = linkedTo(outer);
  let handle: unknown;
  const late = new Promise<never>((_, reject) => {
    handle = timer.set(() => {
      reject(new Error(`The classifier ${classifier.id} took more than ${timeout} ms.`));
      abort();
    }, timeout);
  });
  try {
    return await Promise.race([spansOf(classifier, { text, signal }), late]);
  } finally {
    timer.clear(handle);
  }
}

async function askTier(tier: Tier, input: Input): Promise<Span[]> {
  try {
    return await withinTime(tier, input);
  } catch (cause) {
    // After an abort the caller no longer waits for a result: this is not a failure of the tier.
    if (tier.onFailure !== 'keep-first' || input.signal.aborted) throw cause;
    tier.onError?.(cause);
    return [];
  }
}

async function prepareTier(tier: Tier): Promise<void> {
  try {
    await tier.classifier.prepare?.();
  } catch (cause) {
    if (tier.onFailure !== 'keep-first') throw cause;
    tier.onError?.(cause);
  }
}

/**
 * Combines several classifiers that run in parallel. The result has everything that any of them found; where they overlap, the
 * highest likelihood. A later tier can raise the verdict of the first and never lower it.
 *
 * @example
 * ```ts
 * const classifier = combine(spanClassifier, await createOnnxClassifier(options));
 * const boundary = createBoundary({ classifier });
 * ```
 */
export function combine(first: ClassifierV1, ...others: readonly (ClassifierV1 | Tier)[]): ClassifierV1 {
  checkClassifier(first);
  const tiers = others.map(readTier);
  return Object.freeze({
    specificationVersion: 'v1',
    id: [first, ...tiers.map(({ classifier }) => classifier)].map(({ id }) => id).join('+'),
    async prepare(): Promise<void> {
      await Promise.all([first.prepare?.(), ...tiers.map(prepareTier)]);
    },
    async doClassify({ text, signal: outer }: Input): Promise<ClassifierResult> {
      throwIfAborted(outer);
      const { signal, abort } = linkedTo(outer);
      try {
        const found = await Promise.all([
          spansOf(first, { text, signal }),
          ...tiers.map((tier) => askTier(tier, { text, signal })),
        ]);
        return { spans: highest(found.flat()) };
      } catch (cause) {
        abort();
        throw cause;
      }
    },
  });
}
