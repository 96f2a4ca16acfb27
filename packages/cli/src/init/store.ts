import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export type Loaded =
  | { readonly type: 'loaded'; readonly path: string; readonly text: string }
  | { readonly type: 'absent' }
  | { readonly type: 'unreadable'; readonly reason: string };

export type Written =
  | { readonly type: 'written'; readonly backup: 'kept' | 'removed' | 'none' }
  | { readonly type: 'refused'; readonly reason: string };

/** One change of a file: from the text that was shown to the text that was confirmed. */
export interface Writing {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /**
   * `renew` writes a backup, in place of any that is there; `keep` only where there is none, since a file that is wrapped in part
   * must not take the place of one from before; `remove` takes it away; `leave` does none of this.
   */
  readonly backup: 'keep' | 'renew' | 'remove' | 'leave';
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EISDIR: 'it is a folder',
  ENOENT: 'it is not there any more',
  ELOOP: 'its links lead back to themselves',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

async function readText(path: string): Promise<string> {
  // Bytes that are not UTF-8 would be replaced on reading, and so be lost on writing.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
}

export function backupOf(path: string): string {
  return `${path}.sallyport-backup`;
}

/** Reads a file, by the path it has once all links are followed: a link is to stay one. */
export async function load(path: string): Promise<Loaded> {
  try {
    const target = await realpath(path);
    return { type: 'loaded', path: target, text: await readText(target) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'absent' };
    const isText = code !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
    return { type: 'unreadable', reason: isText ? reasonOf(error) : 'it is not UTF-8' };
  }
}

/**
 * Puts a whole file in place at once: who reads it meanwhile gets the old one or the new one. It has the mode and, where that is
 * allowed, the owner of the file that it stands in for: configurations hold secrets. `isStill` is asked at the last moment.
 */
async function replace(path: string, text: string, like: string, isStill: () => Promise<boolean>): Promise<boolean> {
  const { mode, uid, gid } = await stat(like);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      await file.chown(uid, gid).catch(() => undefined);
      await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    const isSame = await isStill();
    if (isSame) await rename(temporary, path);
    return isSame;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function makeBackup({ path, before, backup }: Writing): Promise<void> {
  const isWanted = backup === 'renew' || (backup === 'keep' && !(await exists(backupOf(path))));
  if (isWanted) await replace(backupOf(path), before, path, async () => true);
}

async function settleBackup({ path, backup }: Writing): Promise<'kept' | 'removed' | 'none'> {
  if (!(await exists(backupOf(path)))) return 'none';
  if (backup !== 'remove') return 'kept';
  await rm(backupOf(path));
  return 'removed';
}

/** Writes what was confirmed, unless the file is no longer the one that was shown. */
export async function store(writing: Writing): Promise<Written> {
  const { path, before, after } = writing;
  const isShown = async (): Promise<boolean> => (await readText(path)) === before;
  try {
    // A rename would get round a file's own protection.
    await access(path, constants.W_OK);
    if (await isShown()) {
      await makeBackup(writing);
      if (await replace(path, after, path, isShown)) return { type: 'written', backup: await settleBackup(writing) };
    }
    return { type: 'refused', reason: 'it has changed since it was read, perhaps by a client that is running' };
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) };
  }
}
