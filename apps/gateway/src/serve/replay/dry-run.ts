import { Worker } from 'node:worker_threads';
import type { ClassifierV1 } from '@sallyport/core';
import { canonicalJson } from '@sallyport/core/adapter';
import type { DryRunSource, RecordedEntry, RecordedPrincipal } from '../../store/policy/recorded.ts';
import { errorOf } from '../thread/messages.ts';
import { answerClassifier } from './answering.ts';
import type { ChangedCall, DryRunOrder, DryRunReply, DryRunSettings, Judged } from './dry-run-messages.ts';

export interface DryRunBudget {
  /** Maximum number of calls that are judged. @default 10000 */
  readonly calls?: number;
  /** Maximum number of seconds that it takes. @default 60 */
  readonly seconds?: number;
}

/** How often something happens more or less often by other rules. */
interface Difference {
  readonly more: number;
  readonly fewer: number;
}

/** The decisions of another policy, or of other thresholds, about recorded calls. */
export interface DryRunReport {
  /** Calls that were judged under both policies. */
  readonly calls: number;
  readonly asked: Difference;
  readonly denied: Difference;
  /** Spans that would be marked in what was read, and those that would no longer be. */
  readonly marked: Difference;
  /** The calls whose outcome changes, at most 1000. */
  readonly changed: readonly ChangedCall[];
  /** The limit that was reached before all calls were judged. Undefined if none was. */
  readonly stoppedBy?: 'calls' | 'time';
  /** Conversations that were not read, because their names are too long or there is too much in them. */
  readonly unread: number;
  /** Settings that differ between the policies, and that a dry run does not apply. */
  readonly ignored: readonly Ignored[];
}

/**
 * Settings that a dry run does not apply: calls are judged in the conversations in which they were recorded, and who may answer a
 * question does not change a decision.
 */
export const IGNORED = ['conversations', 'secondPerson'] as const;

type Ignored = (typeof IGNORED)[number];

// The build: a thread cannot load the sources that tests run.
const ENTRY = new URL('../../../dist/serve/replay/dry-run-worker.js', import.meta.url);
const MAX_CHANGED = 1000;
const NOTHING: Judged = { calls: 0, changed: [], marked: { more: 0, fewer: 0 } };
/** Milliseconds after the end of its time in which the worker has to stop by itself. */
const GRACE = 5000;

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

  add(entries: readonly RecordedEntry[]): void {
    this.#worker.postMessage({ type: 'entries', entries } satisfies DryRunOrder);
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
    else void answerClassifier(this.#classifier, reply).then((answer) => this.#worker.postMessage(answer));
  }
}

function ignoredIn({ active, proposed }: DryRunSource): readonly Ignored[] {
  return IGNORED.filter(
    (name) => canonicalJson(active.policy[name] ?? null) !== canonicalJson(proposed.policy[name] ?? null),
  );
}

function reportOf({ calls, changed, marked }: Judged, unread: number, ignored: readonly Ignored[]): DryRunReport {
  const count = (side: 'before' | 'after', outcome: string): number =>
    changed.filter((each) => each[side] === outcome).length;
  return {
    calls,
    asked: { more: count('after', 'ask'), fewer: count('before', 'ask') },
    denied: { more: count('after', 'deny'), fewer: count('before', 'deny') },
    marked,
    changed: changed.toSorted((one, other) => one.at - other.at).slice(0, MAX_CHANGED),
    unread,
    ignored,
  };
}

function sumOf(one: Judged, other: Judged): Judged {
  return {
    calls: one.calls + other.calls,
    changed: [...one.changed, ...other.changed],
    marked: {
      more: one.marked.more + other.marked.more,
      fewer: one.marked.fewer + other.marked.fewer,
    },
  };
}

/** Ends a wait that the worker does not end in time. */
function withinTime(work: Promise<Judged>, until: number): Promise<Judged> {
  return new Promise((resolve, reject) => {
    const late = (): void => resolve({ ...NOTHING, stoppedBy: 'time' });
    const timer = setTimeout(late, until + GRACE - Date.now());
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Judges recorded calls again under another policy or with other thresholds, in a thread of its own. */
export async function dryRun(
  source: DryRunSource,
  { calls: maxCalls = 10_000, seconds = 60 }: DryRunBudget = {},
  classifier?: ClassifierV1,
): Promise<DryRunReport> {
  const until = Date.now() + seconds * 1000;
  const { active, proposed, servers, principals } = source;
  const thread = new DryRunThread({ active, proposed, servers, classifier: classifier?.id, until }, classifier);
  const ignored = ignoredIn(source);
  let [total, unread]: [Judged, number] = [NOTHING, source.unread];
  const judge = async (principal: RecordedPrincipal): Promise<Judged['stoppedBy']> => {
    unread += await source.load(principal, (entries) => thread.add(entries));
    const order = { type: 'judge', principal, maxCalls: maxCalls - total.calls } as const;
    const judged = await withinTime(thread.judge(order), until);
    total = sumOf(total, judged);
    return judged.stoppedBy;
  };
  try {
    for (const principal of principals) {
      const stoppedBy = Date.now() >= until ? 'time' : await judge(principal);
      if (stoppedBy !== undefined) return { ...reportOf(total, unread, ignored), stoppedBy };
    }
    return reportOf(total, unread, ignored);
  } finally {
    await thread.close();
  }
}
