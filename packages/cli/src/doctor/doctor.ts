import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deriveKey, openFrame, type Timer, WARNING } from '@sallyport/core/stages';
import { Command, Option } from 'commander';
import type { Io } from '../io.ts';
import { type Paint, painter, shown } from '../terminal-text.ts';
import { platformTimer } from '../timer.ts';
import { CANARY, runCanary } from './canary.ts';

const HELP = `
Starts a hostile server of our own behind the wrapper, talks to it as a client would, and looks at what gets through.
Nothing of yours is read or changed.

Example:
  sallyport doctor

Exit codes: 0 everything holds, 1 something does not or could not be examined.`;

type Reply = Readonly<Record<string, unknown>>;

/** Commands of `doctor`, word by word. */
export interface Parts {
  /** The program to examine: the words before `wrap`. */
  readonly wrapper: readonly string[];
  readonly canary: readonly string[];
  /** @default the platform's */
  readonly timer?: Timer;
}

/** This very program, also where it runs from its source. */
function ownParts(): Parts {
  const own = import.meta.url;
  const main = fileURLToPath(new URL(own.endsWith('.ts') ? '../main.ts' : '../main.js', own));
  const wrapper = [process.execPath, ...process.execArgv, main];
  return { wrapper, canary: [...wrapper, 'doctor', '--canary'] };
}

/** Milliseconds for one answer, and for the end. Two programs start before the first answer, and the machine may be busy. */
const PATIENCE = 60_000;

/** The client's end of a wrapped canary. After one request without an answer, it sends no more requests. */
class Session {
  readonly #key = randomBytes(32);
  readonly #state = mkdtempSync(join(tmpdir(), 'sallyport-doctor-'));
  readonly #child;
  readonly #ended: Promise<Reply>;
  readonly #waiting = new Map<number, (reply: Reply | undefined) => void>();
  readonly #said: unknown[] = [];
  readonly #timer: Timer;
  #failure: string | undefined;
  #count = 0;

  constructor({ wrapper, canary, timer = platformTimer }: Parts) {
    this.#timer = timer;
    // Neither settings nor a conversation of the user's: they would decide what is found.
    const config = join(this.#state, 'sallyport.yaml');
    writeFileSync(config, '');
    const options = ['--config', config, '--server', 'canary', '--ask-timeout', '1', '--quiet'];
    const [program = '', ...words] = [...wrapper, 'wrap', ...options, ...canary];
    this.#child = spawn(program, words, {
      env: {
        ...process.env,
        SALLYPORT_STATE: this.#state,
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
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
  }

  /** Why a request got no answer; undefined while every request got one. */
  get failure(): string | undefined {
    return this.#failure;
  }

  #take(line: string): void {
    try {
      const reply = JSON.parse(line) as Reply;
      this.#said.push(reply);
      if (typeof reply.id === 'number') this.#waiting.get(reply.id)?.(reply);
    } catch {
      // No client could read it either.
    }
  }

  /** Keeps the first reason: the others follow from it. */
  #giveUp(failure: string): void {
    this.#failure ??= failure;
    for (const resolve of this.#waiting.values()) resolve(undefined);
  }

  #timeOut(awaited: string): void {
    this.#giveUp(`timed out: no ${awaited} within ${PATIENCE / 1000} s`);
  }

  /** Undefined where no answer came. */
  async ask(method: string, params: Reply = {}, what = method): Promise<Reply | undefined> {
    if (this.#failure !== undefined) return undefined;
    const id = ++this.#count;
    const replied = new Promise<Reply | undefined>((resolve) => this.#waiting.set(id, resolve));
    const alarm = this.#timer.set(() => this.#timeOut(`answer to ${what}`), PATIENCE);
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return replied.finally(() => {
      this.#timer.clear(alarm);
      this.#waiting.delete(id);
    });
  }

  call(name: string, given: Reply = {}): Promise<Reply | undefined> {
    return this.ask('tools/call', { name, arguments: given }, `tools/call of ${name}`);
  }

  /** Whether a text of the canary came only in frames that this key made. */
  isFramed(text: string): boolean {
    const key = deriveKey(this.#key, 'local');
    const holding = this.#said.flatMap(stringsIn).filter((each) => each.includes(text.slice(0, 24)));
    const isFrame = (each: string): boolean => {
      const from = each.indexOf(WARNING);
      return (
        openFrame(from < 0 ? each : each.slice(from), key)?.texts.some((inner) => inner.includes(text.slice(0, 24))) ===
        true
      );
    };
    return holding.length > 0 && holding.every(isFrame);
  }

  /** How the wrapper ended after the end of its input; undefined where it had to be killed. */
  async end(): Promise<Reply | undefined> {
    const isUnanswered = this.#failure !== undefined;
    let isKilled = isUnanswered;
    this.#child.stdin.end();
    const kill = (): void => {
      isKilled = true;
      this.#timeOut('end of the wrapper after the end of its input');
      this.#child.kill('SIGKILL');
    };
    const alarm = this.#timer.set(kill, isUnanswered ? 0 : PATIENCE);
    const end = await this.#ended;
    this.#timer.clear(alarm);
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
  /** `got`: the answers that the check looked at, as JSON. */
  | { readonly type: 'broken'; readonly title: string; readonly got: string }
  /** The check had nothing to look at: `why` says which answer is missing. */
  | { readonly type: 'unanswered'; readonly title: string; readonly why: string };

/** What a hostile server tries, and whether it was stopped. */
export async function examine(parts: Parts): Promise<readonly Check[]> {
  const session = new Session(parts);
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'doctor', version: '1' } };
  const greeted = await session.ask('initialize', client);
  const listed = await session.ask('tools/list');
  const read = await session.call('read', { to: 'me' });
  const failed = await session.ask('canary/unknown');
  const directed = await session.call('send', { to: CANARY.address });
  const harmless = await session.call('paint', { to: 'blue' });
  const changed = await session.call('change', { to: 'x' });
  const relisted = await session.ask('tools/list', {}, 'the second tools/list');
  const held = await session.call('read', { to: 'me' });
  const ended = await session.end();
  const result = JSON.stringify(read) ?? '';

  function check(title: string, answers: readonly (Reply | undefined)[], holds: boolean): Check {
    if (holds) return { type: 'holds', title };
    if (answers.includes(undefined)) return { type: 'unanswered', title, why: session.failure ?? 'no answer' };
    return { type: 'broken', title, got: answers.map((answer) => JSON.stringify(answer)).join(' ') };
  }

  return [
    check('the server starts behind the wrapper and answers', [greeted], greeted?.result !== undefined),
    check('instructions of the server are framed', [greeted], session.isFramed(CANARY.instructions)),
    check('descriptions of tools are framed', [listed], session.isFramed(CANARY.description)),
    check(
      'hints that nobody vouches for are taken out',
      [listed],
      namesIn(listed).includes('read') && !JSON.stringify(listed).includes('readOnlyHint'),
    ),
    check('results are framed', [read], session.isFramed(CANARY.result.slice(0, 40))),
    check('an instruction in a result is marked as one', [read], /_span_/.test(result)),
    check(
      'structured content goes as framed text',
      [read],
      !result.includes('"structuredContent"') && session.isFramed(CANARY.structured),
    ),
    check('errors are framed', [failed], session.isFramed(CANARY.error)),
    check('log messages are framed', [read], session.isFramed(CANARY.log)),
    check(
      'a call that the content asked for is not made',
      [directed],
      directed?.result !== undefined && !JSON.stringify(directed).includes('SENT'),
    ),
    check('other calls are made', [harmless], JSON.stringify(harmless ?? {}).includes('PAINTED')),
    check(
      'a tool that changes is held',
      [listed, changed, relisted, held],
      namesIn(listed).includes('read') &&
        relisted !== undefined &&
        !namesIn(relisted).includes('read') &&
        JSON.stringify(held ?? {}).includes('pinned'),
    ),
    check('the server ends with the client, and its exit code comes through', [ended], ended?.code === 0),
  ];
}

const MAX_GOT_LENGTH = 600;

function linesFor(check: Check, paint: Paint): string {
  if (check.type === 'holds') return `${paint('green', 'holds ')}  ${check.title}\n`;
  if (check.type === 'unanswered') return `${paint('yellow', 'UNKNOWN')} ${check.title}\n        ${shown(check.why)}\n`;
  return `${paint('red', 'BROKEN')}  ${check.title}\n        got ${shown(check.got, MAX_GOT_LENGTH)}\n`;
}

const REPORT = 'with the lines above and the versions: sallyport --version, and node --version';

function summaryOf(checks: readonly Check[]): string {
  const count = (type: Check['type']): number => checks.filter((check) => check.type === type).length;
  const summary = `\n${count('holds')} of ${checks.length} hold.\n`;
  if (count('broken') > 0) return `${summary}Please report this, ${REPORT}.\n`;
  if (count('unanswered') === 0) return summary;
  return `${summary}The others could not be examined. Where the machine is busy, try again; otherwise please report this,\n${REPORT}.\n`;
}

export function doctorCommand(io: Io, parts: Parts = ownParts()): Command {
  return new Command('doctor')
    .description('try the wrapper end to end with a hostile server of our own')
    .addOption(new Option('--canary', 'be the hostile server').hideHelp())
    .addHelpText('after', HELP)
    .action(async ({ canary }: { readonly canary?: boolean }) => {
      if (canary === true) return runCanary();
      const paint = painter(io.isTerminal);
      const checks = await examine(parts);
      for (const check of checks) io.stdout(linesFor(check, paint));
      io.stdout(summaryOf(checks));
      io.exit(checks.every(({ type }) => type === 'holds') ? 0 : 1);
    });
}
