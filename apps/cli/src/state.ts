import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError } from './terminal-text.ts';

type Environment = Readonly<Record<string, string | undefined>>;

function folderOf(environment: Environment, variable: string, ...otherwise: string[]): string {
  const named = environment[variable];
  return named !== undefined && named !== '' ? named : join(homedir(), ...otherwise);
}

/** The folder that holds pins and pending approvals. */
export function stateFolder(environment: Environment = process.env): string {
  const { SALLYPORT_STATE } = environment;
  if (SALLYPORT_STATE !== undefined && SALLYPORT_STATE !== '') return SALLYPORT_STATE;
  if (process.platform === 'win32')
    return join(folderOf(environment, 'LOCALAPPDATA', 'AppData', 'Local'), 'sallyport', 'state');
  return join(folderOf(environment, 'XDG_STATE_HOME', '.local', 'state'), 'sallyport');
}

/** The folder of the logins at remote servers. */
export function loginFolder(environment: Environment = process.env): string {
  return environment.SALLYPORT_LOGINS || join(stateFolder(environment), 'logins');
}

/** The user's own settings file. Never one in the working folder: the author of a repository could write that file. */
export function settingsFile(environment: Environment = process.env): string {
  if (process.platform === 'win32')
    return join(folderOf(environment, 'APPDATA', 'AppData', 'Roaming'), 'sallyport', 'sallyport.yaml');
  return join(folderOf(environment, 'XDG_CONFIG_HOME', '.config'), 'sallyport', 'sallyport.yaml');
}

/** A file name made from any name: characters that could lead to another folder are encoded. */
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
    throw new CommandError(`${path} is not valid JSON.`, 'move it to another place; a new file is then created.');
  }
}

/** Replaces the file atomically. Only the user can read it. */
export function writeJsonFile(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, path);
}

/** Refuses a file of secrets that belongs to or can be read by another user. `then` says what happens after its removal. */
export function checkPrivate(path: string, then: string): void {
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  if (uid !== process.getuid?.())
    throw new CommandError(`${path} belongs to another user.`, `remove it: rm "${path}". ${then}`);
  if ((mode & 0o077) !== 0)
    throw new CommandError(
      `${path} can be used by other users: its mode is ${(mode & 0o777).toString(8)}.`,
      `run: chmod 600 "${path}"`,
    );
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

/** Runs `work` while it holds the lock of a file: two clients may start the same server at once. */
export function withLock<T>(path: string, work: () => T, { pause = sleep, clock = Date.now }: LockOptions = {}): T {
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
        throw new CommandError(
          `another process holds the lock ${lock}.`,
          'wait and try again; remove the lock if no other sallyport is running.',
        );
      else pause(LOCK_PAUSE);
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}
