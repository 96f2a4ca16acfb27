import { type Entry, type MemoryLog, readKept } from './log.ts';

interface SharedLogOptions {
  /** @default none: nothing is kept, and there are no other processes */
  readonly log: MemoryLog | undefined;
  readonly name: string;
  readonly randomId: () => string;
  /** Records an entry of another process; undefined if it cannot be read. */
  readonly replay: (entry: Entry | undefined) => Promise<void>;
}

/**
 * One conversation in a log that several processes share: writes this process's entries, and reads those of the others.
 */
export class SharedLog {
  readonly #options: SharedLogOptions;
  // The position up to which the log was read, and the keys that this process wrote after it.
  #position = 0;
  readonly #ownKeys = new Set<string>();
  #reading: Promise<unknown> = Promise.resolve();
  #nextReading: Promise<void> | undefined;

  constructor(options: SharedLogOptions) {
    this.#options = options;
  }

  /** Resolves when the entry is durable. */
  async append(entry: Entry): Promise<void> {
    const { log, name, randomId } = this.#options;
    if (log === undefined) return;
    const key = randomId();
    // Added before the write: the entry may be read back before `append` resolves.
    this.#ownKeys.add(key);
    await log.append(name, { key, entry });
  }

  /**
   * Reads the entries that other processes have recorded. A caller that arrives during a read waits for the next one:
   * the current read may have started too early to include its entries.
   */
  catchUp(): Promise<void> {
    const { log } = this.#options;
    if (log === undefined) return Promise.resolve();
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = undefined;
      return this.#read(log);
    });
    // The callers of this read receive its error. The next read must start all the same.
    this.#reading = this.#nextReading.catch(() => undefined);
    return this.#nextReading;
  }

  async #read(log: MemoryLog): Promise<void> {
    const { name, replay } = this.#options;
    for (const { at, kept: value } of await log.since(name, this.#position)) {
      const kept = readKept(value);
      if (kept === undefined || !this.#ownKeys.delete(kept.key)) await replay(kept?.entry);
      this.#position = at;
    }
  }
}
