import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { failure, type ScriptAnswer, type ScriptCall, type ScriptEnd, type ScriptTask } from './engine.ts';
import type { Order, Report } from './thread-messages.ts';

/** Milliseconds after a limit within which a thread stops by itself. Afterwards it is terminated. */
const GRACE_TIME = 50;

/** The heap of the thread itself, which holds little more than messages. The machine has its own memory. */
const HEAP = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 };

const FAILED_ANSWER: ScriptAnswer = { ok: false, message: 'The call failed.' };
const LONG_ANSWER: ScriptAnswer = { ok: false, message: 'The answer is longer than it may be.' };

/** The thread of one script. It is terminated with the script. */
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

  constructor(entry: URL, data: object, timer: Timer = backgroundTimer) {
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
    // #play receives the error. This handler only prevents an unhandled rejection.
    this.#isReady.catch(() => undefined);
    this.#worker.unref();
  }

  /** Runs a script to its end, and terminates the thread. */
  async run(task: ScriptTask): Promise<ScriptEnd> {
    this.#worker.ref();
    let total: unknown;
    const timeout = new Promise<'timeout'>((resolve) => {
      total = this.#timer.set(() => resolve('timeout'), task.limits.total);
    });
    const end = await this.#play(task, timeout);
    task.signal?.removeEventListener('abort', this.#onAbort);
    this.#task = undefined;
    this.#timer.clear(total);
    this.#stopWatch();
    await this.end();
    return end;
  }

  async #play(task: ScriptTask, timeout: Promise<'timeout'>): Promise<ScriptEnd> {
    const { limits } = task;
    try {
      if ((await Promise.race([this.#isReady, timeout])) === 'timeout') return failure('time');
    } catch {
      // The thread exited before it was ready, without another cause.
      return failure(this.#isEnded ? 'aborted' : 'crashed');
    }
    if (task.signal?.aborted || this.#isEnded) return failure('aborted');
    return new Promise((resolve) => {
      this.#finish = resolve;
      this.#task = task;
      const { source, input, functions, now } = task;
      this.#worker.on('message', (report: Report) => this.#receive(report));
      this.#worker.on('error', (error) => this.#onError(error));
      this.#worker.on('exit', () => resolve(failure('crashed')));
      task.signal?.addEventListener('abort', this.#onAbort, { once: true });
      void timeout.then(() => resolve(failure('time')));
      this.#send({ type: 'start', source, input, functions, limits, now }, task);
    });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#finish?.(failure('aborted'));
    // Native code cannot be interrupted. Such a thread ends when the code returns, and we do not wait for it.
    let graceTimer: unknown;
    const grace = new Promise<void>((resolve) => {
      graceTimer = this.#timer.set(resolve, GRACE_TIME);
    });
    await Promise.race([this.#worker.terminate(), grace]);
    this.#timer.clear(graceTimer);
  }

  #send(order: Order, { limits }: ScriptTask): void {
    this.#worker.postMessage(order);
    const left = Math.max(0, limits.time - this.#ran) + GRACE_TIME;
    // If our own event loop was busy, messages that the thread sent in time are handled first.
    this.#watch ??= this.#timer.set(() => setImmediate(() => this.#timeOut()), left);
  }

  #stopWatch(): void {
    this.#timer.clear(this.#watch);
    this.#watch = undefined;
  }

  #timeOut(): void {
    if (this.#watch !== undefined) this.#finish?.(failure('time'));
  }

  #receive(report: Report): void {
    if (report.type === 'call') this.#answer(report.call);
    else if (report.type === 'end') this.#finish?.(report.end);
    // A report from before our latest answer is outdated.
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
    this.#send({ type: 'answer', index: call.index, answer: isLong ? LONG_ANSWER : answer }, task);
  }

  /** If the host fails, the script learns nothing else. The host reports the error to `onFailure`. */
  async #ask(task: ScriptTask, call: ScriptCall): Promise<ScriptAnswer> {
    try {
      return await task.call(call);
    } catch {
      return FAILED_ANSWER;
    }
  }

  #onError(error: Error): void {
    const isMemory = (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY';
    this.#finish?.(failure(isMemory ? 'memory' : 'crashed'));
  }
}
