import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { deriveKey, openFrame, WARNING } from '@sallyport/core';
import { Command, Option } from 'commander';
import { CANARY, runCanary } from './canary.ts';
import type { Io } from './io.ts';
import { painter } from './say.ts';

const HELP = `
Starts a hostile server of our own behind the wrapper, talks to it as a client would, and looks at what gets through.
Nothing of yours is read or changed.

Example:
  sallyport doctor

Exit codes: 0 everything holds, 1 something does not.`;

type Reply = Readonly<Record<string, unknown>>;

/** Commands of `doctor`, word by word. */
export interface Parts {
  /** What is examined: what stands before `wrap`. */
  readonly wrapper: readonly string[];
  readonly canary: readonly string[];
  /** Milliseconds until what does not answer has not answered. @default 10000 */
  readonly patience?: number;
}

/** This very program, also where it runs from its source. */
function ownParts(): Parts {
  const own = import.meta.url;
  const main = fileURLToPath(new URL(own.endsWith('.ts') ? './main.ts' : './main.js', own));
  const wrapper = [process.execPath, ...process.execArgv, main];
  return { wrapper, canary: [...wrapper, 'doctor', '--canary'] };
}

const PATIENCE = 10_000;

/** The client's end of a wrapped canary. What does not answer has answered with nothing. */
class Session {
  readonly #key = randomBytes(32);
  readonly #state = mkdtempSync(join(tmpdir(), 'sallyport-doctor-'));
  readonly #child;
  readonly #ended: Promise<number | null>;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  readonly #said: unknown[] = [];
  readonly #patience: number;
  #isOver = false;
  #count = 0;

  constructor({ wrapper, canary, patience = PATIENCE }: Parts) {
    this.#patience = patience;
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
      this.#child.on('error', () => this.#giveUp());
      this.#child.on('close', (code) => {
        this.#giveUp();
        resolve(code);
      });
    });
    this.#child.stdin.on('error', () => undefined);
    createInterface({ input: this.#child.stdout }).on('line', (line) => this.#take(line));
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

  #giveUp(): void {
    this.#isOver = true;
    for (const resolve of this.#waiting.values()) resolve({});
  }

  ask(method: string, params: Reply = {}): Promise<Reply> {
    if (this.#isOver) return Promise.resolve({});
    const id = ++this.#count;
    const replied = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    const timer = setTimeout(() => this.#giveUp(), this.#patience);
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return replied.finally(() => clearTimeout(timer));
  }

  call(name: string, given: Reply = {}): Promise<Reply> {
    return this.ask('tools/call', { name, arguments: given });
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

  async end(): Promise<number | null> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), this.#isOver ? 0 : this.#patience);
    const code = await this.#ended;
    clearTimeout(timer);
    rmSync(this.#state, { recursive: true, force: true });
    return code;
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function namesIn(listed: Reply): string[] {
  const { tools = [] } = (listed.result ?? {}) as { readonly tools?: readonly { readonly name: string }[] };
  return tools.map(({ name }) => name);
}

export interface Check {
  readonly title: string;
  readonly holds: boolean;
}

/** What a hostile server tries, and whether it was stopped. */
export async function examine(parts: Parts): Promise<readonly Check[]> {
  const session = new Session(parts);
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'doctor', version: '1' } };
  const greeted = await session.ask('initialize', client);
  const listed = await session.ask('tools/list');
  const read = await session.call('read', { to: 'me' });
  await session.ask('canary/unknown');
  const directed = await session.call('send', { to: CANARY.address });
  const harmless = JSON.stringify(await session.call('paint', { to: 'blue' }));
  await session.call('change', { to: 'x' });
  const relisted = await session.ask('tools/list');
  const held = JSON.stringify(await session.call('read', { to: 'me' }));
  const code = await session.end();
  const result = JSON.stringify(read);
  return [
    { title: 'the server starts behind the wrapper and answers', holds: greeted.result !== undefined },
    { title: 'instructions of the server are framed', holds: session.isFramed(CANARY.instructions) },
    { title: 'descriptions of tools are framed', holds: session.isFramed(CANARY.description) },
    {
      title: 'hints that nobody vouches for are taken out',
      holds: namesIn(listed).includes('read') && !JSON.stringify(listed).includes('readOnlyHint'),
    },
    { title: 'results are framed', holds: session.isFramed(CANARY.result.slice(0, 40)) },
    { title: 'an instruction in a result is marked as one', holds: /_span_/.test(result) },
    {
      title: 'structured content goes as framed text',
      holds: !result.includes('"structuredContent"') && session.isFramed(CANARY.structured),
    },
    { title: 'errors are framed', holds: session.isFramed(CANARY.error) },
    { title: 'log messages are framed', holds: session.isFramed(CANARY.log) },
    {
      title: 'a call that the content asked for is not made',
      holds: directed.result !== undefined && !JSON.stringify(directed).includes('SENT'),
    },
    { title: 'other calls are made', holds: harmless.includes('PAINTED') },
    {
      title: 'a tool that changes is held',
      holds: namesIn(listed).includes('read') && !namesIn(relisted).includes('read') && held.includes('pinned'),
    },
    { title: 'the server ends with the client, and its exit code comes through', holds: code === 0 },
  ];
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
      for (const { title, holds } of checks)
        io.stdout(`${holds ? paint('green', 'holds ') : paint('red', 'BROKEN')}  ${title}\n`);
      const broken = checks.filter(({ holds }) => !holds).length;
      io.stdout(`\n${checks.length - broken} of ${checks.length} hold.\n`);
      if (broken > 0) io.stdout(`Please report this, with the version: sallyport --version, and node --version.\n`);
      io.exit(broken === 0 ? 0 : 1);
    });
}
