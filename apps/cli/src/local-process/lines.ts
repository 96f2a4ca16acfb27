import type { Socket } from 'node:net';
import { createInterface } from 'node:readline';

/**
 * Calls `onMessage` with the JSON of every further line of a connection, and `onEnd` after the last. A line that is not JSON ends the
 * connection.
 */
export function eachMessage<Message>(
  socket: Socket,
  onMessage: (message: Message) => void,
  onEnd: () => void = () => undefined,
): void {
  const take = (line: string): void => {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      return void socket.destroy();
    }
    onMessage(message);
  };
  createInterface({ input: socket })
    .on('line', take)
    .on('close', onEnd)
    // The connection broke: it ends too.
    .on('error', onEnd);
}
