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
  const { specificationVersion, id, doClassify, prepare } = classifier;
  const isNamed = specificationVersion === 'v1' && typeof id === 'string' && id !== '';
  const canPrepare = prepare === undefined || typeof prepare === 'function';
  if (!isNamed || !canPrepare || typeof doClassify !== 'function')
    throw new SallyportError(
      'ERR_INVALID_CLASSIFIER',
      "A classifier has specificationVersion 'v1', a non-empty id, a doClassify method and optionally a prepare method.",
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

/** Milliseconds that a text waits for a classifier to be prepared: a download that hangs must not hold a conversation. */
const PREPARE_TIMEOUT = 60_000;

/** Runs work within the time limit, cache included: a store that hangs must not hold a conversation. */
async function withinTime<Result>(
  work: (signal: AbortSignalLike) => Promise<Result>,
  timer: Timer,
  timeout: number,
): Promise<Result | Verdict> {
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
  const { classifier, cache, timer, timeout, onUnchecked, onClassified } = options;
  let isPrepared = classifier?.prepare === undefined;
  let preparing: Promise<undefined> | undefined;

  /** Prepares the classifier once for all texts that wait for it. A failure is not kept: the next text tries again. */
  function prepare(): Promise<undefined> {
    preparing ??= Promise.resolve()
      .then(() => classifier?.prepare?.())
      .then(() => {
        isPrepared = true;
        return undefined;
      })
      .finally(() => {
        preparing = undefined;
      });
    return preparing;
  }

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
    const run = async (): Promise<Verdict> => {
      const late = isPrepared ? undefined : await withinTime(prepare, timer, PREPARE_TIMEOUT);
      return late ?? withinTime((signal) => judge(text, digest, { signal, ...given }), timer, timeout);
    };
    const verdict = await run().catch((error: unknown) => {
      cause = error;
      return UNCHECKED.error;
    });
    if (verdict.type === 'unchecked') onUnchecked(verdict, cause, recordId);
    return verdict;
  };
}
