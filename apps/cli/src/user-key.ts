import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPrivate, withLock } from './state.ts';
import { CommandError } from './terminal-text.ts';

export const KEY_BYTES = 32;
export const HEX: RegExp = /^[0-9a-f]{64,}$/i;

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

/** Creates the file if it does not exist. */
function create(path: string): void {
  withLock(path, () => {
    if (statSync(path, { throwIfNoEntry: false }) !== undefined) return;
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, `${randomBytes(KEY_BYTES).toString('hex')}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  });
}

/** The user's key, kept in the state folder. It is created if there is none. */
export function userKey(folder: string): Uint8Array {
  const path = join(folder, 'key');
  if (statSync(path, { throwIfNoEntry: false }) === undefined) create(path);
  // Others who can read it could write text that ends a frame.
  checkPrivate(path, 'A new key is then created.');
  const text = readFileSync(path, 'utf8').trim();
  if (!HEX.test(text))
    throw new CommandError(
      `${path} is not a key of 64 hexadecimal digits.`,
      `remove it: rm "${path}". A new key is then created.`,
    );
  return bytesOf(text);
}
