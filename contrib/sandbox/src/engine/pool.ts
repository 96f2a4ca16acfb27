import type { Timer } from '@sallyport/core/stages';
import { SandboxError } from '../errors.ts';
import { failure, refusalOf, type ScriptEnd, type ScriptEngine, type ScriptTask } from './engine.ts';
import { checkLimits } from './limits.ts';
import type { Thread } from './thread.ts';

/** Options of an engine. */
export interface EngineOptions {
  /** The number of threads kept ready, so that a script starts at once. @default 1 */
  readonly spare?: number;
  /** The memory limit of the spare threads, in bytes. A script with another limit waits for a new thread. @default 64 MiB */
  readonly memory?: number;
  /** The timer for the time limits. @default setTimeout */
  readonly timer?: Timer;
}

interface Language {
  readonly language: ScriptEngine['language'];
  readonly description: string;
  /** Creates a thread whose machine has this many bytes of memory. */
  open(memory: number): Promise<Thread>;
}

const MAX_SPARE = 64;

/** Runs each script in a new thread that is never reused. The next one is prepared meanwhile. */
export class Pool implements ScriptEngine {
  readonly language: ScriptEngine['language'];
  readonly description: string;
  readonly #open: Language['open'];
  readonly #memory: number;
  readonly #spareCount: number;
  readonly #spares: Promise<Thread>[] = [];
  readonly #running = new Set<Thread>();
  #isClosed = false;

  constructor({ language, description, open }: Language, { spare = 1, memory }: EngineOptions) {
    if (!Number.isInteger(spare) || spare < 0 || spare > MAX_SPARE)
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`spare\` must be an integer from 0 to ${MAX_SPARE}; received ${String(spare)}.`,
      );
    this.language = language;
    this.description = description;
    this.#open = open;
    this.#memory = checkLimits(memory === undefined ? {} : { memory }).memory;
    this.#spareCount = spare;
    this.#refill();
  }

  #refill(): void {
    while (!this.#isClosed && this.#spares.length < this.#spareCount) {
      const thread = this.#open(this.#memory);
      // The script that takes this thread receives the error. This handler only prevents an unhandled rejection.
      thread.catch(() => undefined);
      this.#spares.push(thread);
    }
  }

  async run(task: ScriptTask): Promise<ScriptEnd> {
    const refusal = refusalOf(task);
    if (refusal !== undefined) return refusal;
    if (!Number.isFinite(task.now))
      throw new SandboxError(
        'ERR_INVALID_OPTION',
        `\`now\` must be a finite number of milliseconds; received ${String(task.now)}.`,
      );
    if (this.#isClosed) return failure('aborted');
    const spare = task.limits.memory === this.#memory ? this.#spares.shift() : undefined;
    const thread = await (spare ?? this.#open(task.limits.memory));
    this.#refill();
    this.#running.add(thread);
    // close() may have been called while the thread started.
    if (this.#isClosed) await thread.end();
    try {
      return await thread.run(task);
    } finally {
      this.#running.delete(thread);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const spares = await Promise.allSettled(this.#spares.splice(0));
    const ready = spares.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    await Promise.all([...ready, ...this.#running].map((thread) => thread.end()));
  }
}
