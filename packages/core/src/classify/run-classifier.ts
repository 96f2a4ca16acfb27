import { BoundedMap } from '../base/bounded-map.ts';
import { describeType, SallyportError } from '../base/errors.ts';
import { withTimeLimit } from '../base/time-limit.ts';
import type { Timer } from '../base/timer.ts';
import { type ClassifierRunner, type ClassifierV1, readVerdict, UNCHECKED, type Verdict } from './classifier.ts';

/**
 * A store for verdicts. A stored verdict is validated like the result of a classifier when it is read.
 *
 * @example
 * ```ts
 * const cache: VerdictCache = {
 *   get: async (key) => JSON.parse((await redis.get(key)) ?? 'null') ?? undefined,
 *   set: async (key, verdict) => redis.set(key, JSON.stringify(verdict)),
 * };
 * ```
 */
export interface VerdictCache {
  get(key: string): unknown | PromiseLike<unknown>;
  set(key: string, verdict: Verdict): void | PromiseLike<void>;
}

/**
 * A verdict cache in memory. When it is full, the oldest verdict is deleted.
 *
 * @param maxEntries the maximum number of verdicts. @default 10000
 * @example
 * ```ts
 * const boundary = createBoundary({ cache: memoryVerdictCache(50_000) });
 * ```
 */
export function memoryVerdictCache(maxEntries = 10_000): VerdictCache {
  const entries = new BoundedMap<string, Verdict>(maxEntries);
  return {
    get: (key) => entries.get(key),
    set: (key, verdict) => entries.set(key, verdict),
  };
}

/**
 * Options of `createClassifierRunner()`.
 *
 * @example
 * ```ts
 * const options: ClassifierRunnerOptions = { classifier, cache, timer, timeout: 1000, onUnchecked: console.warn };
 * ```
 */
export interface ClassifierRunnerOptions {
  /** Without one, every text is unchecked. */
  readonly classifier: ClassifierV1 | undefined;
  readonly cache: VerdictCache;
  readonly timer: Timer;
  /** Maximum milliseconds for one text, the cache included. After that the text is unchecked. */
  readonly timeout: number;
  /** Called for every unchecked text, with the error if there was one. */
  readonly onUnchecked: (verdict: Verdict & { type: 'unchecked' }, cause?: unknown, recordId?: string) => void;
  /** Called each time the classifier runs, that is, if the cache has no verdict. @default not called */
  readonly onClassified?: () => void;
}

/** Checks a classifier when the boundary is created, not on the first text. */
export function checkClassifier(classifier: ClassifierV1 | undefined): ClassifierV1 | undefined {
  if (classifier === undefined) return undefined;
  const { specificationVersion, id, doClassify, prepare } = classifier;
  const isNamed = specificationVersion === 'v1' && typeof id === 'string' && id !== '';
  const canPrepare = prepare === undefined || typeof prepare === 'function';
  if (!isNamed || !canPrepare || typeof doClassify !== 'function')
    throw new SallyportError(
      'ERR_INVALID_CLASSIFIER',
      `\`classifier\` must have specificationVersion 'v1', a non-empty id, a doClassify method and optionally a prepare method; received ${describeType(classifier)}.`,
    );
  return classifier;
}

/** Maximum milliseconds that a text waits for `prepare()`: a download that hangs must not block a conversation. */
const PREPARE_TIMEOUT = 60_000;

/** The input of a classifier, except the text. */
type Input = Omit<Parameters<ClassifierV1['doClassify']>[0], 'text'>;

type OnUnchecked = ClassifierRunnerOptions['onUnchecked'];

/** Makes runners that share one classifier, its preparation and its cache. Each reports to a listener of its own. */
export function classifierRunners(
  options: Omit<ClassifierRunnerOptions, 'onUnchecked'>,
): (onUnchecked: OnUnchecked) => ClassifierRunner {
  const { classifier, cache, timer, timeout, onClassified } = options;
  let isPrepared = classifier?.prepare === undefined;
  let preparing: Promise<Verdict | undefined> | undefined;

  /**
   * Prepares the classifier once for all texts that wait for it. After a failure or a timeout the next text tries
   * again.
   */
  function prepare(): Promise<Verdict | undefined> {
    const work = async (): Promise<undefined> => {
      await classifier?.prepare?.();
      isPrepared = true;
    };
    preparing ??= withTimeLimit(work, { timer, timeout: PREPARE_TIMEOUT, late: UNCHECKED.timeout }).finally(() => {
      preparing = undefined;
    });
    return preparing;
  }

  async function classifyText(text: string, digest: string, input: Input): Promise<Verdict> {
    if (classifier === undefined) return UNCHECKED.missing;
    const key = `${classifier.id} ${digest}`;
    const stored = await cache.get(key);
    const cached = stored === undefined ? undefined : readVerdict(stored, text.length);
    if (cached?.type === 'checked') return cached;
    onClassified?.();
    const verdict = readVerdict(await classifier.doClassify({ text, ...input }), text.length);
    if (verdict.type === 'checked') await cache.set(key, verdict);
    return verdict;
  }

  return (onUnchecked) => async (text, digest, recordId, view) => {
    const viewOption = view === undefined ? {} : { view };
    let cause: unknown;
    const run = async (): Promise<Verdict> => {
      const late = isPrepared ? undefined : await prepare();
      // The limit covers the cache too: a store that hangs must not block a conversation.
      const limit = { timer, timeout, late: UNCHECKED.timeout };
      return late ?? withTimeLimit((signal) => classifyText(text, digest, { signal, ...viewOption }), limit);
    };
    const verdict = await run().catch((error: unknown) => {
      cause = error;
      return UNCHECKED.error;
    });
    if (verdict.type === 'unchecked') onUnchecked(verdict, cause, recordId);
    return verdict;
  };
}

/**
 * Makes a runner that reads the cache, then runs the classifier with a time limit. Every failure gives an `unchecked`
 * verdict: a classifier that crashes must not count as a clean result.
 *
 * @example
 * ```ts
 * const runClassifier = createClassifierRunner({
 *   classifier,
 *   cache: memoryVerdictCache(),
 *   timer,
 *   timeout: 1000,
 *   onUnchecked: ({ reason }, cause) => console.warn(reason, cause),
 * });
 * ```
 */
export function createClassifierRunner(options: ClassifierRunnerOptions): ClassifierRunner {
  return classifierRunners(options)(options.onUnchecked);
}
