import type { Timer } from '@sallyport/core/stages';
import { SandboxError } from '../errors.ts';
import { failure, refusalOf, type ScriptEnd, type ScriptEngine, type ScriptTask } from './engine.ts';
import { checkLimits } from './limits.ts';
import type { Thread } from './thread.ts';

export interface EngineOptions {
  /** Threads that are kept ready, so that a script need not wait for one. @default 1 */
  readonly spare?: number;
  /** The limit of memory that those are ready for, in bytes. A script with another one waits for its thread. @default 64 MiB */
  readonly memory?: number;
  /** Watches the time limits of scripts. @default the platform's */
  readonly timer?: Timer;
}

interface Language {
  readonly language: ScriptEngine['language'];
  readonly description: string;
  /** Makes a thread whose machine has so many bytes. */
  open(memory: number): Promise<Thread>;
}

const MAX_SPARE = 64;

/** Runs each script in a thread that nothing has run in before, and nothing will after it. The next is made ready meanwhile. */
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
      throw new SandboxError('ERR_INVALID_OPTION', `spare is a whole number from 0 to ${MAX_SPARE}.`);
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
      // Whoever takes it is told.
      thread.catch(() => undefined);
      this.#spares.push(thread);
    }
  }

  async run(task: ScriptTask): Promise<ScriptEnd> {
    const refusal = refusalOf(task);
    if (refusal !== undefined) return refusal;
    if (!Number.isFinite(task.now)) throw new SandboxError('ERR_INVALID_OPTION', 'now is a number of milliseconds.');
    if (this.#isClosed) return failure('aborted');
    const spare = task.limits.memory === this.#memory ? this.#spares.shift() : undefined;
    const thread = await (spare ?? this.#open(task.limits.memory));
    this.#refill();
    this.#running.add(thread);
    // It may have been closed while the thread was made.
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
