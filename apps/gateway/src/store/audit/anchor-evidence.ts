import { setImmediate } from 'node:timers/promises';
import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';
import type { AuditKey, Head, PublicAuditKey } from '../links.ts';
import { type AnchorLine, anchorFiles, dayOf, linesOf, openLine, pathIn } from './anchor-lines.ts';
import { otherKey, readNewest } from './anchor-newest.ts';
import type { ChainReport, VerifyOptions } from './chain.ts';
import { verifyAudit } from './verify.ts';

/** The anchor files that a chain was compared with. */
export interface ComparedAnchors {
  /** Their names, by day. */
  readonly files: readonly string[];
  /** The days of the first and of the last file. Absent if there is none. */
  readonly days?: readonly [first: string, last: string];
  /** How many older files they follow that are not there: someone has removed or moved them. */
  readonly removed: number;
  /** Files that are missing in between, or that were cut or changed. */
  readonly problems: readonly string[];
}

/**
 * How an audit was verified, and with which anchors. `anchors`: the chain is whole, but not the anchor files.
 *
 * @example
 * ```ts
 * const report = await withOperations(readStoreConfig(process.env), (operations) => operations.verifyAudit('acme', {}));
 * if (!report.isWhole) console.error(report.problem, report.anchors?.problems);
 * ```
 */
export type AuditReport = (ChainReport | { readonly isWhole: false; readonly problem: 'anchors'; readonly seq: 0 }) & {
  /** Absent if `SALLYPORT_ANCHORS` is off. */
  readonly anchors?: ComparedAnchors;
};

function filesWithDays(files: readonly string[]): Pick<ComparedAnchors, 'files' | 'days'> {
  const [first, last] = [files[0], files.at(-1)];
  return { files, ...(first !== undefined && last !== undefined && { days: [dayOf(first), dayOf(last)] }) };
}

/** Lines between turns of the event loop. */
const TURN_EVERY = 100;

/** Reads all anchor files of a folder, and keeps the heads of one workspace. */
class Evidence {
  readonly #folder: string;
  readonly #keys: readonly PublicAuditKey[];
  readonly #workspace: string;
  readonly #heads = new Map<number, string>();
  /** Heads of a number of which another hash is known. */
  readonly #others: Head[] = [];
  readonly #lines = new Map<string, number>();
  readonly #follows: (readonly [by: string, follows: Readonly<Record<string, number>>])[] = [];
  readonly #problems = new Map<string, string>();
  #hasOtherKey = false;
  #isSigned = false;

  constructor(folder: string, keys: readonly PublicAuditKey[], workspace: string) {
    this.#folder = folder;
    this.#keys = keys;
    this.#workspace = workspace;
  }

  async read(): Promise<{ readonly heads: readonly Head[]; readonly anchors: ComparedAnchors }> {
    const files = anchorFiles(this.#folder);
    for (const name of files) await this.#readFile(name);
    if (this.#hasOtherKey && !this.#isSigned) throw otherKey();
    const removed = this.#compareFiles(files);
    const heads = [...[...this.#heads].map(([seq, hash]) => ({ seq, hash })), ...this.#others];
    return { heads, anchors: { ...filesWithDays(files), removed, problems: [...this.#problems.values()] } };
  }

  async #readFile(name: string): Promise<void> {
    let count = 0;
    try {
      for (const text of linesOf(pathIn(this.#folder, name))) {
        const problem = this.#take(name, ++count, openLine(text, this.#keys));
        if (problem !== undefined) return void this.#problems.set(name, `${name}: ${problem}`);
        this.#lines.set(name, count);
        if (count % TURN_EVERY === 0) await setImmediate();
      }
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      this.#problems.set(name, cause.message);
    }
  }

  /** The fault of a line. */
  #take(name: string, count: number, line: ReturnType<typeof openLine>): string | undefined {
    if (typeof line === 'string') {
      this.#hasOtherKey ||= line === 'other key';
      return `the gateway did not sign line ${count}`;
    }
    this.#isSigned = true;
    if (line.file !== name) return `line ${count} is of ${line.file}`;
    if (line.line !== count) return `line ${count} is missing`;
    if (count === 1) this.#follows.push([name, line.follows ?? {}]);
    this.#note(line);
    return undefined;
  }

  #note({ heads }: AnchorLine): void {
    for (const [workspace, seq, hash] of heads) {
      if (workspace !== this.#workspace) continue;
      const known = this.#heads.get(seq);
      if (known === undefined) this.#heads.set(seq, hash);
      else if (known !== hash) this.#others.push({ seq, hash });
    }
  }

  /** Finds files that are missing or were cut. Returns how many are missing that are older than all others. */
  #compareFiles(files: readonly string[]): number {
    const oldest = dayOf(files[0] ?? '');
    const removed = new Set<string>();
    const followed = this.#follows.flatMap(([by, follows]) =>
      Object.entries(follows).map(([name, lines]) => ({ by, name, lines })),
    );
    for (const { by, name, lines } of followed)
      if (files.includes(name)) this.#compareEnd(by, name, lines);
      else if (dayOf(name) < oldest) removed.add(name);
      else this.#problems.set(name, `${name}: it is missing, and ${by} follows it`);
    return removed.size;
  }

  #compareEnd(by: string, name: string, lines: number): void {
    if ((this.#lines.get(name) ?? 0) < lines && !this.#problems.has(name))
      this.#problems.set(name, `${name}: its end is missing; ${by} has seen ${lines} lines`);
  }
}

/** The heads of a workspace in all anchor files of a folder, and what is wrong with the files. */
export function readEvidence(
  folder: string,
  keys: readonly PublicAuditKey[],
  workspace: string,
): ReturnType<Evidence['read']> {
  return new Evidence(folder, keys, workspace).read();
}

export interface EvidenceOptions extends Omit<VerifyOptions, 'anchors' | 'publicKeys'> {
  readonly keys: readonly AuditKey[];
  /** The folder of the anchors. @default none */
  readonly folder: string | undefined;
  /** Begins at the last anchor, and reads the newest files only. @default false */
  readonly isFromAnchors?: boolean;
}

/** Verifies what follows the last anchor of a workspace. */
async function verifyFromLast(
  database: Database,
  workspace: string,
  { folder, ...options }: EvidenceOptions,
): Promise<AuditReport> {
  const publicKeys = options.keys.map((key) => key.public);
  const newest = folder === undefined ? undefined : readNewest(folder, publicKeys);
  const from = newest?.heads.get(workspace);
  if (newest === undefined || from === undefined)
    throw new StoreError('missing', 'No anchor of this workspace is kept: verify the whole chain once.');
  const report = await verifyAudit(database, workspace, { ...options, from, anchors: [from] });
  return { ...report, anchors: { ...filesWithDays([...newest.lines.keys()]), removed: 0, problems: [] } };
}

/** Verifies the stored chain of a workspace against all anchor files of a folder. */
export async function verifyWithAnchors(
  database: Database,
  workspace: string,
  { isFromAnchors = false, ...options }: EvidenceOptions,
): Promise<AuditReport> {
  if (isFromAnchors) return verifyFromLast(database, workspace, options);
  const { folder, ...rest } = options;
  if (folder === undefined) return verifyAudit(database, workspace, rest);
  const publicKeys = rest.keys.map((key) => key.public);
  const { heads, anchors } = await readEvidence(folder, publicKeys, workspace);
  const report = await verifyAudit(database, workspace, { ...rest, anchors: heads });
  if (!report.isWhole || anchors.problems.length === 0) return { ...report, anchors };
  return { isWhole: false, problem: 'anchors', seq: 0, anchors };
}
