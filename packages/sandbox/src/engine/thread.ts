import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Timer } from '@sallyport/core/stages';
import { failure, type ScriptAnswer, type ScriptCall, type ScriptEnd, type ScriptTask } from './engine.ts';
import type { Order, Report } from './thread-messages.ts';
import { platformTimer } from './timer.ts';

/** A thread that stops by itself does so before this, in milliseconds; one that cannot is ended. */
const GRACE = 50;

/** What the thread needs beside the machine: its own heap holds little more than what crosses. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const FAILED_ANSWER: ScriptAnswer = { ok: false, message: 'The call failed.' };
const LONG_ANSWER: ScriptAnswer = { ok: false, message: 'The answer is longer than it may be.' };

/** A thread for one script. It is ended with the script, whatever that left behind. */
export class Thread {
  readonly #worker: Worker;
  readonly #timer: Timer;
  readonly #isReady: Promise<unknown>;
  #task: ScriptTask | undefined;
  #finish: ((end: ScriptEnd) => void) | undefined;
  #ran = 0;
  #answers = 0;
  #isEnded = false;
  readonly #onAbort = (): void => this.#finish?.(failure('aborted'));
  #watch: unknown;

  constructor(entry: URL, data: object, timer: Timer = platformTimer) {
    this.#timer = timer;
    this.#worker = new Worker(entry, {
      workerData: data,
      name: 'sallyport-script',
      argv: [],
      execArgv: [],
      env: {},
      stdout: true,
      stderr: true,
      resourceLimits: HEAP,
    });
    const exited = once(this.#worker, 'exit').then(() => Promise.reject(new Error('The thread has ended.')));
    this.#isReady = Promise.race([once(this.#worker, 'message'), exited]);
    this.#isReady.catch(() => undefined);
    this.#worker.unref();
  }

  /** Runs a script to its end, and ends the thread. */
  async run(task: ScriptTask): Promise<ScriptEnd> {
    this.#worker.ref();
    let total: unknown;
    const late = new Promise<'late'>((resolve) => {
      total = this.#timer.set(() => resolve('late'), task.limits.total);
    });
    const end = await this.#play(task, late);
    task.signal?.removeEventListener('abort', this.#onAbort);
    this.#task = undefined;
    this.#timer.clear(total);
    this.#stopWatch();
    await this.end();
    return end;
  }

  async #play(task: ScriptTask, late: Promise<'late'>): Promise<ScriptEnd> {
    const { limits } = task;
    try {
      if ((await Promise.race([this.#isReady, late])) === 'late') return failure('time');
    } catch {
      return failure(this.#isEnded ? 'aborted' : 'crashed');
    }
    if (task.signal?.aborted || this.#isEnded) return failure('aborted');
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#task = task;
      const { source, input, functions, now } = task;
      this.#worker.on('message', (report: Report) => this.#hear(report));
      this.#worker.on('error', (error) => this.#broke(error));
      this.#worker.on('exit', () => resolve(failure('crashed')));
      task.signal?.addEventListener('abort', this.#onAbort, { once: true });
      void late.then(() => resolve(failure('time')));
      this.#order({ type: 'start', source, input, functions, limits, now }, task);
    });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#finish?.(failure('aborted'));
    // A machine that is not WebAssembly may not hear: it ends when it comes back, and nobody waits for that.
    let alarm: unknown;
    const patience = new Promise<void>((resolve) => {
      alarm = this.#timer.set(resolve, GRACE);
    });
    await Promise.race([this.#worker.terminate(), patience]);
    this.#timer.clear(alarm);
  }

  #order(order: Order, { limits }: ScriptTask): void {
    this.#worker.postMessage(order);
    const left = Math.max(0, limits.time - this.#ran) + GRACE;
    // Where we were busy ourselves, what the thread has said in time is heard first.
    this.#watch ??= this.#timer.set(() => setImmediate(() => this.#timeOut()), left);
  }

  #stopWatch(): void {
    this.#timer.clear(this.#watch);
    this.#watch = undefined;
  }

  #timeOut(): void {
    if (this.#watch !== undefined) this.#finish?.(failure('time'));
  }

  #hear(report: Report): void {
    if (report.type === 'call') this.#answer(report.call);
    else if (report.type === 'end') this.#finish?.(report.end);
    // What it said before it had heard us is old.
    else if (report.type === 'idle' && report.answers === this.#answers) {
      this.#stopWatch();
      this.#ran = report.ran;
      this.#task?.onIdle?.();
    }
  }

  async #answer(call: ScriptCall): Promise<void> {
    const task = this.#task;
    if (task === undefined) return;
    const answer = await this.#ask(task, call);
    if (this.#task === undefined) return;
    this.#answers++;
    const isLong = answer.ok && Buffer.byteLength(answer.json) > task.limits.resultBytes;
    this.#order({ type: 'answer', index: call.index, answer: isLong ? LONG_ANSWER : answer }, task);
  }

  /** Whoever answers may fail: the script is told no more than that. */
  async #ask(task: ScriptTask, call: ScriptCall): Promise<ScriptAnswer> {
    try {
      return await task.call(call);
    } catch {
      return FAILED_ANSWER;
    }
  }

  #broke(error: Error): void {
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#finish?.(failure(isMemory ? 'memory' : 'crashed'));
  }
}
