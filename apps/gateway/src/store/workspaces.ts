import { randomUUID } from 'node:crypto';
import type postgres from 'postgres';
import { type Database, runQuery } from './database.ts';
import { StoreError } from './errors.ts';

export const NAME: RegExp = /^[a-z0-9-]{1,40}$/;

/** Creates a workspace and returns its id. */
export async function createWorkspace(database: Database, name: string): Promise<string> {
  if (!NAME.test(name)) throw new StoreError('invalid', '`name` must have 1 to 40 characters of a-z, 0-9 and hyphens.');
  const id = randomUUID();
  try {
    await database.system`select sallyport.create_workspace(${id}::uuid, ${name})`;
  } catch (cause) {
    if ((cause as { code?: string }).code !== '23505') throw cause;
    throw new StoreError('conflict', 'A workspace of that name exists already: choose another name.', { cause });
  }
  return id;
}

/** The ids of all workspaces. Only the owner of the tables sees them. */
export async function listWorkspaces(owner: postgres.Sql): Promise<readonly string[]> {
  const rows = await owner<{ id: string }[]>`select workspace_id as id from sallyport.workspaces order by made_at`;
  return rows.map(({ id }) => id);
}

/** The name of a workspace by its id. */
export async function nameOfWorkspace(database: Database, id: string): Promise<string> {
  const [row] = await database.inWorkspace(
    id,
    (sql) => sql<{ name: string }[]>`select name from workspaces where workspace_id = ${id}`,
  );
  if (row === undefined) throw new StoreError('missing', 'The workspace does not exist any more.');
  return row.name;
}

/** The id of a workspace by its name. */
export async function findWorkspace(database: Database, name: string): Promise<string | undefined> {
  const [row] = await runQuery(
    () => database.system<{ id: string | null }[]>`select sallyport.find_workspace(${name}) as id`,
  );
  return row?.id ?? undefined;
}
