import { serverAddress } from '../../address.ts';
import type { Io } from '../../io.ts';
import { CommandError } from '../../terminal-text.ts';
import type { RunningServer } from '../child.ts';
import { bytesOf } from '../remote/bytes-of.ts';
import { staticHeaders } from '../remote/headers.ts';
import { openRemote } from '../remote/remote.ts';
import { LoginCredentials } from './credentials.ts';

export interface RemoteOptions {
  readonly header?: readonly string[];
  readonly headerEnv?: readonly string[];
}

/** Opens the server at an address, with the user's credentials. */
export function openServer(
  io: Io,
  words: readonly string[],
  { header = [], headerEnv = [] }: RemoteOptions,
): RunningServer {
  const [address = '', ...others] = words;
  if (others.length > 0)
    throw new CommandError('there are words after the address of the server.', 'put options before the address.', 2);
  const url = serverAddress(address);
  const headers = staticHeaders(header, headerEnv, io.environment);
  return bytesOf(openRemote(url, new LoginCredentials(url, headers, io)));
}
