import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { root } from '../../../tools/command.mjs';

/** The statements that docs/gateway.md gives to an administrator. */
function documentedSetUp(): readonly string[] {
  const document = readFileSync(join(root, 'docs/gateway.md'), 'utf8');
  const [, block] = /```sql\n(create role sallyport_app.*?)```/s.exec(document) ?? [];
  if (block === undefined) throw new Error('docs/gateway.md has no statements that create the roles.');
  return block.split(/;\s*\n/).filter((statement) => statement.trim() !== '');
}

/** The URLs of a database that was set up as documented. */
export interface SetUp {
  readonly url: string;
  readonly ownerUrl: string;
}

/** Sets a server up as documented, as the administrator in the URL. */
export async function setUp(administrator: string): Promise<SetUp> {
  const sql = postgres(administrator, { max: 1, onnotice: () => undefined });
  for (const statement of documentedSetUp()) await sql.unsafe(statement);
  await sql.end();
  const urlOf = (username: string, password: string): string =>
    Object.assign(new URL(administrator), { username, password, pathname: '/sallyport' }).href;
  return { url: urlOf('sallyport', 'secret'), ownerUrl: urlOf('sallyport_owner', 'owner-secret') };
}
