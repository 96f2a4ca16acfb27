import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { platformSignal } from '@sallyport/core/adapter';
import { CommandError } from '../terminal-text.ts';
import { type AskModel, JudgeError } from './answer.ts';
import { CLIENT_WAYS, readOutput } from './clients.ts';
import type { Client, ClientSetUp } from './set-up.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_LENGTH = 1_000_000;

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The path of a client's program, as `PATH` says now. Folders without a full path depend on where the command runs. */
export function programOf(client: Client, { PATH = '' }: Environment): string {
  const { program } = CLIENT_WAYS[client];
  const names = process.platform === 'win32' ? [`${program}.exe`] : [program];
  const folders = PATH.split(delimiter).filter((folder) => isAbsolute(folder));
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram);
  if (found !== undefined) return found;
  throw new CommandError(`there is no ${program} in your PATH.`, `install it, or use --endpoint.`);
}

/**
 * Clients read files that a prompt names after `@`, and skills after `$`. A value of the call could name a text for the judge to read,
 * so both are written as escapes: the question is JSON.
 */
function withoutMentions(content: string): string {
  return content.replaceAll('@', '\\u0040').replaceAll('$', '\\u0024');
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** Ends a client with all that it has started. */
function end(child: Child): void {
  try {
    if (process.platform !== 'win32' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

interface Started {
  readonly child: Child;
  readonly client: Client;
  readonly content: string;
  readonly signal: AbortSignal;
}

function outputOf({ child, client, content, signal }: Started): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    let output = '';
    const stop = (cause: unknown): void => {
      reject(cause);
      end(child);
    };
    const abort = (): void => stop(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.length > MAX_LENGTH) stop(new JudgeError(`${client} prints too much.`, 'use --endpoint.'));
    });
    child.on('error', () => reject(new JudgeError(`${client} cannot be started.`, 'set up the judge again.')));
    child.on('close', (code) => {
      signal.removeEventListener('abort', abort);
      resolve({ code, output });
    });
    child.stdin.on('error', () => undefined).end(withoutMentions(content));
  });
}

/**
 * Asks the model of a coding agent's client, in its print mode: in an empty folder, without its tools, hooks, memory files, plugins and
 * MCP servers. It makes no calls, so no hook can ask the judge about them.
 */
export function clientModel({ client, program, model }: ClientSetUp, environment: Environment): AskModel {
  return async ({ system, content, schema, signal: given }) => {
    const signal = platformSignal<AbortSignal>(given ?? new AbortController().signal);
    signal.throwIfAborted();
    const folder = mkdtempSync(join(realpathSync(tmpdir()), 'sallyport-judge-'));
    try {
      const question = { system, ...(schema !== undefined && { schema }), model, folder, environment };
      const { words, environment: env } = CLIENT_WAYS[client].start(question);
      const cwd = join(folder, 'empty');
      mkdirSync(cwd);
      const options = { cwd, env, detached: process.platform !== 'win32', windowsHide: true } as const;
      const child = spawn(program, words, { ...options, stdio: ['pipe', 'pipe', 'ignore'] });
      const { code, output } = await outputOf({ child, client, content, signal });
      return readOutput(client, code, output);
    } finally {
      // What the client still writes after it was stopped is of no use.
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };
}
