import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './terminal-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function folderOf(environment: Environment, variable: string, ...otherwise: string[]): string {
  const named = environment[variable];
  return named !== undefined && named !== '' ? named : join(homedir(), ...otherwise);
}

/** Where pins and pending approvals are kept. */
export function stateFolder(environment: Environment = process.env): string {
  const { SALLYPORT_STATE } = environment;
  if (SALLYPORT_STATE !== undefined && SALLYPORT_STATE !== '') return SALLYPORT_STATE;
  if (process.platform === 'win32')
    return join(folderOf(environment, 'LOCALAPPDATA', 'AppData', 'Local'), 'sallyport', 'state');
  return join(folderOf(environment, 'XDG_STATE_HOME', '.local', 'state'), 'sallyport');
}

/** Where the user's own settings are. Never the folder a command is started in: whoever wrote a repository wrote that. */
export function settingsFile(environment: Environment = process.env): string {
  if (process.platform === 'win32')
    return join(folderOf(environment, 'APPDATA', 'AppData', 'Roaming'), 'sallyport', 'sallyport.yaml');
  return join(folderOf(environment, 'XDG_CONFIG_HOME', '.config'), 'sallyport', 'sallyport.yaml');
}

/** A name as that of a file: what could lead elsewhere is encoded. */
export function fileName(name: string): string {
  return `${encodeURIComponent(name).replace(/[.*'()]/g, (each) => `%${each.charCodeAt(0).toString(16)}`)}.json`;
}

export function readJsonFile(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw cause;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${path} is not JSON.`, 'move it away; what it held is asked for again.');
  }
}

/** All or nothing, and only for the user. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

const LOCK_TRIES = 200;
const LOCK_PAUSE = 10;
const LOCK_STALE = 10_000;

export interface LockOptions {
  /** Waits before the next try. @default puts the thread to sleep */
  readonly pause?: (milliseconds: number) => void;
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Alone with a file: two clients may start the same server at once. */
export function locked<T>(path: string, work: () => T, { pause = sleep, clock = Date.now }: LockOptions = {}): T {
  const lock = `${path}.lock`;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 0; ; tries++) {
    try {
      mkdirSync(lock);
      break;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      const now = clock();
      const age = now - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? now);
      if (age > LOCK_STALE) rmSync(lock, { recursive: true, force: true });
      else if (tries >= LOCK_TRIES)
        throw new CommandError(`${lock} is held by somebody else.`, 'remove it if no other sallyport runs.');
      else pause(LOCK_PAUSE);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
