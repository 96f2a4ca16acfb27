import { randomUUID } from 'node:crypto';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Transaction } from '../../src/store/database.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

/** One row of each table, in workspace $1. A table that is not here fails the test below. */
const SAMPLES: Readonly<Record<string, string>> = {
  workspaces: 'select 1 where $1::uuid is not null',
  keys: `insert into keys (workspace_id, public_id, digest, principal, label, scopes)
    values ($1::uuid, substr(md5($1::uuid::text), 1, 8), '\\x00', 'p', 'l', '{mcp}')`,
  logins: `insert into logins values ($1::uuid, sha256($1::uuid::text::bytea), 'p', '{mcp}', now(), now() + interval '1 hour')`,
  log: `insert into log (workspace_id, conversation, body) values ($1::uuid, 'c', '{}')`,
  audit: `insert into audit values ($1::uuid, 1, now(), '{}', '\\x00', '\\x00')`,
  audit_checkpoints: `insert into audit_checkpoints values ($1::uuid, 1, 'head', '\\x00', '\\x00')`,
  servers: `insert into servers (workspace_id, name, kind, url) values ($1::uuid, 's', 'http', 'https://example.com')`,
  pins: `insert into pins values ($1::uuid, 's', 'tool', 'k', '"t"', '{}')`,
  held: `insert into held values ($1::uuid, 's', 'tool', 'k', '{}', 'd')`,
  policies: `insert into policies values ($1::uuid, 1, '{}', 'p')`,
  approvals: `insert into approvals (workspace_id, digest, question, principal, conversation, until)
    values ($1::uuid, 'd', '{}', 'p', 'c', now() + interval '1 hour')`,
  lasting_approvals: `insert into lasting_approvals values ($1::uuid, gen_random_uuid(), 'p', '{}', 'd', 'always', '{k}', 't', 'p', now(), now() + interval '1 hour')`,
  audit_counts: `insert into audit_counts values ($1::uuid, now(), 'call', '', 1)`,
  audit_counted: `insert into audit_counted values ($1::uuid, 1)`,
  people: `insert into people values ($1::uuid, 'p', '{mcp}')`,
  webhooks: `insert into webhooks values ($1::uuid, 'w', 'json', 'h', 'sealed', 'p')`,
  notices: `insert into notices values ($1::uuid, 'w', gen_random_uuid())`,
  submissions: `insert into submissions (workspace_id, id, principal, conversation, body, digest, label)
    values ($1::uuid, 'i', 'p', 'c', '{}', 'd', '{}')`,
  claims: `insert into claims values ($1::uuid, 'i', now() + interval '1 hour')`,
  tokens: `insert into tokens values ($1::uuid, 's', 'sealed')`,
  person_tokens: `insert into person_tokens values ($1::uuid, 's', 'p', 'sealed')`,
  feedback: `insert into feedback values ($1::uuid, 's', 't', 'd', 'low', 'attack', 'p')`,
  corrected_decisions: `insert into corrected_decisions
    values ($1::uuid, 'd', 'p', 's', 't', 'deny', 'r', null, false, 'attack', 'p')`,
  findings: `insert into findings values ($1::uuid, md5($1::uuid::text), 'p', 's', null, 't', 'low', 'd', 'x')`,
  thresholds: `insert into thresholds values ($1::uuid, 's', 't', 'low', 'p', now(), now() + interval '1 hour')`,
};

/** Every table that the application's role can name, read from the catalog. */
const TABLES = `select relname as name, relrowsecurity and relforcerowsecurity as secured,
    (select count(*)::int from pg_policy where polrelid = pg_class.oid) as policies,
    has_table_privilege('sallyport_app', oid, 'select, insert, update, delete, truncate') as granted,
    has_table_privilege('sallyport_app', oid, 'truncate') as truncates
  from pg_class where relnamespace = 'sallyport'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')`;

let opened: TestDatabase;
let mine: string;
let theirs: string;
let tables: readonly { name: string; secured: boolean; policies: number; granted: boolean; truncates: boolean }[];

beforeAll(async () => {
  opened = await freshDatabase();
  mine = await createWorkspace(opened.database, 'mine');
  theirs = await createWorkspace(opened.database, 'theirs');
  for (const sample of Object.values(SAMPLES))
    for (const workspace of [mine, theirs]) await opened.attacker.unsafe(sample, [workspace]);
  tables = await opened.attacker.unsafe(TABLES);
});

afterAll(() => opened.drop());

/** The SQLSTATE and the result of work, which is rolled back. */
async function attempt(workspace: string, statement: string): Promise<{ code?: string; count: number }> {
  let result: { code?: string; count: number } = { count: 0 };
  const undo = new Error('undo');
  const work = async (sql: Transaction): Promise<never> => {
    result = { count: (await sql.unsafe(statement)).count };
    throw undo;
  };
  await opened.database.inWorkspace(workspace, work).catch((error: unknown) => {
    if (error !== undo) result = { code: (error as { code: string }).code, count: 0 };
  });
  return result;
}

test('each table has forced row-level security and a policy, or is closed to the application', () => {
  for (const { name, secured, policies, granted, truncates } of tables) {
    expect(truncates, name).toBe(false);
    if (name !== 'migrations') expect({ name, secured }).toEqual({ name, secured: true });
    if (granted) expect({ name, secured, policies: policies > 0 }).toEqual({ name, secured: true, policies: true });
    else if (
      Object.hasOwn(SAMPLES, name) ||
      !/^(migrations|keys_known|audit_default|audit_feed|audit_\d{4}_\d\d)$/.test(name)
    )
      expect.fail(`${name} is neither granted nor known to be closed`);
  }
  expect(
    tables
      .filter(({ granted }) => granted)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(Object.keys(SAMPLES).toSorted());
});

test('the owner of the tables sees no content of a workspace that it has not entered', async () => {
  const owner = postgres(opened.ownerUrl, { max: 1, fetch_types: false });
  const counts = await Promise.all(
    Object.keys(SAMPLES).map(
      async (name) => [name, (await owner.unsafe(`select from sallyport.${name}`)).count] as const,
    ),
  );
  await owner.end();
  const seen = counts.filter(([, count]) => count > 0).map(([name]) => name);
  // What is looked up before a workspace is known, what all chains are signed by, and the ids of what is to be sent.
  expect(seen.toSorted()).toEqual(['audit', 'audit_checkpoints', 'keys', 'logins', 'notices', 'workspaces']);
});

describe.each(Object.keys(SAMPLES))('the rows of another workspace in %s', (table) => {
  test("are invisible, and one's own are visible", async () => {
    expect(await attempt(mine, `select from ${table} where workspace_id = '${theirs}'`)).toEqual({ count: 0 });
    expect((await attempt(mine, `select from ${table}`)).count).toBe(1);
  });

  test('cannot be changed or removed', async () => {
    for (const statement of [`update ${table} set workspace_id = workspace_id`, `delete from ${table}`]) {
      const { code, count } = await attempt(mine, `${statement} where workspace_id = '${theirs}'`);
      expect(count).toBe(0);
      expect([undefined, '42501']).toContain(code);
    }
  });

  test("cannot be created, neither new nor from one's own", async () => {
    const [row] = await opened.attacker.unsafe(
      `select to_jsonb(one) || jsonb_build_object('workspace_id', '${theirs}') as body from ${table} one where workspace_id = '${mine}'`,
    );
    const body = JSON.stringify(row?.body).replaceAll("'", "''");
    const copy = `insert into ${table} overriding system value select * from jsonb_populate_record(null::${table}, '${body}')`;
    expect(await attempt(mine, copy)).toEqual({ code: '42501', count: 0 });
    expect(await attempt(mine, `update ${table} set workspace_id = '${theirs}'`)).toEqual({ code: '42501', count: 0 });
  });

  test('and all others are invisible if no workspace was entered', async () => {
    expect(await opened.database.system.unsafe(`select from sallyport.${table}`)).toHaveLength(0);
  });
});

test('a transaction stays in its workspace, even through functions that take another one', async () => {
  const calls = [
    `select enter('${theirs}')`,
    `select * from log_since('${theirs}', 'c', 0, 1000)`,
    `select * from load_pins('${theirs}', 's')`,
    `select * from current_policy('${theirs}')`,
    `select * from take_lasting_approval('${theirs}', 'p', 't', '{k}')`,
    `select * from search_audit('${theirs}', '{}', '{}', now() - interval '1 day', now(), 9, 9)`,
    `select * from append_entries('${theirs}', '{}', '{}', 1, '', 0, '{x}', '{00}', '{00}')`,
  ];
  for (const call of calls) expect(await attempt(mine, call), call).toEqual({ code: '42501', count: 0 });
});

test('a pooled connection forgets the workspace when the transaction ends', async () => {
  for (let round = 0; round < 8; round++) {
    await opened.database.inWorkspace(mine, (sql) => sql`select 1`);
    expect(await opened.database.system`select * from sallyport.log`).toHaveLength(0);
  }
  expect(await opened.database.inWorkspace(randomUUID(), (sql) => sql`select * from workspaces`)).toHaveLength(0);
});
