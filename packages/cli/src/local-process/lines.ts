import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Calls `onLine` with every further line of a connection, and `onEnd` after the last. */
export function eachLine(socket: Socket, onLine: (line: string) => void, onEnd: () => void = () => undefined): void {
  createInterface({ input: socket })
    .on('line', onLine)
    .on('close', onEnd)
    // The connection broke: it ends too.
    .on('error', onEnd);
}
