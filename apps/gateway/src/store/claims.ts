import { type Database, runQuery } from './database.ts';

/** Ids that may be used only once across all replicas. */
export class Claims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Claims an id, and returns whether it had not been claimed before. */
  async claim(workspace: string, id: string, until: number): Promise<boolean> {
    const [row] = await runQuery(
      () => this.#database.system<{ first: boolean }[]>`
        select sallyport.claim(${workspace}::uuid, ${id}, ${new Date(until)}) as first`,
    );
    return row?.first === true;
  }
}
