import { SallyportError } from '../base/errors.ts';
import {
  type AbortSignalLike,
  type ClassifierRunner,
  type ClassifierV1,
  readVerdict,
  UNCHECKED,
  type Verdict,
} from './classifier.ts';

/** Where verdicts are kept between turns. A stored verdict is validated like a classifier's answer when it is read. */
export interface VerdictCache {
  get(key: string): unknown | PromiseLike<unknown>;
  set(key: string, verdict: Verdict): void | PromiseLike<void>;
}

/** A cache of the latest verdicts in memory. */
export function memoryVerdictCache(maxEntries = 10_000): VerdictCache {
  const entries = new Map<string, Verdict>();
  return {
    get: (key) => entries.get(key),
    set: (key, verdict) => {
      entries.delete(key);
      entries.set(key, verdict);
      if (entries.size > maxEntries) entries.delete(entries.keys().next().value as string);
    },
  };
}

/** The platform's timer, handed in: core has no clock of its own. */
export interface Timer {
  set(callback: () => void, milliseconds: number): unknown;
  clear(handle: unknown): void;
}

export interface ClassifierRunnerOptions {
  readonly classifier: ClassifierV1 | undefined;
  readonly cache: VerdictCache;
  readonly timer: Timer;
  /** Milliseconds a classifier may take for one text. */
  readonly timeout: number;
  /** Told of everything that did not go well. */
  readonly onUnchecked: (verdict: Verdict & { type: 'unchecked' }, cause?: unknown, recordId?: string) => void;
  /** Told when a classifier was really asked. */
  readonly onClassified?: () => void;
}

/** What others may hand in as a classifier is checked when the boundary is built, not on the first result. */
export function checkClassifier(classifier: ClassifierV1 | undefined): ClassifierV1 | undefined {
  if (classifier === undefined) return undefined;
  const { specificationVersion, id, doClassify } = classifier;
  if (specificationVersion !== 'v1' || typeof id !== 'string' || id === '' || typeof doClassify !== 'function')
    throw new SallyportError(
      'ERR_INVALID_CLASSIFIER',
      "A classifier has specificationVersion 'v1', a non-empty id and a doClassify method.",
    );
  return classifier;
}

function abortable(): {
  signal: { aborted: boolean; addEventListener(type: 'abort', listener: () => void): void };
  abort(): void;
} {
  const listeners: (() => void)[] = [];
  const signal = {
    aborted: false,
    addEventListener: (_: 'abort', listener: () => void): void => {
      listeners.push(listener);
    },
  };
  return {
    signal,
    abort: () => {
      signal.aborted = true;
      for (const listener of listeners) listener();
    },
  };
}

/** Runs work within the time limit, cache included: a store that hangs must not hold a conversation. */
async function withinTime(
  work: (signal: AbortSignalLike) => Promise<Verdict>,
  options: ClassifierRunnerOptions,
): Promise<Verdict> {
  const { timer, timeout } = options;
  const { signal, abort } = abortable();
  let handle: unknown;
  const late = new Promise<Verdict>((resolve) => {
    handle = timer.set(() => resolve(UNCHECKED.timeout), timeout);
  });
  try {
    const verdict = await Promise.race([work(signal), late]);
    if (verdict === UNCHECKED.timeout) abort();
    return verdict;
  } finally {
    timer.clear(handle);
  }
}

/** What a classifier is given beside the text. */
type Input = Omit<Parameters<ClassifierV1['doClassify']>[0], 'text'>;

/**
 * A judge that asks the cache, then the classifier within its time. Whatever goes wrong ends as `unchecked`: in
 * several libraries that we measured, a classifier that crashes reads as clean.
 */
export function createClassifierRunner(options: ClassifierRunnerOptions): ClassifierRunner {
  const { classifier, cache, onUnchecked, onClassified } = options;

  async function judge(text: string, digest: string, input: Input): Promise<Verdict> {
    if (classifier === undefined) return UNCHECKED.missing;
    const key = `${classifier.id} ${digest}`;
    const stored = await cache.get(key);
    const kept = stored === undefined ? undefined : readVerdict(stored, text.length);
    if (kept?.type === 'checked') return kept;
    onClassified?.();
    const verdict = readVerdict(await classifier.doClassify({ text, ...input }), text.length);
    if (verdict.type === 'checked') await cache.set(key, verdict);
    return verdict;
  }

  return async (text, digest, recordId, view) => {
    const given = view === undefined ? {} : { view };
    let cause: unknown;
    const verdict = await withinTime((signal) => judge(text, digest, { signal, ...given }), options).catch(
      (error: unknown) => {
        cause = error;
        return UNCHECKED.error;
      },
    );
    if (verdict.type === 'unchecked') onUnchecked(verdict, cause, recordId);
    return verdict;
  };
}
