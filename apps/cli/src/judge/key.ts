import { spawn } from 'node:child_process';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPrivate } from '../state.ts';
import { JudgeError } from './answer.ts';
import type { EndpointSetUp } from './set-up.ts';

const [SERVICE, TIMEOUT] = ['sallyport-judge', 10_000];

/** The variables that the program of a keychain needs. The user's others may hold keys. */
const NEEDED = ['HOME', 'PATH', 'LANG', 'USER', 'DISPLAY', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];

type Environment = Readonly<Record<string, string | undefined>>;

/** Where a key is kept: the state folder, and the keychain of this machine. */
export interface KeyPlace {
  readonly stateFolder: string;
  readonly platform: NodeJS.Platform;
  readonly environment: Environment;
}

/** A program of a keychain with its arguments. A key goes through its input: arguments are seen by other users. */
interface Command {
  readonly words: readonly [string, ...string[]];
  readonly input?: string;
}

interface Keychain {
  write(account: string, key: string): Command;
  read(account: string): Command;
  remove(account: string): Command;
}

const KEYCHAINS: Partial<Record<NodeJS.Platform, Keychain>> = {
  darwin: {
    // `security -i` reads commands. A word is quoted with a backslash before `"` and `\`.
    write: (account, key) => ({
      words: ['security', '-i'],
      input: `add-generic-password -U -s ${SERVICE} -a "${quoted(account)}" -w "${quoted(key)}"\n`,
    }),
    read: (account) => ({ words: ['security', 'find-generic-password', '-s', SERVICE, '-a', account, '-w'] }),
    remove: (account) => ({ words: ['security', 'delete-generic-password', '-s', SERVICE, '-a', account] }),
  },
  linux: {
    write: (account, key) => ({
      words: ['secret-tool', 'store', '--label', 'Sallyport: judge', 'service', SERVICE, 'account', account],
      input: key,
    }),
    read: (account) => ({ words: ['secret-tool', 'lookup', 'service', SERVICE, 'account', account] }),
    remove: (account) => ({ words: ['secret-tool', 'clear', 'service', SERVICE, 'account', account] }),
  },
};

function quoted(word: string): string {
  return word.replace(/["\\]/g, '\\$&');
}

/** What the program prints; undefined if it fails or is not there. */
function run(
  { words: [program, ...words], input = '' }: Command,
  environment: Environment,
): Promise<string | undefined> {
  const env = Object.fromEntries(NEEDED.map((name) => [name, environment[name]]));
  return new Promise((resolve) => {
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], env });
    // The option of spawn() keeps this process alive where the program does not exist.
    const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT).unref();
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code === 0 ? text : undefined);
    });
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** The keys of two state folders, such as that of a test, are two. */
function accountOf({ stateFolder }: KeyPlace): string {
  return stateFolder;
}

function fileOf({ stateFolder }: KeyPlace): string {
  return join(stateFolder, 'judge-key');
}

/** Keeps a key in the keychain, or in a file that only the user can read where there is none. Its folder exists. */
export async function keepKey(place: KeyPlace, key: string): Promise<NonNullable<EndpointSetUp['key']>> {
  await removeKey(place);
  const { platform, environment } = place;
  const keychain = KEYCHAINS[platform];
  if (keychain !== undefined) {
    await run(keychain.write(accountOf(place), key), environment);
    // Some keychains say that all is well while they are locked.
    if ((await run(keychain.read(accountOf(place)), environment))?.trim() === key) return 'keychain';
  }
  const temporary = `${fileOf(place)}.${process.pid}`;
  writeFileSync(temporary, `${key}\n`, { mode: 0o600, flag: 'wx' });
  renameSync(temporary, fileOf(place));
  return 'file';
}

export async function removeKey(place: KeyPlace): Promise<void> {
  const keychain = KEYCHAINS[place.platform];
  if (keychain !== undefined) await run(keychain.remove(accountOf(place)), place.environment);
  rmSync(fileOf(place), { force: true });
}

const AGAIN = 'set it up again: sallyport judge set --help';

/** The key that is kept. */
export async function readKey(place: KeyPlace, kept: EndpointSetUp['key']): Promise<string | undefined> {
  if (kept === undefined) return undefined;
  const keychain = KEYCHAINS[place.platform];
  const path = fileOf(place);
  let text: string | undefined;
  if (kept === 'keychain') {
    if (keychain !== undefined) text = await run(keychain.read(accountOf(place)), place.environment);
  } else if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
    checkPrivate(path, 'Then set up the judge again.');
    text = readFileSync(path, 'utf8');
  }
  const key = text?.trim();
  if (key) return key;
  throw new JudgeError(kept === 'file' ? `the key is missing: ${path}` : 'the keychain does not give the key.', AGAIN);
}
