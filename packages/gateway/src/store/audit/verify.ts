import type { Database, Transaction } from '../database.ts';
import { StoreError } from '../errors.ts';
import {
  type AuditRow,
  ChainError,
  type ChainItem,
  type ChainReport,
  type VerifyOptions,
  verifyChain,
} from './chain.ts';
import type { Checkpoint, CheckpointKind } from './checkpoint.ts';

const PAGE = 1000;
/** A replica signs every second. Rows that are unsigned after this time were not written by the gateway, or lost their checkpoint. */
const SIGNED_AFTER = 60_000;

interface CheckpointRow {
  readonly seq: string;
  readonly kind: CheckpointKind;
  readonly hash: Buffer;
  readonly mac: Buffer;
}

function checkpointOf({ seq, kind, hash, mac }: CheckpointRow): Checkpoint {
  return { seq: Number(seq), kind, hash: hash.toString('hex'), mac: mac.toString('hex') };
}

async function readPage(sql: Transaction, workspace: string, last: AuditRow | undefined): Promise<readonly AuditRow[]> {
  const rows = await sql<{ seq: string; at: Date; payload: string; hash: Buffer }[]>`
    select seq, at, payload, hash from audit
      where workspace_id = ${workspace}::uuid and seq >= ${last?.seq ?? 0}
      order by seq, at limit ${PAGE} offset ${last === undefined ? 0 : 1}`;
  return rows.map(({ seq, at, payload, hash }) => ({
    seq: Number(seq),
    at: at.getTime(),
    payload,
    hash: hash.toString('hex'),
  }));
}

/** The checkpoints after one sequence number, up to another. */
async function readCheckpoints(sql: Transaction, workspace: string, after: number, to?: number): Promise<Checkpoint[]> {
  const rows = await sql<CheckpointRow[]>`
    select seq, kind, hash, mac from audit_checkpoints
      where workspace_id = ${workspace}::uuid and seq > ${after} and (${to ?? null}::bigint is null or seq <= ${to ?? null}::bigint)
      order by seq, kind`;
  return rows.map(checkpointOf);
}

/** Reads the stored chain of a workspace, page by page. */
export async function* readChain(sql: Transaction, workspace: string): AsyncGenerator<ChainItem> {
  const [start] = await sql<CheckpointRow[]>`
    select seq, kind, hash, mac from audit_checkpoints
      where workspace_id = ${workspace}::uuid and kind = 'start' order by seq desc limit 1`;
  if (start !== undefined) yield { type: 'checkpoint', checkpoint: checkpointOf(start) };
  let covered = Number(start?.seq ?? 0);
  let last: AuditRow | undefined;
  for (let page = await readPage(sql, workspace, last); page.length > 0; page = await readPage(sql, workspace, last)) {
    last = page.at(-1) as AuditRow;
    const checkpoints = await readCheckpoints(sql, workspace, covered, last.seq);
    let next = 0;
    for (const row of page) {
      yield { type: 'row', row };
      for (; checkpoints[next]?.seq === row.seq; next++)
        yield { type: 'checkpoint', checkpoint: checkpoints[next] as Checkpoint };
    }
    covered = last.seq;
  }
  for (const checkpoint of await readCheckpoints(sql, workspace, covered)) yield { type: 'checkpoint', checkpoint };
  const [head] = await sql<{ seq: string; hash: Buffer }[]>`
    select seq, hash from audit_heads where workspace_id = ${workspace}::uuid`;
  if (head === undefined) throw new StoreError('missing', 'There is no workspace of that id.');
  yield { type: 'head', head: { seq: Number(head.seq), hash: head.hash.toString('hex') } };
}

const SNAPSHOT = 'isolation level repeatable read read only';

/** Verifies the stored chain of a workspace. */
export function verifyAudit(database: Database, workspace: string, options: VerifyOptions = {}): Promise<ChainReport> {
  const signedBefore = options.signedBefore ?? Date.now() - SIGNED_AFTER;
  return database.inWorkspace(
    workspace,
    (sql) => verifyChain(workspace, readChain(sql, workspace), { ...options, signedBefore }),
    SNAPSHOT,
  );
}

const FORMAT = 'sallyport-audit-1';

/** Writes the chain of a workspace as JSONL. */
export function exportAudit(
  database: Database,
  workspace: string,
  write: (line: string) => Promise<void> | void,
): Promise<void> {
  return database.inWorkspace(
    workspace,
    async (sql) => {
      await write(JSON.stringify({ type: 'export', format: FORMAT, workspace }));
      for await (const item of readChain(sql, workspace)) {
        const { type } = item;
        if (type === 'checkpoint') await write(JSON.stringify({ type, ...item.checkpoint }));
        else if (type === 'head') await write(JSON.stringify({ type, ...item.head }));
        else await write(JSON.stringify({ type, seq: item.row.seq, hash: item.row.hash, payload: item.row.payload }));
      }
    },
    SNAPSHOT,
  );
}

type Fields = Readonly<Record<string, unknown>>;

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

function readItem({ type, seq, hash, payload, kind, mac }: Fields): ChainItem | undefined {
  if (typeof seq !== 'number' || !Number.isSafeInteger(seq) || seq < 0 || !isHash(hash)) return undefined;
  if (type === 'head') return { type, head: { seq, hash } };
  if (type === 'row') return typeof payload === 'string' ? { type, row: { seq, hash, payload } } : undefined;
  if (type !== 'checkpoint' || (kind !== 'head' && kind !== 'start') || typeof mac !== 'string') return undefined;
  return { type, checkpoint: { seq, hash, kind, mac } };
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
 * const report = await verifyExport(lines, { key: readKeys(process.env).keysFor('audit') });
 * if (!report.isWhole) console.error(`${report.problem} at ${report.seq}`);
 * ```
 */
export async function verifyExport(lines: AsyncIterable<string>, options: VerifyOptions = {}): Promise<ChainReport> {
  const iterator = lines[Symbol.asyncIterator]();
  const first = await iterator.next();
  const { format, workspace } = first.done === true ? {} : parse(first.value);
  if (format !== FORMAT || typeof workspace !== 'string') return { isWhole: false, problem: 'malformed', seq: 0 };
  return verifyChain(workspace, readLines(iterator), options);
}
