import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fieldsOf } from '@sallyport/core/adapter';
import { loginFolder } from '../state.ts';
import type { StartCommand } from './own-servers.ts';

/** The result of starting a server and listing its tools. */
export type Tried =
  | { readonly type: 'starts'; readonly tools: number; readonly milliseconds: number }
  | { readonly type: 'fails'; readonly reason: string };

const GRACE_MS = 5000;
const INITIALIZE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'sallyport doctor', version: '1' },
};

/** Ends the server: first by the end of its input, then by signals. */
async function end(child: ChildProcessWithoutNullStreams, closed: Promise<unknown>): Promise<void> {
  child.stdin.end();
  const signals = (['SIGTERM', 'SIGKILL'] as const).map((signal, index) =>
    setTimeout(() => child.kill(signal), GRACE_MS * (index + 1)),
  );
  await closed;
  for (const signal of signals) clearTimeout(signal);
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // A client ignores such a line.
    return undefined;
  }
}

/** Asks the server for its tools. Resolves with their number. */
async function toolsOf(child: ChildProcessWithoutNullStreams, signal: AbortSignal): Promise<number> {
  const lines = createInterface({ input: child.stdout, signal });
  const send = (message: object): unknown => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  send({ id: 1, method: 'initialize', params: INITIALIZE });
  for await (const line of lines) {
    const { id, result, error } = fieldsOf(parsed(line));
    if (id !== 1 && id !== 2) continue;
    if (error !== undefined) throw new Error(String(fieldsOf(error).message ?? 'it answered with an error'));
    const { tools = [] } = fieldsOf(result);
    if (id === 2) return Array.isArray(tools) ? tools.length : 0;
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/list' });
  }
  throw new Error('it ended before it answered');
}

const MAX_ERRORS = 2;

/** The lines that say what went wrong: the first ones that name an error, since later ones say where its log is. */
function firstErrors(printed: string): string {
  const lines = printed.trim().split('\n');
  const errors = lines.filter((line) => /error/i.test(line)).slice(0, MAX_ERRORS);
  return errors.length === 0 ? (lines.at(-1) ?? '') : errors.map((line) => line.trim()).join('; ');
}

/** Starts a server as its client does, with a state folder of its own: the user's pins stay as they are. */
export async function tryServer({ words, env }: StartCommand, timeout: number): Promise<Tried> {
  const state = mkdtempSync(join(tmpdir(), 'sallyport-doctor-'));
  const started = Date.now();
  const [program = '', ...args] = words;
  const own = {
    SALLYPORT_STATE: state,
    SALLYPORT_DAEMON: 'off',
    // The user's own logins, but no new one: a test must not open the browser.
    SALLYPORT_LOGINS: loginFolder(process.env),
    SALLYPORT_BROWSER: 'none',
  };
  const child = spawn(program, args, {
    env: { ...process.env, ...env, ...own },
    windowsHide: true,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000);
  });
  // The exit of the server says why its input was closed.
  child.stdin.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const failed = new Promise<never>((_, reject) => child.on('error', reject));
  const limit = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      reject(new Error(`no answer within ${timeout / 1000} s`));
      limit.abort();
    }, timeout);
    void closed.then(() => clearTimeout(timer));
  });
  late.catch(() => undefined);
  try {
    const tools = await Promise.race([toolsOf(child, limit.signal), failed, late]);
    return { type: 'starts', tools, milliseconds: Date.now() - started };
  } catch (cause) {
    const printed = firstErrors(said);
    const why = cause instanceof Error ? cause.message : String(cause);
    return { type: 'fails', reason: printed === '' ? why : `${why}; it printed: ${printed}` };
  } finally {
    if (child.pid !== undefined) await end(child, closed);
    rmSync(state, { recursive: true, force: true });
  }
}
