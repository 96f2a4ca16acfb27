import { StoreError } from '../errors.ts';
import type { Head, PublicAuditKey } from '../links.ts';
import { type AnchorLine, anchorFiles, dayOf, lastLineOf, linesOf, openLine, pathIn } from './anchor-lines.ts';

/** What is known of a chain is in a file of its last day, or of the day before it if no writer has begun another since. */
const DAYS = 2;

/** The last heads that the newest files of a folder know. */
export interface NewestAnchors {
  readonly heads: Map<string, Head>;
  /** The files that were read, and how many lines each of them has. */
  readonly lines: ReadonlyMap<string, number>;
}

const OTHER_KEY =
  'SALLYPORT_KEY does not fit the anchors: set the key of this installation, or set SALLYPORT_ANCHORS to the folder of this one.';

/** The anchors were signed with a key that the gateway does not have. */
export function otherKey(): StoreError {
  return new StoreError('invalid', OTHER_KEY);
}

function refuse(name: string, problem: string): never {
  throw new StoreError('invalid', `The anchor file ${name} ${problem}: restore it from a copy.`);
}

/** The lines of a file from a place on. Throws at the first that does not continue the one before. */
function* readFrom(folder: string, name: string, keys: readonly PublicAuditKey[], from: number): Generator<AnchorLine> {
  let next: number | undefined;
  for (const text of linesOf(pathIn(folder, name), from)) {
    const line = openLine(text, keys);
    if (line === 'other key') throw otherKey();
    if (line === 'unsigned') return refuse(name, 'has a line that the gateway did not sign');
    if (line.file !== name || line.line !== (next ?? line.line)) refuse(name, 'has a line that was moved');
    yield line;
    next = line.line + 1;
  }
}

/** Notes the heads that are newer than those that are known. */
export function noteHeads(known: Map<string, Head>, heads: Iterable<readonly [workspace: string, head: Head]>): void {
  for (const [workspace, { seq, hash }] of heads)
    if (seq > (known.get(workspace)?.seq ?? 0)) known.set(workspace, { seq, hash });
}

/** Reads the files of the last two days, each from its last summary: it takes as long with years of files as with two days. */
export function readNewest(folder: string, keys: readonly PublicAuditKey[]): NewestAnchors {
  const names = anchorFiles(folder);
  const days = [...new Set(names.map(dayOf))].slice(-DAYS);
  const heads = new Map<string, Head>();
  const lines = new Map<string, number>();
  for (const name of names.filter((each) => days.includes(dayOf(each)))) {
    const end = lastLineOf(pathIn(folder, name));
    if (end === undefined) continue;
    const [last] = readFrom(folder, name, keys, end);
    for (const line of readFrom(folder, name, keys, last?.summary.offset ?? 0)) {
      if (!lines.has(name) && line.line !== last?.summary.line) refuse(name, 'has lost a summary');
      noteHeads(
        heads,
        line.heads.map(([workspace, seq, hash]) => [workspace, { seq, hash }]),
      );
      lines.set(name, line.line);
    }
  }
  return { heads, lines };
}
