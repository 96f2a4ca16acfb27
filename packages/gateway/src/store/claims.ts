import { ask, type Database } from './database.ts';

/** What may be used once, by whichever replica. */
export class Claims {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Whether nobody has used it before. */
  async claim(workspace: string, id: string, until: number): Promise<boolean> {
    const [row] = await ask(
      () => this.#database.system<{ first: boolean }[]>`
        select claim(${workspace}::uuid, ${id}, ${new Date(until)}) as first`,
    );
    return row?.first === true;
  }
}
