// A client without an SDK, which reads and writes lines. For details that an SDK hides, and for measurements without its cost.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Command } from './target.ts';

const NEWLINE = 10;
/** The id is near the start or the end of a message: only these characters are searched. */
const EDGE = 80;
const ID = /"id":(\d+)/;

export class RawClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<number, (line: Buffer) => void>();
  readonly #readers = new Set<() => void>();
  readonly #exit: Promise<number | null>;
  #rest: Buffer[] = [];
  #last = 0;
  /** Lines that are not responses to a request. */
  readonly lines: string[] = [];
  stderr = '';

  constructor([program, ...args]: Command, env: NodeJS.ProcessEnv = process.env) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.#child.stdin.on('error', () => {});
    this.#child.stdout.on('data', (chunk: Buffer) => this.#read(chunk));
    this.#child.stderr.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.#exit = new Promise((resolve) => {
      this.#child.on('close', (code) => resolve(code));
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#rest.push(chunk.subarray(start, end));
      this.#take(this.#rest.length === 1 ? (this.#rest[0] as Buffer) : Buffer.concat(this.#rest));
      this.#rest = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(chunk.subarray(start));
  }

  #take(line: Buffer): void {
    const edge = line.toString('latin1', 0, EDGE);
    const id = ID.exec(edge) ?? ID.exec(line.toString('latin1', Math.max(0, line.length - EDGE)));
    const settle = id === null ? undefined : this.#waiting.get(Number(id[1]));
    if (settle === undefined) {
      this.lines.push(line.toString());
      for (const reader of this.#readers) reader();
      return;
    }
    this.#waiting.delete(Number((id as RegExpExecArray)[1]));
    settle(line);
  }

  send(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** The bytes of the answer. */
  ask(method: string, params: object): Promise<Buffer> {
    const id = ++this.#last;
    const answer = new Promise<Buffer>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return answer;
  }

  async request(method: string, params: object = {}): Promise<Record<string, unknown>> {
    return JSON.parse((await this.ask(method, params)).toString());
  }

  /** Waits until this many lines have arrived that are not responses to a request. */
  arrived(count: number): Promise<readonly string[]> {
    return new Promise((resolve) => {
      const reader = (): void => {
        if (this.lines.length < count) return;
        this.#readers.delete(reader);
        resolve(this.lines);
      };
      this.#readers.add(reader);
      reader();
    });
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<Record<string, unknown>> {
    const clientInfo = { name: 'raw', version: '1' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.send('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    return answer;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  get exit(): Promise<number | null> {
    return this.#exit;
  }

  /** Ends the input, and waits for the exit code. */
  end(): Promise<number | null> {
    this.#child.stdin.end();
    return this.#exit;
  }
}
