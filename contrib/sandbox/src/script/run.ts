import type { Decision, Recorded } from '@sallyport/core';
import { failure, type ScriptAnswer, type ScriptCall, type ScriptEnd, type ScriptEngine } from '../engine/engine.ts';
import type { ScriptLimits } from '../engine/limits.ts';
import type { Host } from './host.ts';
import { Diverged, Journal } from './journal.ts';
import type { Suspension } from './suspension.ts';

/** The result of a run: the script's end, or a call on which a person must decide. */
export type Played = ScriptEnd | { readonly status: 'suspended'; readonly suspension: Suspension };

/** One run of a script, from the start or repeated up to the call where it waited. */
export class Run {
  readonly #state: Suspension;
  readonly #host: Host;
  readonly #journal: Journal;
  readonly #read: Recorded[];
  readonly #stop = new AbortController();
  readonly #held = new Map<number, Decision>();
  // Calls in progress that do not wait for a person.
  #open = 0;
  #isIdle = false;
  #isSuspended = false;
  #hasDiverged = false;

  constructor(state: Suspension, host: Host) {
    this.#state = state;
    this.#host = host;
    this.#read = [...state.inputs];
    this.#journal = new Journal(({ record }) => {
      this.#isIdle = false;
      if (record !== undefined) this.#read.push(record);
    }, state);
  }

  /** Everything that the script has read, before its suspension too. */
  get read(): readonly Recorded[] {
    const before = this.#state.settlements.flatMap(({ record }) => record ?? []);
    return [...new Set([...this.#read, ...before])];
  }

  /** Calls that waited for a person when the script ended. They were not made. */
  get held(): readonly Decision[] {
    return [...this.#held.values()];
  }

  async play(engine: ScriptEngine, limits: ScriptLimits, signal: AbortSignal | undefined): Promise<Played> {
    const { source, input, now } = this.#state;
    const end = await engine.run({
      ...{ source, input, now, limits },
      functions: this.#host.names,
      signal: signal === undefined ? this.#stop.signal : AbortSignal.any([this.#stop.signal, signal]),
      call: (call) => this.#call(call),
      onIdle: () => {
        this.#isIdle = true;
        this.#suspend();
      },
    });
    // Cancels calls that are still in progress.
    this.#stop.abort();
    const isItsOwn = end.status === 'done' || end.reason === 'threw';
    if (this.#hasDiverged || (isItsOwn && !this.#journal.isLive)) return failure('diverged');
    if (!this.#isSuspended) return end;
    const { calls, settlements } = this.#journal;
    const { held } = this;
    return { status: 'suspended', suspension: Object.freeze({ ...this.#state, calls, settlements, held }) };
  }

  #call(call: ScriptCall): Promise<ScriptAnswer> {
    try {
      const answer = this.#journal.enter(call);
      if (!this.#journal.isPast(call.index)) this.#make(call).catch((error: unknown) => this.#fail(call, error));
      return answer;
    } catch (error) {
      if (!(error instanceof Diverged)) throw error;
      this.#hasDiverged = true;
      this.#stop.abort();
      return new Promise(() => undefined);
    }
  }

  /** An unexpected error of the host. It is reported, the script gets an error, and the process continues. */
  #fail({ index, name }: ScriptCall, error: unknown): void {
    this.#open--;
    const { answer } = this.#host.fail(`${this.#state.id}.${index}`, name, error);
    this.#journal.settle({ index, answer, record: undefined });
    this.#suspend();
  }

  async #make(call: ScriptCall): Promise<void> {
    this.#open++;
    await this.#journal.whenLive();
    const { id, source, context } = this.#state;
    const caller = { id, source, context, read: [...this.#read], signal: this.#stop.signal };
    const outcome = await this.#host.call(call, caller);
    this.#open--;
    if (outcome.type === 'held') this.#held.set(call.index, outcome.decision);
    else this.#journal.settle({ index: call.index, answer: outcome.answer, record: outcome.record });
    this.#suspend();
  }

  /** Suspends the script if it can only continue after a person's decision, and no call is in progress. */
  #suspend(): void {
    const isWaiting = this.#isIdle && this.#journal.isLive && this.#open === 0;
    if (!isWaiting || this.#held.size === 0 || this.#stop.signal.aborted) return;
    this.#isSuspended = true;
    this.#stop.abort();
  }
}
