import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { backgroundTimer } from '@sallyport/core/adapter';
import { readFrame, type Timer } from '@sallyport/core/stages';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { type Paint, painter, printable } from '../terminal-text.ts';
import { CANARY, runCanary } from './canary.ts';
import { reportForged, reportHooks, reportServers } from './servers-report.ts';

const HELP = `
Starts a hostile test server behind the wrapper, talks to it as a client would, and checks what gets through. Then looks at the servers in the configurations of your MCP clients: says which are not wrapped, and starts those that are, to see whether they list their tools. Says which of your coding agents have hooks, and whether another program wrote answers or rules. Servers in a file of the project in the working folder are not started without --project, because someone else may have written that file. Nothing is changed.

Examples:
  sallyport doctor
  sallyport doctor --no-servers   only the test server

Exit codes: 0 every check passed, 1 a check failed or could not be completed, a wrapped server does not start, a configuration cannot be read, or another program wrote an answer or rule.`;

type Reply = Readonly<Record<string, unknown>>;

/** The commands that `doctor` runs, word by word. */
export interface DoctorOptions {
  /** The program to test: the words before `wrap`. */
  readonly wrapper: readonly string[];
  /** The command that starts the hostile server. */
  readonly canary: readonly string[];
  /** @default the platform's timer */
  readonly timer?: Timer;
}

/** This program itself, built or run from its source. */
function ownCommands(): DoctorOptions {
  const own = import.meta.url;
  const main = fileURLToPath(new URL(own.endsWith('.ts') ? '../main.ts' : '../main.js', own));
  const wrapper = [process.execPath, ...process.execArgv, main];
  return { wrapper, canary: [...wrapper, 'doctor', '--canary'] };
}

/** Long, because two programs start before the first answer and the machine may be busy. */
const TIMEOUT_MS = 60_000;

/** A client of the wrapped canary. After one request without an answer, it sends no more requests. */
class CanaryClient {
  readonly #key = randomBytes(32);
  readonly #state = mkdtempSync(join(tmpdir(), 'sallyport-doctor-'));
  readonly #child;
  readonly #ended: Promise<Reply>;
  readonly #waiting = new Map<number, (reply: Reply | undefined) => void>();
  readonly #received: unknown[] = [];
  readonly #timer: Timer;
  #failure: string | undefined;
  #count = 0;

  constructor({ wrapper, canary, timer = backgroundTimer }: DoctorOptions) {
    this.#timer = timer;
    // Without the user's settings and conversation: they would change the result.
    const config = join(this.#state, 'sallyport.yaml');
    writeFileSync(config, '');
    const options = ['--config', config, '--server', 'canary', '--ask-timeout', '1', '--quiet'];
    const [program = '', ...words] = [...wrapper, 'wrap', ...options, ...canary];
    this.#child = spawn(program, words, {
      env: {
        ...process.env,
        SALLYPORT_STATE: this.#state,
        SALLYPORT_DAEMON: 'off',
        SALLYPORT_KEY: this.#key.toString('hex'),
        SALLYPORT_CONVERSATION: '',
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', (cause) => this.#giveUp(`the wrapper cannot be started: ${cause.message}`));
      this.#child.on('close', (code, signal) => {
        this.#giveUp(`the wrapper ended (${signal ?? `exit code ${code}`})`);
        resolve({ code, signal });
      });
    });
    // The wrapper ended: its `close` event says how.
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#receive(line));
  }

  /** Why a request got no answer; undefined if every request was answered. */
  get failure(): string | undefined {
    return this.#failure;
  }

  #receive(line: string): void {
    try {
      const reply = JSON.parse(line) as Reply;
      this.#received.push(reply);
      if (typeof reply.id === 'number') this.#waiting.get(reply.id)?.(reply);
    } catch {
      // Not JSON: a client ignores such a line, and the request times out.
    }
  }

  /** Keeps the first failure: later ones follow from it. */
  #giveUp(failure: string): void {
    this.#failure ??= failure;
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }

  #timeOut(awaited: string): void {
    this.#giveUp(`timed out: no ${awaited} within ${TIMEOUT_MS / 1000} s`);
  }

  /** Sends a request. Returns undefined if no answer came. */
  async request(method: string, params: Reply = {}, what = method): Promise<Reply | undefined> {
    if (this.#failure !== undefined) return undefined;
    const id = ++this.#count;
    const replied = new Promise<Reply | undefined>((resolve) => this.#waiting.set(id, resolve));
    const timeout = this.#timer.set(() => this.#timeOut(`answer to ${what}`), TIMEOUT_MS);
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return replied.finally(() => {
      this.#timer.clear(timeout);
      this.#waiting.delete(id);
    });
  }

  call(name: string, values: Reply = {}): Promise<Reply | undefined> {
    return this.request('tools/call', { name, arguments: values }, `tools/call of ${name}`);
  }

  /** Checks that a text of the canary arrived, and only inside frames. The canary itself writes none. */
  isFramed(text: string): boolean {
    const holding = this.#received.flatMap(stringsIn).filter((each) => each.includes(text.slice(0, 24)));
    const isFrame = (each: string): boolean => {
      // In the instructions a frame follows the reading rules.
      const read = readFrame(each.slice(Math.max(0, each.indexOf('<'))));
      return read?.texts.some((inner) => inner.includes(text.slice(0, 24))) === true;
    };
    return holding.length > 0 && holding.every(isFrame);
  }

  /** How the wrapper ended after the end of its input; undefined if it had to be killed. */
  async end(): Promise<Reply | undefined> {
    const isUnanswered = this.#failure !== undefined;
    let isKilled = isUnanswered;
    this.#child.stdin.end();
    const kill = (): void => {
      isKilled = true;
      this.#timeOut('end of the wrapper after the end of its input');
      this.#child.kill('SIGKILL');
    };
    const timeout = this.#timer.set(kill, isUnanswered ? 0 : TIMEOUT_MS);
    const end = await this.#ended;
    this.#timer.clear(timeout);
    rmSync(this.#state, { recursive: true, force: true });
    return isKilled ? undefined : end;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function namesIn(listed: Reply | undefined): string[] {
  const { tools = [] } = (listed?.result ?? {}) as { readonly tools?: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
}

export type Check =
  | { readonly type: 'holds'; readonly title: string }
  /** `got`: the answers that were checked, as JSON. */
  | { readonly type: 'broken'; readonly title: string; readonly got: string }
  /** An answer is missing: `why` says which. */
  | { readonly type: 'unanswered'; readonly title: string; readonly why: string };

/** Lets the hostile server try its attacks, and checks that each was stopped. */
export async function runChecks(options: DoctorOptions): Promise<readonly Check[]> {
  const client = new CanaryClient(options);
  const initialized = await client.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'doctor', version: '1' },
  });
  const listed = await client.request('tools/list');
  // Before anything alarms the wrapper: then it holds such calls.
  const harmless = await client.call('paint', { to: 'blue' });
  const changed = await client.call('change', { to: 'x' });
  const read = await client.call('read', { to: 'me' });
  const failed = await client.request('canary/unknown');
  const directed = await client.call('send', { to: CANARY.address });
  const relisted = await client.request('tools/list', {}, 'the second tools/list');
  const held = await client.call('read', { to: 'me' });
  const ended = await client.end();
  const result = JSON.stringify(read) ?? '';

  function check(title: string, answers: readonly (Reply | undefined)[], holds: boolean): Check {
    if (holds) return { type: 'holds', title };
    if (answers.includes(undefined)) return { type: 'unanswered', title, why: client.failure ?? 'no answer' };
    return { type: 'broken', title, got: answers.map((answer) => JSON.stringify(answer)).join(' ') };
  }

  return [
    check('the server starts behind the wrapper and answers', [initialized], initialized?.result !== undefined),
    check("the server's instructions are framed", [initialized], client.isFramed(CANARY.instructions)),
    check('a tool description that addresses the model is framed', [listed], client.isFramed(CANARY.description)),
    check(
      'hints of a tool that is not accepted are removed',
      [listed],
      namesIn(listed).includes('read') && !JSON.stringify(listed).includes('readOnlyHint'),
    ),
    check('tool results are framed', [read], client.isFramed(CANARY.result.slice(0, 40))),
    check('an instruction in a result is marked', [read], /<(?:quoted|marked)_span /.test(result)),
    check(
      'structured content is passed on as framed text',
      [read],
      !result.includes('"structuredContent"') && client.isFramed(CANARY.structured),
    ),
    check('error messages are framed', [failed], client.isFramed(CANARY.error)),
    check('log messages are framed', [read], client.isFramed(CANARY.log)),
    check(
      'a call that the content asked for is not made',
      [directed],
      directed?.result !== undefined && !JSON.stringify(directed).includes('SENT'),
    ),
    check('other calls are made', [harmless], JSON.stringify(harmless ?? {}).includes('PAINTED')),
    check(
      'a tool whose definition changes is held',
      [listed, changed, relisted, held],
      namesIn(listed).includes('read') &&
        relisted !== undefined &&
        !JSON.stringify(relisted).includes(CANARY.description) &&
        JSON.stringify(held ?? {}).includes('pinned'),
    ),
    check('the server ends with the client; the wrapper returns its exit code', [ended], ended?.code === 0),
  ];
}

const MAX_GOT_LENGTH = 600;

function linesFor(check: Check, paint: Paint): string {
  if (check.type === 'holds') return `${paint('green', 'passed ')} ${check.title}\n`;
  if (check.type === 'unanswered')
    return `${paint('yellow', 'UNKNOWN')} ${check.title}\n        ${printable(check.why)}\n`;
  return `${paint('red', 'FAILED ')} ${check.title}\n        received ${printable(check.got, MAX_GOT_LENGTH)}\n`;
}

const REPORT = 'with the lines above and the output of sallyport --version and node --version';

function summaryOf(checks: readonly Check[]): string {
  const count = (type: Check['type']): number => checks.filter((check) => check.type === type).length;
  const summary = `\n${count('holds')} of ${checks.length} checks passed.\n`;
  if (count('broken') > 0) return `${summary}Please report this, ${REPORT}.\n`;
  if (count('unanswered') === 0) return summary;
  return `${summary}The others could not be completed. If the machine is busy, try again; otherwise please report this,\n${REPORT}.\n`;
}

interface DoctorFlags {
  readonly canary?: boolean;
  readonly servers: boolean;
  readonly project?: boolean;
}

export function doctorCommand(io: Io, commands: DoctorOptions = ownCommands()): Command {
  return new Command('doctor')
    .addOption(new Option('--canary', 'run as the hostile server').hideHelp())
    .addHelpText('after', HELP)
    .option('--no-servers', 'do not look at your own servers and hooks')
    .option('--project', 'also start the servers in files of this project')
    .action(async ({ canary, servers, project = false }: DoctorFlags) => {
      if (canary === true) return runCanary();
      const paint = painter(io.isTerminal);
      if (io.isTerminal) io.stderr('testing the wrapper with a hostile server ...');
      const checks = await runChecks(commands);
      if (io.isTerminal) io.stderr('\r\u001b[2K');
      for (const check of checks) io.stdout(linesFor(check, paint));
      io.stdout(summaryOf(checks));
      const areServersFine = servers ? await reportServers(io, project) : true;
      const areHooksFine = servers ? await reportHooks(io) : true;
      const isStateFine = reportForged(io);
      io.exit(areServersFine && areHooksFine && isStateFine && checks.every(({ type }) => type === 'holds') ? 0 : 1);
    });
}
