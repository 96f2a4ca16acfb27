import { Worker } from 'node:worker_threads';
import type { ClassifierV1 } from '@sallyport/core';
import type { DryRunSource, RecordedPrincipal } from '../../store/policy/recorded.ts';
import type { ChangedCall, DryRunOrder, DryRunReply, DryRunSettings, Judged } from './dry-run-messages.ts';
import { errorOf, errorText } from './messages.ts';

export interface DryRunBudget {
  /** Maximum number of calls that are judged. @default 10000 */
  readonly calls?: number;
  /** Maximum number of seconds that it takes. @default 60 */
  readonly seconds?: number;
}

/** How often something happens more or less often under another policy. */
interface Difference {
  readonly more: number;
  readonly fewer: number;
}

/** What another policy would have decided about recorded calls. */
export interface DryRunReport {
  /** Calls that were judged under both policies. */
  readonly calls: number;
  readonly asked: Difference;
  readonly denied: Difference;
  /** The calls whose outcome changes, at most 1000. */
  readonly changed: readonly ChangedCall[];
  /** What ran out before all calls were judged. Undefined if nothing did. */
  readonly stoppedBy?: 'calls' | 'time';
  /** Conversations that were not read, because their names are too long or there is too much in them. */
  readonly unread: number;
}

// The build: a thread cannot load the sources that tests run.
const ENTRY = new URL('../../../dist/serve/thread/dry-run-worker.js', import.meta.url);
const MAX_CHANGED = 1000;
/** Milliseconds after the end of its time in which the worker has to stop by itself. */
const GRACE = 5000;
const NEVER = new AbortController().signal;

/** A thread that judges one principal after another. */
class DryRunThread {
  readonly #worker: Worker;
  readonly #classifier: ClassifierV1 | undefined;
  #waiting: { readonly resolve: (judged: Judged) => void; readonly reject: (cause: Error) => void } | undefined;

  constructor(settings: DryRunSettings, classifier: ClassifierV1 | undefined) {
    this.#classifier = classifier;
    this.#worker = new Worker(ENTRY, {
      workerData: settings,
      name: 'sallyport-dry-run',
      argv: [],
      execArgv: [],
      env: {},
    });
    this.#worker.on('message', (reply: DryRunReply) => this.#receive(reply));
    this.#worker.on('error', (cause) => this.#waiting?.reject(cause));
    this.#worker.unref();
  }

  judge(order: Extract<DryRunOrder, { type: 'judge' }>): Promise<Judged> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#worker.postMessage(order);
    });
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #receive(reply: DryRunReply): void {
    if (reply.type === 'judged') this.#waiting?.resolve(reply);
    else if (reply.type === 'failed') this.#waiting?.reject(errorOf(reply.error));
    else void this.#answer(reply);
  }

  async #answer({ id, service, given }: Extract<DryRunReply, { type: 'ask' }>): Promise<void> {
    const work = async (): Promise<unknown> =>
      service === 'prepare'
        ? this.#classifier?.prepare?.()
        : this.#classifier?.doClassify({ text: String(given[0]), signal: NEVER });
    const answer = await work().then(
      (value) => ({ value }),
      (cause: unknown) => ({ error: errorText(cause) }),
    );
    this.#worker.postMessage({ type: 'answer', id, ...answer } satisfies DryRunOrder);
  }
}

function reportOf(calls: number, changed: readonly ChangedCall[], unread: number): DryRunReport {
  const count = (side: 'before' | 'after', outcome: string): number =>
    changed.filter((each) => each[side] === outcome).length;
  return {
    calls,
    asked: { more: count('after', 'ask'), fewer: count('before', 'ask') },
    denied: { more: count('after', 'deny'), fewer: count('before', 'deny') },
    changed: changed.toSorted((one, other) => one.at - other.at).slice(0, MAX_CHANGED),
    unread,
  };
}

/** Ends a wait that the worker does not end in time. */
function withinTime(work: Promise<Judged>, until: number): Promise<Judged> {
  return new Promise((resolve, reject) => {
    const late = (): void => resolve({ calls: 0, changed: [], stoppedBy: 'time' });
    const timer = setTimeout(late, until + GRACE - Date.now());
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Judges recorded calls again under another policy, in a thread of its own. */
export async function dryRun(
  source: DryRunSource,
  { calls: maxCalls = 10_000, seconds = 60 }: DryRunBudget = {},
  classifier?: ClassifierV1,
): Promise<DryRunReport> {
  const until = Date.now() + seconds * 1000;
  const { active, proposed, servers, raised, principals } = source;
  const settings = {
    active,
    proposed,
    servers,
    raised: raised.map((each) => [...each]),
    classifier: classifier?.id,
    until,
  };
  const thread = new DryRunThread(settings, classifier);
  const changed: ChangedCall[] = [];
  let [calls, unread] = [0, source.unread];
  const judge = async (principal: RecordedPrincipal): Promise<Judged['stoppedBy']> => {
    const { entries, unread: leftOut } = await source.load(principal);
    unread += leftOut;
    const order = { type: 'judge', principal, entries, maxCalls: maxCalls - calls } as const;
    const judged = await withinTime(thread.judge(order), until);
    calls += judged.calls;
    changed.push(...judged.changed);
    return judged.stoppedBy;
  };
  try {
    for (const principal of principals) {
      const stoppedBy = Date.now() >= until ? 'time' : await judge(principal);
      if (stoppedBy !== undefined) return { ...reportOf(calls, changed, unread), stoppedBy };
    }
    return reportOf(calls, changed, unread);
  } finally {
    await thread.close();
  }
}
