import { version } from '../installed.ts';
import { NoDaemonError } from '../local-process/address.ts';
import { connectDaemon } from '../local-process/connect.ts';
import { firstLine, sendLine } from '../local-process/wire.ts';
import { stateFolder } from '../state.ts';
import type { HookAnswer, HookEvent, Host } from './event.ts';

/** Lets the local process decide. */
async function judgeThroughDaemon(host: Host, event: HookEvent): Promise<HookAnswer> {
  const socket = await connectDaemon({ state: stateFolder(), version, environment: process.env });
  sendLine(socket, { type: 'hook', pid: process.pid, host, event });
  const line = await firstLine(socket);
  socket.destroy();
  if (line === undefined) throw new Error('The local process ended before it answered.');
  const { answer, failed } = JSON.parse(line) as { readonly answer?: HookAnswer; readonly failed?: string };
  if (answer === undefined) throw new Error(failed ?? 'The local process gave no answer.');
  return answer;
}

/** Decides about an event in this process. What decides is loaded only here. */
async function judgeHere(host: Host, event: HookEvent): Promise<HookAnswer> {
  const [{ HookSessions }, { notifier }] = await Promise.all([import('./sessions.ts'), import('../notify.ts')]);
  const notify = notifier({ platform: process.platform, environment: process.env });
  return new HookSessions({ stateFolder: stateFolder(), environment: process.env, notify }).handle(host, event);
}

/** Decides about an event: in the local process, or in this one where that cannot be used. */
export async function judge(host: Host, event: HookEvent): Promise<HookAnswer> {
  if (process.env.SALLYPORT_DAEMON === 'off') return judgeHere(host, event);
  try {
    return await judgeThroughDaemon(host, event);
  } catch (cause) {
    if (!(cause instanceof NoDaemonError)) throw cause;
    return judgeHere(host, event);
  }
}

/** Keeps that the model has read something which could not be checked. */
export async function keepLoss(host: Host, session: string): Promise<void> {
  const { SessionLog } = await import('./session-log.ts');
  new SessionLog(stateFolder(), host, session).keepLoss();
}
