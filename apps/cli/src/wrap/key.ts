import { randomBytes } from 'node:crypto';
import { CommandError } from '../terminal-text.ts';
import { bytesOf, HEX, KEY_BYTES, userKey } from '../user-key.ts';

/** The keys of one wrapper. */
export interface WrapKeys {
  /** For results: new in each process, so that a code that became known in one session is of no use in the next. */
  readonly key: Uint8Array;
  /** For definitions: the user's own, so that listings are the same bytes after a restart. */
  readonly definitionsKey: Uint8Array;
}

/** The keys of this process. `SALLYPORT_KEY` replaces both, for a host that shares it. */
export function wrapKeys(folder: string, given: string | undefined): WrapKeys {
  if (given === undefined || given === '') return { key: randomBytes(KEY_BYTES), definitionsKey: userKey(folder) };
  if (!HEX.test(given))
    throw new CommandError(
      `SALLYPORT_KEY must be 64 or more hexadecimal digits; received ${given.length} characters.`,
      'create one with: openssl rand -hex 32',
      2,
    );
  return { key: bytesOf(given), definitionsKey: bytesOf(given) };
}
