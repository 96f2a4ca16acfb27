import type { Database, Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';
import { type Checkpoint, type CheckpointKind, genesisOf, type Head } from '../links.ts';
import {
  type AuditRow,
  ChainError,
  type ChainItem,
  type ChainReport,
  type VerifyOptions,
  verifyChain,
} from './chain.ts';

const PAGE = 1000;
/** Retention removes months, so the start does not change often. */
const MAX_TRIES = 3;
/** A replica signs every second. Rows that are unsigned after this time were not written by the gateway, or lost their checkpoint. */
const SIGNED_AFTER = 60_000;

interface CheckpointRow {
  readonly seq: string;
  readonly kind: CheckpointKind;
  readonly hash: Buffer;
  readonly signature: Buffer;
}

function checkpointOf({ seq, kind, hash, signature }: CheckpointRow): Checkpoint {
  return { seq: Number(seq), kind, hash: hash.toString('hex'), signature: signature.toString('hex') };
}

/** A page of rows: after one row, or from a number on. */
async function readPage(sql: Transaction, workspace: string, last: AuditRow | number): Promise<readonly AuditRow[]> {
  const isFirst = typeof last === 'number';
  const rows = await sql<{ seq: string; at: string; payload: string; hash: Buffer; mac: Buffer }[]>`
    select seq, extract(epoch from at) * 1000 as at, payload, hash, mac from audit
      where workspace_id = ${workspace}::uuid and seq >= ${isFirst ? last : last.seq}
      order by seq, at limit ${PAGE} offset ${isFirst ? 0 : 1}`;
  return rows.map(({ seq, at, payload, hash, mac }) => ({
    seq: Number(seq),
    at: Math.round(Number(at)),
    payload,
    hash: hash.toString('hex'),
    mac: mac.toString('hex'),
  }));
}

/** The checkpoints after one sequence number, up to another. */
async function readCheckpoints(sql: Transaction, workspace: string, after: number, to?: number): Promise<Checkpoint[]> {
  const rows = await sql<CheckpointRow[]>`
    select seq, kind, hash, signature from audit_checkpoints
      where workspace_id = ${workspace}::uuid and seq > ${after} and (${to ?? null}::bigint is null or seq <= ${to ?? null}::bigint)
      order by seq, kind`;
  return rows.map(checkpointOf);
}

/** Runs a short transaction in the workspace: a long one would keep PostgreSQL from cleaning up. */
export type Read = <T>(work: (sql: Transaction) => Promise<T>) => Promise<T>;

/** The signed start, if rows were removed on purpose. */
async function startOf(read: Read, workspace: string): Promise<Checkpoint | undefined> {
  const [row] = await read(
    (sql) => sql<CheckpointRow[]>`
      select seq, kind, hash, signature from audit_checkpoints
        where workspace_id = ${workspace}::uuid and kind = 'start' order by seq desc limit 1`,
  );
  return row === undefined ? undefined : checkpointOf(row);
}

/** Where reading begins: after a head, after the signed start, or before the first row. */
async function beginning(
  read: Read,
  workspace: string,
  from?: Head,
): Promise<{ readonly head: Head; readonly start?: Checkpoint; readonly first: number }> {
  const start = await startOf(read, workspace);
  if (from !== undefined && from.seq >= (start?.seq ?? 0)) return { head: from, first: from.seq + 1 };
  if (start !== undefined) return { head: { seq: start.seq, hash: start.hash }, start, first: start.seq + 1 };
  return { head: genesisOf(workspace), first: Number.MIN_SAFE_INTEGER };
}

/** Rows, each followed by its checkpoints. */
function* interleave(rows: readonly AuditRow[], checkpoints: readonly Checkpoint[]): Generator<ChainItem> {
  let next = 0;
  for (const row of rows) {
    yield { type: 'row', row };
    for (; checkpoints[next]?.seq === row.seq; next++)
      yield { type: 'checkpoint', checkpoint: checkpoints[next] as Checkpoint };
  }
  // A checkpoint without a row: the end is missing.
  if (rows.length === 0 && checkpoints[0] !== undefined) yield { type: 'checkpoint', checkpoint: checkpoints[0] };
}

/** Reads the stored chain of a workspace, page by page: from the signed start, or after a head. */
export async function* readChain(read: Read, workspace: string, from?: Head): AsyncGenerator<ChainItem> {
  const { head, start, first } = await beginning(read, workspace, from);
  if (start !== undefined) yield { type: 'checkpoint', checkpoint: start };
  let end = head;
  let last: AuditRow | number = first;
  for (let isLast = false; !isLast; ) {
    const [page, checkpoints] = await read(async (sql) => {
      const rows = await readPage(sql, workspace, last);
      return [rows, await readCheckpoints(sql, workspace, end.seq, rows.at(-1)?.seq)] as const;
    });
    yield* interleave(page, checkpoints);
    last = page.at(-1) ?? last;
    if (typeof last !== 'number') end = { seq: last.seq, hash: last.hash };
    isLast = page.length === 0;
  }
  yield { type: 'head', head: end };
}

function readIn(database: Database, workspace: string): Read {
  return (work) => database.inWorkspace(workspace, work, SNAPSHOT);
}

const SNAPSHOT = 'isolation level repeatable read read only';

/** Checks that the row of a head is unchanged. */
async function holds(read: Read, workspace: string, { seq, hash }: Head): Promise<boolean> {
  if (seq === 0) return hash === genesisOf(workspace).hash;
  const rows = await read(
    (sql) => sql<{ hash: Buffer }[]>`
      select hash from audit where workspace_id = ${workspace}::uuid and seq = ${seq}
      union all select hash from audit_checkpoints where workspace_id = ${workspace}::uuid and seq = ${seq} and kind = 'start'`,
  );
  return rows.length > 0 && rows.every((row) => row.hash.toString('hex') === hash);
}

/** Verifies the stored chain of a workspace. */
export async function verifyAudit(
  database: Database,
  workspace: string,
  options: VerifyOptions = {},
): Promise<ChainReport> {
  const { from } = options;
  const read = readIn(database, workspace);
  await requireWorkspace(read, workspace);
  const signedBefore = options.signedBefore ?? Date.now() - SIGNED_AFTER;
  if (from !== undefined && !(await holds(read, workspace, from)))
    return { isWhole: false, problem: 'rewritten', seq: from.seq };
  for (let tries = 1; ; tries++) {
    const before = await startOf(read, workspace);
    const report = await verifyChain(workspace, readChain(read, workspace, from), { ...options, signedBefore });
    if (report.isWhole || tries === MAX_TRIES) return report;
    // Retention may have removed rows that were about to be read: then the chain has another start.
    if ((await startOf(read, workspace))?.seq === before?.seq) return report;
  }
}

async function requireWorkspace(read: Read, workspace: string): Promise<void> {
  const rows = await read((sql) => sql`select from workspaces where workspace_id = ${workspace}::uuid`);
  if (rows.length === 0) throw new StoreError('missing', 'There is no workspace of that id.');
}

const FORMAT = 'sallyport-audit-2';

/** Writes the chain of a workspace as JSONL, all of it or the rows after a number. */
export async function exportAudit(
  database: Database,
  workspace: string,
  write: (line: string) => Promise<void> | void,
  after?: number,
): Promise<void> {
  const read = readIn(database, workspace);
  await requireWorkspace(read, workspace);
  const from = after === undefined ? undefined : await headAt(read, workspace, after);
  await write(JSON.stringify({ type: 'export', format: FORMAT, workspace, ...(from === undefined ? {} : { from }) }));
  for await (const item of readChain(read, workspace, from)) {
    const { type } = item;
    if (type === 'checkpoint') await write(JSON.stringify({ type, ...item.checkpoint }));
    else if (type === 'head') await write(JSON.stringify({ type, ...item.head }));
    else await write(JSON.stringify({ type, ...item.row }));
  }
}

/** The head at a number: of a row, or of the signed start. */
async function headAt(read: Read, workspace: string, seq: number): Promise<Head> {
  if (seq === 0) return genesisOf(workspace);
  const [row] = await read(
    (sql) => sql<{ hash: Buffer }[]>`
      select hash from audit where workspace_id = ${workspace}::uuid and seq = ${seq}
      union all select hash from audit_checkpoints where workspace_id = ${workspace}::uuid and seq = ${seq} and kind = 'start'`,
  );
  if (row === undefined)
    throw new StoreError(
      'missing',
      `There is no row ${seq}: it was removed, or is not written yet. Export without it.`,
    );
  return { seq, hash: row.hash.toString('hex') };
}

type Fields = Readonly<Record<string, unknown>>;

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function readItem({ type, seq, at, hash, payload, kind, mac, signature }: Fields): ChainItem | undefined {
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0 || !isHash(hash)) return undefined;
  if (type === 'head') return { type, head: { seq, hash } };
  if (type === 'row') {
    const isRow = typeof payload === 'string' && typeof mac === 'string' && Number.isSafeInteger(at);
    return isRow ? { type, row: { seq, at: at as number, hash, payload, mac } } : undefined;
  }
  if (type !== 'checkpoint' || (kind !== 'head' && kind !== 'start') || typeof signature !== 'string') return undefined;
  return { type, checkpoint: { seq, hash, kind, signature } };
}

function parse(line: string): Fields {
  try {
    return (JSON.parse(line) ?? {}) as Fields;
  } catch {
    return {};
  }
}

async function* readLines(lines: AsyncIterator<string>): AsyncGenerator<ChainItem> {
  let seq = 0;
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    if (next.value === '') continue;
    const item = readItem(parse(next.value));
    if (item === undefined) throw new ChainError('malformed', seq + 1);
    if (item.type === 'row') seq = item.row.seq;
    yield item;
  }
}

/**
 * Verifies an export of an audit chain, without a database.
 *
 * @example
 * ```ts
 * const lines = createInterface({ input: createReadStream('audit.jsonl') });
 * const report = await verifyExport(lines, { keys: auditKeysOf(readKeys(process.env).keysFor('audit')) });
 * if (!report.isWhole) console.error(`${report.problem} at ${report.seq}`);
 * ```
 */
export async function verifyExport(lines: AsyncIterable<string>, options: VerifyOptions = {}): Promise<ChainReport> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { format, workspace, from } = first.done === true ? {} : parse(first.value);
  if (format !== FORMAT || typeof workspace !== 'string') return { isWhole: false, problem: 'malformed', seq: 0 };
  const { seq, hash } = (from ?? {}) as Partial<Head>;
  const begin = typeof seq === 'number' && isHash(hash) ? { from: { seq, hash } } : {};
  const report = await verifyChain(workspace, readLines(iterator), { ...begin, ...options });
  const isProved = options.from !== undefined || options.anchor?.seq === seq || hash === genesisOf(workspace).hash;
  return report.isWhole && begin.from !== undefined && !isProved ? { ...report, isStartClaimed: true } : report;
}
