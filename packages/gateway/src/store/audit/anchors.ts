import { accessSync, constants, mkdirSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { StoreError } from '../errors.ts';
import type { Checkpoint, Head, PublicAuditKey } from '../links.ts';

/** Where heads of chains are kept outside of the database, so that the database cannot be set back unnoticed. */
export interface AnchorStore {
  /** Keeps signed heads. What was kept must never be changed or removed. */
  publish(heads: ReadonlyMap<string, Checkpoint>): Promise<void>;
  /** The last head of a workspace that was kept before this process began; undefined if there is none. */
  last(workspace: string): Head | undefined;
}

/** A line of an anchor file. */
interface AnchorLine extends Checkpoint {
  readonly workspace: string;
  readonly at: number;
}

function readLine(text: string): AnchorLine | undefined {
  try {
    const line = JSON.parse(text) as AnchorLine;
    return typeof line.workspace === 'string' && Number.isSafeInteger(line.seq) ? line : undefined;
  } catch {
    return undefined;
  }
}

const NOT_SIGNED = 'The anchor file has a line that the gateway did not sign: restore it from a copy.';
const OTHER_KEY =
  'SALLYPORT_KEY does not fit the anchor file, because it has signed no line of it: set the key of this installation, or set SALLYPORT_ANCHORS to the file of this one.';

/** The heads in the text of an anchor file that one of these keys has signed, by workspace and in their order. */
function readAnchors(text: string, keys: readonly PublicAuditKey[]): ReadonlyMap<string, readonly Checkpoint[]> {
  const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [readLine(line)]));
  const isSigned = (line: AnchorLine): boolean => keys.some((key) => key.hasSigned(line.workspace, line));
  const heads = new Map<string, Checkpoint[]>();
  for (const line of lines) {
    if (line === undefined) throw new StoreError('invalid', NOT_SIGNED);
    if (!isSigned(line))
      throw new StoreError('invalid', lines.some((each) => each && isSigned(each)) ? NOT_SIGNED : OTHER_KEY);
    const { workspace, seq, hash, kind, signature } = line;
    const own = heads.get(workspace) ?? [];
    own.push({ seq, hash, kind, signature });
    heads.set(workspace, own);
  }
  return heads;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return '';
    throw new StoreError('invalid', `The anchor file ${path} cannot be read: check its permissions.`, { cause });
  }
}

/** The heads of a workspace in an anchor file; none if there is no file. */
export function anchoredHeads(
  path: string | undefined,
  keys: readonly PublicAuditKey[],
  workspace: string,
): readonly Checkpoint[] {
  return path === undefined ? [] : (readAnchors(textOf(path), keys).get(workspace) ?? []);
}

function makeFolder(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    accessSync(dirname(path), constants.W_OK);
  } catch (cause) {
    throw new StoreError(
      'invalid',
      `The anchor file ${path} cannot be written: set SALLYPORT_ANCHORS to a file on another disk than the database, or to off.`,
      { cause },
    );
  }
}

/** Heads could not be kept. The message has the path that the operator has set, and no content. */
export class AnchorFailure extends Error {
  override readonly name = 'AnchorFailure';
  readonly code: string;

  constructor(path: string, cause: unknown) {
    const { code } = cause as { code?: unknown };
    const known = typeof code === 'string' ? code : 'unknown';
    super(
      `The anchor file ${path} cannot be written (${known}): let the user that runs the gateway write to it, such as with chown. It is tried again each minute, and /ready is 503 until then.`,
      { cause },
    );
    this.code = known;
  }
}

/** Keeps heads in a file: one line for each, which is only ever appended to. */
export function fileAnchors(path: string, keys: readonly PublicAuditKey[]): AnchorStore {
  makeFolder(path);
  const before = readAnchors(textOf(path), keys);
  return {
    async publish(heads) {
      const at = Date.now();
      const lines = [...heads].map(([workspace, head]) => `${JSON.stringify({ workspace, ...head, at })}\n`);
      if (lines.length === 0) return;
      await appendFile(path, lines.join(''), { flush: true }).catch((cause: unknown) => {
        throw new AnchorFailure(path, cause);
      });
    },
    last: (workspace) => before.get(workspace)?.at(-1),
  };
}
