import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export type Loaded =
  | { readonly type: 'loaded'; readonly path: string; readonly text: string }
  | { readonly type: 'absent' }
  | { readonly type: 'unreadable'; readonly reason: string };

export type Written =
  | { readonly type: 'written'; readonly backup: 'kept' | 'removed' | 'none' }
  | { readonly type: 'refused'; readonly reason: string };

/** One change of a file: the text that was read, and the text that the user confirmed. */
export interface Writing {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /**
   * `renew` writes a backup and replaces an existing one; `keep` writes one only if there is none, because a partly wrapped file
   * must not replace the original; `remove` deletes it; `leave` does nothing.
   */
  readonly backup: 'keep' | 'renew' | 'remove' | 'leave';
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left on the device',
  EISDIR: 'it is a folder, not a file',
  ENOENT: 'it no longer exists',
  ELOOP: 'its symbolic links form a loop',
};

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function reasonOf(error: unknown): string {
  const code = codeOf(error);
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error));
}

async function readText(path: string): Promise<string> {
  // Bytes that are not UTF-8 would be replaced when read, and lost when written.
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(path));
}

export function backupOf(path: string): string {
  return `${path}.sallyport-backup`;
}

/** Reads a file and returns its path after following symbolic links, so that writing it does not replace a link. */
export async function load(path: string): Promise<Loaded> {
  try {
    const target = await realpath(path);
    return { type: 'loaded', path: target, text: await readText(target) };
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { type: 'absent' };
    const isText = code !== 'ERR_ENCODING_INVALID_ENCODED_DATA';
    return { type: 'unreadable', reason: isText ? reasonOf(error) : 'it is not valid UTF-8' };
  }
}

/**
 * Replaces a file atomically: a concurrent reader gets the old text or the new one. The new file has the mode and, if the system
 * allows it, the owner of `model`, because configurations contain secrets. `isUnchanged` is called directly before the rename.
 */
async function replace(
  path: string,
  text: string,
  model: string,
  isUnchanged: () => Promise<boolean>,
): Promise<boolean> {
  const { mode, uid, gid } = await stat(model);
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      // Only root may change the owner; without that, the file belongs to the user who runs the command.
      await file.chown(uid, gid).catch(() => undefined);
      await file.chmod(mode & 0o7777);
      await file.sync();
    } finally {
      await file.close();
    }
    const isReplaced = await isUnchanged();
    if (isReplaced) await rename(temporary, path);
    return isReplaced;
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
  const isNeeded = backup === 'renew' || (backup === 'keep' && !(await exists(backupOf(path))));
  if (isNeeded) await replace(backupOf(path), before, path, async () => true);
}

async function finishBackup({ path, backup }: Writing): Promise<'kept' | 'removed' | 'none'> {
  if (!(await exists(backupOf(path)))) return 'none';
  if (backup !== 'remove') return 'kept';
  await rm(backupOf(path));
  return 'removed';
}

/** Writes a file that does not exist yet. */
export async function createFile(path: string, text: string): Promise<Written> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return { type: 'written', backup: 'none' };
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) };
  }
}

/** Deletes a file that only held what was removed, unless it has changed since it was read. Then deletes its folders if they are empty. */
export async function deleteFile(path: string, before: string, folders: readonly string[] = []): Promise<Written> {
  try {
    if ((await readText(path)) !== before)
      return { type: 'refused', reason: 'it has changed since it was read, possibly by a running client' };
    await rm(path);
    // A folder that is not empty stays, and so does the one around it.
    for (const folder of folders) await rmdir(folder).catch(() => undefined);
    return { type: 'written', backup: 'none' };
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) };
  }
}

/** Writes the confirmed text, unless the file has changed since it was read. */
export async function store(writing: Writing): Promise<Written> {
  const { path, before, after } = writing;
  const isUnchanged = async (): Promise<boolean> => (await readText(path)) === before;
  try {
    // A rename would bypass the write protection of the file itself.
    await access(path, constants.W_OK);
    if (await isUnchanged()) {
      await makeBackup(writing);
      if (await replace(path, after, path, isUnchanged))
        return { type: 'written', backup: await finishBackup(writing) };
    }
    return { type: 'refused', reason: 'it has changed since it was read, possibly by a running client' };
  } catch (error) {
    return { type: 'refused', reason: reasonOf(error) };
  }
}
