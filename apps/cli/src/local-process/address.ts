import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The path of a socket has at most 108 bytes, 104 on macOS. */
const MAX_PATH = 100;

/** Why the local process cannot be used. The wrapper then works without it. */
export class NoDaemonError extends Error {}

/** A short name for a long path. Hooks load this file on every call, so cryptography is loaded only where it is needed. */
function shortName(text: string): string {
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** A folder that only this user can enter. Otherwise another user could run a process in its place, and read everything. */
function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = lstatSync(path);
  if (stats.isSymbolicLink() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0)
    throw new NoDaemonError(`${path} must be a folder of your own with mode 700`);
  return path;
}

/**
 * The socket of the local process. Each state folder and each version has a process of its own: a process that was started before an
 * update serves the wrappers that it has.
 */
export function socketAddress(state: string, version: string): string {
  if (process.platform === 'win32') throw new NoDaemonError('on Windows a socket cannot be limited to one user');
  const path = join(state, 'daemon', `${version}.sock`);
  if (Buffer.byteLength(path) <= MAX_PATH) {
    ownFolder(join(state, 'daemon'));
    return path;
  }
  return join(
    ownFolder(join(tmpdir(), `sallyport-${process.getuid?.()}`)),
    `${shortName(`${state}\n${version}`)}.sock`,
  );
}
