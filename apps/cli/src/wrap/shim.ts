import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';
import type { Io } from '../io.ts';
import { NoDaemonError } from '../local-process/address.ts';
import { connectDaemon, type DaemonPlace } from '../local-process/connect.ts';
import { eachMessage } from '../local-process/lines.ts';
import type { WrapRequest } from '../local-process/request.ts';
import { type Notice, sendLine } from '../local-process/wire.ts';
import { CommandError } from '../terminal-text.ts';
import type { RunningServer, Start, Streams } from './child.ts';

const LOST_CODE = 1;

/** Calls `onNotice` with each line of the local process. The first one is returned. */
function notices(control: Socket, onNotice: (notice: Notice) => void): Promise<Notice> {
  return new Promise((resolve, reject) => {
    let isFirst = true;
    const take = (notice: Notice): void => {
      if (isFirst) resolve(notice);
      else onNotice(notice);
      isFirst = false;
    };
    eachMessage(control, take, () => reject(new NoDaemonError('it ended before it answered')));
  });
}

async function joined(place: DaemonPlace, type: 'client' | 'server', id: string): Promise<Socket> {
  const socket = await connectDaemon(place);
  sendLine(socket, { type, id });
  return socket;
}

/** The two connections for bytes, after the local process has accepted the server. */
async function opened(
  io: Io,
  place: DaemonPlace,
  request: WrapRequest,
  control: Socket,
  first: Promise<Notice>,
): Promise<readonly [client: Socket, server: Socket]> {
  const { SALLYPORT_CONVERSATION: conversation = '' } = io.environment;
  sendLine(control, { type: 'wrap', pid: process.pid, conversation, ...request });
  const answer = await first;
  if (answer.type === 'refused') throw new CommandError(answer.message, answer.next, answer.exitCode);
  if (answer.type !== 'ready') throw new NoDaemonError('it answered something unexpected');
  return Promise.all([joined(place, 'client', answer.id), joined(place, 'server', answer.id)]);
}

/**
 * Passes the bytes of the client and of the server through the local process, which does all the work. Throws `NoDaemonError` if it
 * cannot be used, before the server is started.
 */
export async function wrapThroughDaemon(
  io: Io,
  place: DaemonPlace,
  request: WrapRequest,
  start: Start,
  { input, output }: Streams,
): Promise<number> {
  const control = await connectDaemon(place);
  const sockets = [control];
  try {
    let server: RunningServer | undefined;
    let isDone = false;
    const first = notices(control, (notice) => {
      if (notice.type === 'stderr') io.stderr(notice.text);
      else if (notice.type === 'kill') server?.kill(notice.signal);
      else if (notice.type === 'done') isDone = true;
    });
    const [clientSide, serverSide] = await opened(io, place, request, control, first);
    sockets.push(clientSide, serverSide);
    const running = await start();
    server = running;
    running.onFailed?.((failed) => sendLine(control, { type: 'failed', ...failed }));
    input.pipe(clientSide).pipe(output);
    running.output.pipe(serverSide).pipe(running.input);
    // Without the local process nothing is checked, so nothing is passed on.
    const released = new Promise<void>((resolve) => {
      const release = (): void => {
        if (!isDone) running.kill('SIGTERM');
        resolve();
      };
      control.once('end', release).once('close', release);
    });
    // The connection for notices says how it ended.
    for (const socket of sockets) socket.on('error', () => undefined);
    // The client reads no more.
    output.on('error', () => clientSide.destroy());
    const answered = finished(clientSide, { writable: false }).catch(() => undefined);
    await released;
    if (isDone) await answered;
    else io.stderr('sallyport: the local process stopped, and this server with it. Restart the server.\n');
    input.destroy();
    return isDone ? await running.ended : LOST_CODE;
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}
