import type { Socket } from 'node:net';

/**
 * The messages between the gateway and the launcher, over a Unix socket. A connection is one question, or one child:
 * the gateway sends a line, the launcher answers with a line. If a child was started, all that follows is its standard
 * input and output, and closing the connection ends it.
 */
export interface LaunchRequest {
  /** The version of this protocol. */
  readonly launch: 1;
  readonly command: string;
  /** Absent: only describe the command. */
  readonly start?: {
    /** A workspace that may use the command, by its name; `*` if all may. */
    readonly workspace: string;
    /** The gateway's view of the command. Another value means that the setting has changed. */
    readonly stateless: boolean;
  };
}

export type LaunchAnswer =
  | { readonly type: 'command'; readonly workspaces: readonly string[]; readonly stateless: boolean }
  | { readonly type: 'started' }
  /** `unknown`: no such command for the workspace. `changed`: its setting is another one. `full`: no more children. `failed`: it did not start. */
  | { readonly type: 'refused'; readonly reason: 'unknown' | 'changed' | 'full' | 'failed' };

const MAX_LINE = 64 * 1024;
const NEW_LINE = 10;

/** Reads the first line. What follows it stays in the socket, which is paused. */
export function readFirstLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let read = Buffer.alloc(0);
    const leave = (): void => {
      socket.off('data', take).off('error', reject).off('close', closed);
      socket.pause();
    };
    const closed = (): void => reject(new Error('The connection was closed.'));
    const take = (chunk: Buffer): void => {
      read = Buffer.concat([read, chunk]);
      const end = read.indexOf(NEW_LINE);
      if (end < 0 && read.length <= MAX_LINE) return;
      leave();
      if (end < 0) {
        reject(new Error('The first line is too long.'));
        return;
      }
      if (end + 1 < read.length) socket.unshift(read.subarray(end + 1));
      resolve(read.toString('utf8', 0, end));
    };
    socket.on('data', take).on('error', reject).on('close', closed);
  });
}
