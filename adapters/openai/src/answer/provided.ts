import type { Fields } from '@sallyport/core/adapter';
import { isProvided } from '../request/items.ts';

/** Records results of tools that the provider ran, given all of one answer so far. */
type Recording = (items: readonly Fields[]) => Promise<void>;

/**
 * The results of tools that the provider ran inside one answer. The model has read them, so they count before a call of the same
 * answer is checked.
 */
export class Provided {
  readonly #record: Recording;
  readonly #items = new Map<string, Fields>();
  #isRecorded = true;

  constructor(record: Recording) {
    this.#record = record;
  }

  collect(item: Fields): void {
    const id = String(item.id);
    // A stream shows an item first while the tool runs, and the whole answer again at its end.
    if (!isProvided(item) || !/^(?:completed|failed|incomplete)$/.test(String(item.status ?? 'completed'))) return;
    if (this.#items.has(id)) return;
    this.#items.set(id, item);
    this.#isRecorded = false;
  }

  async flush(): Promise<void> {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    await this.#record([...this.#items.values()]);
  }
}
