import { connect, type Socket } from 'node:net';
import { MAIN } from '../installed.ts';
import { NoDaemonError, socketAddress } from './address.ts';

const START_MS = 10_000;
const POLL_MS = 15;

/** The variables that the local process needs. Those of a server may hold its passwords. */
const KEPT = [
  'HOME',
  'PATH',
  'TMPDIR',
  'LANG',
  'SALLYPORT_STATE',
  'XDG_STATE_HOME',
  'XDG_CONFIG_HOME',
  'NODE_COMPILE_CACHE',
  // Those of the desktop, for notifications.
  'DISPLAY',
  'WAYLAND_DISPLAY',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
];

export interface DaemonPlace {
  readonly state: string;
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

function open(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ path, allowHalfOpen: true });
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}

async function start({ environment }: DaemonPlace): Promise<void> {
  // Loaded here, because hooks connect on every call and start nothing.
  const { spawn } = await import('node:child_process');
  const env = Object.fromEntries(KEPT.map((name) => [name, environment[name]]));
  const child = spawn(process.execPath, [MAIN, 'daemon'], { cwd: '/', detached: true, stdio: 'ignore', env });
  child.on('error', () => undefined);
  child.unref();
}

/** A connection to the local process if it runs. */
export function reach({ state, version }: DaemonPlace): Promise<Socket | undefined> {
  return open(socketAddress(state, version));
}

/** A connection to the local process, which is started if it does not run. */
export async function connectDaemon(place: DaemonPlace): Promise<Socket> {
  const path = socketAddress(place.state, place.version);
  const running = await open(path);
  if (running !== undefined) return running;
  await start(place);
  for (let waited = 0; waited < START_MS; waited += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const socket = await open(path);
    if (socket !== undefined) return socket;
  }
  throw new NoDaemonError(`it did not start within ${START_MS / 1000} s`);
}
