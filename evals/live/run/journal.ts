import { appendFileSync, existsSync, readFileSync } from 'node:fs';

/** Finished runs in a file of JSON lines, so that an interrupted evaluation goes on where it ended. Without a file, in memory. */
export class Journal {
  readonly #file: string | undefined;
  readonly #known = new Map<string, unknown>();

  constructor(file: string | undefined) {
    this.#file = file;
    if (file === undefined || !existsSync(file)) return;
    for (const line of readFileSync(file, 'utf8')
      .split('\n')
      .filter((each) => each !== '')) {
      const { key, value } = JSON.parse(line) as { key: string; value: { error?: string } };
      // A run in which the endpoint failed is tried again.
      if (value.error === undefined) this.#known.set(key, value);
    }
  }

  /** The stored result of a run, or the one that `run` returns. */
  async once<Value extends object>(key: string, run: () => Promise<Value>): Promise<Value> {
    if (this.#known.has(key)) return this.#known.get(key) as Value;
    const value = await run();
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify({ key, value })}\n`);
    return value;
  }
}
