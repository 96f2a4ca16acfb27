import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT, SALLYPORT, TestFolder } from '../fixtures/rig.ts';

interface Outcome {
  /** What was printed to standard output and standard error until now, also by a job that a block left in the background. */
  readonly output: string;
  /** The exit codes of the commands that failed. */
  readonly failed: readonly number[];
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const NPM = fileURLToPath(new URL('./npm.mjs', import.meta.url));
/** Programs of pages use what Node has from version 22.18 on. */
const NODE_24 = join(ROOT, 'node_modules/node-24/bin');

/** An empty folder as a reader has it: `sallyport` on the path, a home of its own, and no network for npm and npx. */
export class Machine {
  readonly test = new TestFolder();
  /** Texts of a document that are others in a test: a port, a path, a host, a value from an earlier answer. */
  readonly substitutions: (readonly [text: string, replacement: string])[] = [];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #shells: Shell[] = [];

  constructor(environment: NodeJS.ProcessEnv = {}) {
    for (const name of ['home', 'work', 'bin']) mkdirSync(this.test.path(name));
    this.program('sallyport', `#!/bin/sh\nexec ${SALLYPORT.map(quoted).join(' ')} "$@"\n`);
    this.program('npm', `#!/bin/sh\nexec node ${quoted(NPM)} ${quoted(this.test.path('bin'))} "$@"\n`);
    // npx finds here what it would download.
    symlinkSync(join(ROOT, 'node_modules'), this.test.path('work/node_modules'));
    this.test.write('home/.npmrc', 'offline=true\nupdate-notifier=false\n');
    this.test.write('home/.curlrc', 'silent\nshow-error\nfail-with-body\nnoproxy = "127.0.0.1,localhost"\n');
    const path = [this.test.path('bin'), NODE_24, dirname(process.execPath), process.env.PATH].join(':');
    const { NODE_COMPILE_CACHE } = this.test.environment;
    const own = { PATH: path, HOME: this.test.path('home'), NO_COLOR: '1' };
    this.#environment = { ...own, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...environment };
  }

  /** A program that blocks find on the path. */
  program(name: string, text: string): void {
    chmodSync(this.test.write(`bin/${name}`, text), 0o755);
  }

  /** A file in the folder in which the blocks run. */
  write(name: string, text: string): void {
    this.test.write(`work/${name}`, text);
  }

  read(name: string): string {
    return readFileSync(this.test.path(`work/${name}`), 'utf8');
  }

  substituted(text: string): string {
    return this.substitutions.reduce((left, [from, to]) => left.replaceAll(from, to), text);
  }

  /** A terminal: variables, functions and jobs last from one block to the next. */
  shell(): Shell {
    const shell = new Shell(this, this.#environment, `shell-${this.#shells.length}`);
    this.#shells.push(shell);
    return shell;
  }

  async remove(): Promise<void> {
    for (const shell of this.#shells) await shell.end();
    await this.test.remove();
  }
}

// Each failed command is noted, and the block goes on, as it does for a reader who pastes it.
const NOTE_FAILURES = "set -E; trap 'echo $? >&4' ERR";

class Shell {
  readonly #machine: Machine;
  readonly #name: string;
  readonly #child: ChildProcess;
  #count = 0;

  constructor(machine: Machine, env: NodeJS.ProcessEnv, name: string) {
    this.#machine = machine;
    this.#name = name;
    // A group of its own, so that what a block left in the background ends with it.
    this.#child = spawn('bash', ['--norc'], {
      cwd: machine.test.path('work'),
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
    // A block that comes after the shell's end is told of it by #until.
    this.#child.stdin?.on('error', () => undefined);
  }

  /** Starts a block. What it prints is in the file whose path is returned with the extension `.out`. */
  #start(block: string): string {
    const path = this.#machine.test.write(`${this.#name}-${this.#count++}`, this.#machine.substituted(block));
    for (const name of ['out', 'failed']) writeFileSync(`${path}.${name}`, '');
    this.#child.stdin?.write(
      `${NOTE_FAILURES}; . ${path} </dev/null >${path}.out 2>&1 4>${path}.failed; trap - ERR; touch ${path}.done\n`,
    );
    return path;
  }

  /** Runs a block to its end. */
  async run(block: string): Promise<Outcome> {
    const path = this.#start(block);
    await this.#until(path, () => existsSync(`${path}.done`));
    const failed = readFileSync(`${path}.failed`, 'utf8').split('\n').slice(0, -1).map(Number);
    return {
      failed,
      get output() {
        return readFileSync(`${path}.out`, 'utf8');
      },
    };
  }

  /** Runs a block that does not end, until it has printed a text. */
  async runUntil(block: string, text: string): Promise<void> {
    const path = this.#start(block);
    const output = (): string => readFileSync(`${path}.out`, 'utf8');
    await this.#until(path, () => {
      if (output().includes(text)) return true;
      if (existsSync(`${path}.done`)) throw new Error(`ended without "${text}": ${output()}`);
      return false;
    });
  }

  /** Waits for a block. Throws if the shell ends first. */
  async #until(path: string, isReached: () => boolean): Promise<void> {
    for (;;) {
      const { exitCode, signalCode } = this.#child;
      if (isReached()) return;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`the shell ended (${signalCode ?? exitCode}): ${readFileSync(`${path}.out`, 'utf8')}`);
      await pause(20);
    }
  }

  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    try {
      process.kill(-pid, 'SIGTERM');
      for (let tries = 0; tries < 250; tries++) {
        process.kill(-pid, 0);
        await pause(20);
      }
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Every process of the group has ended.
    }
    if (exitCode === null && signalCode === null) await ended;
  }
}
