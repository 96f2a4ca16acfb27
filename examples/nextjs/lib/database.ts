import { Pool } from 'pg';
import { TABLES } from './stores.ts';

const CHATS = `
  CREATE TABLE IF NOT EXISTS chats (
    id text PRIMARY KEY,
    owner text NOT NULL,
    messages jsonb NOT NULL
  );
`;

export const pool = new Pool({
  connectionString: process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres',
});

let created: Promise<unknown> | undefined;

/** Creates the tables, the first time. The lock is for two servers that start at once. */
export function ready(): Promise<unknown> {
  created ??= pool.query(`BEGIN; SELECT pg_advisory_xact_lock(20310); ${TABLES} ${CHATS} COMMIT;`);
  return created;
}
