import { fieldsOf } from '@sallyport/core/adapter';
import { readJsonFile, withLock, writeJsonFile } from '../state.ts';
import { CommandError } from '../terminal-text.ts';
import type { Seal } from './seal.ts';

const VERSION = 1;

/** A list of entries that only sallyport writes, in one file for all processes. Entries without its seal are kept in the file, and count as absent. */
export class SealedFile<Entry extends object> {
  readonly path: string;
  readonly #seal: Seal;
  readonly #isEntry: (value: unknown) => value is Entry;

  constructor(path: string, seal: Seal, isEntry: (value: unknown) => value is Entry) {
    this.path = path;
    this.#seal = seal;
    this.#isEntry = isEntry;
  }

  #read(): { readonly entries: readonly Entry[]; readonly ignored: readonly unknown[] } {
    const value = readJsonFile(this.path);
    if (value === undefined) return { entries: [], ignored: [] };
    const { version, entries: all } = fieldsOf(value);
    if (version !== VERSION || !Array.isArray(all))
      throw new CommandError(
        `${this.path} is not a file of version ${VERSION}; its version is ${JSON.stringify(version)}.`,
        'use the version of sallyport that wrote it, or move it to another place; you are then asked again.',
      );
    const [entries, ignored]: [Entry[], unknown[]] = [[], []];
    for (const each of all as readonly unknown[]) {
      const entry = this.#seal.open(each);
      if (this.#isEntry(entry)) entries.push(entry);
      else ignored.push(each);
    }
    return { entries, ignored };
  }

  all(): readonly Entry[] {
    return this.#read().entries;
  }

  /** The number of entries that sallyport did not write. */
  get ignored(): number {
    return this.#read().ignored.length;
  }

  change<Result>(edit: (entries: readonly Entry[]) => readonly [left: readonly Entry[], result: Result]): Result {
    return withLock(this.path, () => {
      const { entries, ignored } = this.#read();
      const [left, result] = edit(entries);
      if (JSON.stringify(left) !== JSON.stringify(entries))
        writeJsonFile(this.path, {
          version: VERSION,
          entries: [...left.map((each) => this.#seal.put(each)), ...ignored],
        });
      return result;
    });
  }
}
