import type { Socket } from 'node:net';
import type { WrapRequest } from './request.ts';

/**
 * The first line that a wrapper sends on a connection. A wrapper opens three: one to be told what to do, and one each
 * for the bytes of its client and of its server. So a slow server never blocks the client.
 */
export type Hello =
  | ({ readonly type: 'wrap'; readonly pid: number; readonly conversation?: string } & WrapRequest)
  | { readonly type: 'client' | 'server'; readonly id: string }
  /** An event of a host's hook. It is answered in one line. */
  | { readonly type: 'hook'; readonly pid: number; readonly host: string; readonly event: unknown }
  | { readonly type: 'stop' };

/** A later message of a wrapper: a remote server did not answer a request. */
export interface Failed {
  readonly type: 'failed';
  readonly id: string | number;
  readonly message: string;
}

/** The local process's messages to a wrapper, one line each. */
export type Notice =
  | { readonly type: 'ready'; readonly id: string }
  | { readonly type: 'refused'; readonly message: string; readonly next: string; readonly exitCode: number }
  | { readonly type: 'stderr'; readonly text: string }
  | { readonly type: 'kill'; readonly signal: NodeJS.Signals }
  /** The server has ended, and everything that it said was passed on. */
  | { readonly type: 'done' };

export function sendLine(socket: Socket, message: Hello | Failed | Notice): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** More than the largest event of a hook. */
const MAX_LINE = 40_000_000;

/** Reads the first line of a connection, and leaves the rest. Undefined if there is none. */
export function firstLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let read = Buffer.alloc(0);
    const settle = (line: string | undefined): void => {
      socket.off('data', take).off('end', end).off('close', end).pause();
      resolve(line);
    };
    const end = (): void => settle(undefined);
    const take = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const at = read.indexOf('\n');
      if (at < 0 && read.length > MAX_LINE) socket.destroy();
      if (at < 0) return;
      settle(read.toString('utf8', 0, at));
      if (at + 1 < read.length) socket.unshift(read.subarray(at + 1));
    };
    // Sockets stay half open, so a peer that leaves only ends its side.
    socket.on('data', take).on('end', end).on('close', end);
  });
}
