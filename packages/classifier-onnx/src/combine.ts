import { type ClassifierResult, type ClassifierV1, SallyportError, type Span, type Timer } from '@sallyport/core';
import { linkedTo, throwIfAborted } from './base/abort.ts';
import { isCount, requireOption } from './base/option.ts';
import { highest, readSpans } from './base/span.ts';

/** A further tier with what holds for it alone. */
export interface Tier {
  readonly classifier: ClassifierV1;
  /** Milliseconds this tier may take; needs a timer. @default as long as all of them may */
  readonly timeout?: number;
  readonly timer?: Timer;
  /**
   * What a failure or a timeout of this tier makes of the whole. 'unchecked' fails, so that nothing is called checked
   * that was not. 'keep-first' goes on with the other tiers; the weaker verdict is then cached like a full one.
   * @default 'unchecked'
   */
  readonly onFailure?: 'unchecked' | 'keep-first';
  /** Told of each failure that 'keep-first' goes on from. @default nobody */
  readonly onError?: (cause: unknown) => void;
}

type Input = Parameters<ClassifierV1['doClassify']>[0];

function checkClassifier(classifier: ClassifierV1): ClassifierV1 {
  const { specificationVersion, id, doClassify } = classifier ?? {};
  if (specificationVersion !== 'v1' || typeof id !== 'string' || id === '' || typeof doClassify !== 'function')
    throw new SallyportError('ERR_INVALID_CLASSIFIER', 'combine() takes classifiers of version v1, or tiers with one.');
  return classifier;
}

function readTier(given: ClassifierV1 | Tier): Tier {
  const tier =
    typeof given === 'object' && given !== null && 'classifier' in given ? { ...given } : { classifier: given };
  checkClassifier(tier.classifier);
  const { timeout, timer, onFailure = 'unchecked' } = tier;
  requireOption(onFailure === 'unchecked' || onFailure === 'keep-first', "onFailure is 'unchecked' or 'keep-first'.");
  requireOption(timeout === undefined || isCount(timeout, 1), 'timeout is a number of milliseconds.');
  requireOption(timeout === undefined || timer !== undefined, 'A tier with a timeout needs a timer.');
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
    // Aborted means that nobody waits for an answer any more: that is no failure of this tier to go on from.
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
 * Several classifiers as one, side by side: everything that any of them found, and wherever they differ the highest
 * likelihood. A later tier can raise what the first one says and never lower it.
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
