import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../errors.ts';
import type { AuditKey, PublicAuditKey } from '../links.ts';

/** A head of a workspace's chain. */
type AnchorHead = readonly [workspace: string, seq: number, hash: string];

/** A line of an anchor file. It names its file and its number, so that no line can be moved. */
export interface AnchorLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly at: number;
  /** The last line that has all heads, which may be this one, and where it begins, in bytes. */
  readonly summary: { readonly line: number; readonly offset: number };
  /** In the first line: the files that were read before, and how many lines each of them had. */
  readonly follows?: Readonly<Record<string, number>>;
  readonly heads: readonly AnchorHead[];
}

/** Why a line was not believed: it names another key than these, or its key has not signed what it says. */
export type LineProblem = 'other key' | 'unsigned';

const SEAL = ',"signature":"';
const SEAL_LENGTH = SEAL.length + 128 + '"}'.length;

/** A line with its signature, as it is written. */
export function sealLine(key: AuditKey, line: AnchorLine): Buffer {
  const body = JSON.stringify({ key: key.public.text, ...line });
  return Buffer.from(`${body.slice(0, -1)}${SEAL}${key.signAnchors(body)}"}\n`);
}

/** The contents of a line, if one of these keys has signed it. */
export function openLine(text: string, keys: readonly PublicAuditKey[]): AnchorLine | LineProblem {
  const [, name] = /^\{"key":"([0-9a-f]{64})"/.exec(text) ?? [];
  const key = keys.find((each) => each.text === name);
  if (key === undefined) return name === undefined ? 'unsigned' : 'other key';
  const body = `${text.slice(0, -SEAL_LENGTH)}}`;
  const signature = text.slice(SEAL.length - SEAL_LENGTH, -'"}'.length);
  return key.hasSignedAnchors(body, signature) ? (JSON.parse(body) as AnchorLine) : 'unsigned';
}

const NAME = /^(\d{4}-\d\d-\d\d)\.[0-9a-f]{8}\.jsonl$/;

/** The day with which an ISO time begins, or the name of an anchor file. */
export function dayOf(name: string): string {
  return name.slice(0, '2026-01-01'.length);
}

const ADVICE: Readonly<Record<string, string>> = {
  EACCES: 'let the user that runs the gateway read it',
  EPERM: 'let the user that runs the gateway read it',
  ENOTDIR: 'SALLYPORT_ANCHORS must be a folder',
  EIO: 'check its disk',
};

function unreadable(path: string, cause: unknown): StoreError {
  const code = String((cause as { code?: unknown }).code ?? 'unknown');
  return new StoreError(
    'invalid',
    `The anchors in ${path} cannot be read (${code}): ${ADVICE[code] ?? 'check the path and its disk'}.`,
    { cause },
  );
}

/** The names of the anchor files in a folder, by day. A folder that does not exist has none. */
export function anchorFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => NAME.test(name))
      .sort();
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ENOENT') return [];
    throw unreadable(folder, cause);
  }
}

const CHUNK = 65_536;
/** A summary of half a million workspaces. */
const MAX_LINE = 64 * 1024 * 1024;
const NEWLINE = 10;

function ensureLength(path: string, length: number): void {
  if (length > MAX_LINE)
    throw new StoreError(
      'invalid',
      `The anchor file ${path} has a line of more than ${MAX_LINE} bytes, which no gateway has written: restore it from a copy.`,
    );
}

/** Does some work on a file, and says which file it is if that fails. */
function withPath<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw cause instanceof StoreError ? cause : unreadable(path, cause);
  }
}

/** The part of a file from one place on, up to another or for one chunk. */
function chunkAt(file: number, from: number, to: number = from + CHUNK): Buffer {
  const chunk = Buffer.alloc(to - from);
  return chunk.subarray(0, readSync(file, chunk, 0, chunk.length, from));
}

/** Where the last newline before a place is; -1 if there is none. */
function newlineBefore(path: string, file: number, before: number): number {
  for (let to = before; to > 0; to = Math.max(0, to - CHUNK)) {
    const from = Math.max(0, to - CHUNK);
    const at = chunkAt(file, from, to).lastIndexOf(NEWLINE);
    if (at !== -1) return from + at;
    ensureLength(path, before - from);
  }
  return -1;
}

/** Where the last complete line of a file begins; undefined if there is none. What follows it was never kept. */
export function lastLineOf(path: string): number | undefined {
  return withPath(path, () => {
    const file = openSync(path, 'r');
    try {
      const end = newlineBefore(path, file, fstatSync(file).size);
      return end === -1 ? undefined : newlineBefore(path, file, end) + 1;
    } finally {
      closeSync(file);
    }
  });
}

/** The chunks of a file, from a place on. */
function* chunksOf(path: string, from: number): Generator<Buffer> {
  const file = withPath(path, () => openSync(path, 'r'));
  try {
    let at = from;
    for (;;) {
      const chunk = withPath(path, () => chunkAt(file, at));
      if (chunk.length === 0) return;
      at += chunk.length;
      yield chunk;
    }
  } finally {
    closeSync(file);
  }
}

/** The complete lines of a file, from a place on. They are read in chunks. */
export function* linesOf(path: string, from = 0): Generator<string> {
  let parts: Buffer[] = [];
  let length = 0;
  for (const chunk of chunksOf(path, from)) {
    let begin = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, begin)) {
      yield Buffer.concat([...parts, chunk.subarray(begin, end)]).toString('utf8');
      begin = end + 1;
      parts = [];
      length = 0;
    }
    parts.push(chunk.subarray(begin));
    length += chunk.length - begin;
    ensureLength(path, length);
  }
}

/** The path of an anchor file. */
export function pathIn(folder: string, name: string): string {
  return join(folder, name);
}
