// One run of a feature at one target: its folder, its clients, and the recorded lines on both sides of the proxy.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LoggedIn } from './http/logged-in.ts';
import { isObject, KEY, openedLine, unframed } from './open.ts';
import { RawClient } from './raw.ts';
import {
  bareProxy,
  type Command,
  commandFor,
  isOurs,
  overHttp,
  recorded,
  SERVERS,
  type ServerName,
  type Target,
} from './target.ts';
import { compareWire, sideOf, type Wire, type WireRules, withoutDefinitions } from './wire.ts';

interface Closable {
  close(): Promise<unknown>;
}

export interface TestContextOptions {
  readonly server: ServerName;
  /** Options of `wrap`. */
  readonly options?: readonly string[];
  /** More arguments for the server over HTTP. */
  readonly httpArgs?: readonly string[];
  /** More arguments for the server. `FOLDER` is replaced by the folder of this run. */
  readonly args?: readonly string[];
}

/** Over HTTP only the client's side is recorded: what it reads must be framed. */
function checkFrames(received: readonly string[], { framed, vetoes }: WireRules): void {
  // A refusal is our own text.
  for (const line of framed && !vetoes ? received : []) {
    const message: unknown = JSON.parse(line);
    // Our own words when the server does not answer.
    if (isObject(message) && message.error !== undefined) continue;
    const [bare] = unframed(withoutDefinitions(message));
    if (bare !== undefined) throw new Error(`not framed: ${bare.slice(0, 240)}`);
  }
}

export class TestContext {
  readonly target: Target;
  /** A folder for servers that work on files, empty at first. */
  readonly files: string;
  readonly #folder: string;
  readonly #options: TestContextOptions;
  readonly #open: Closable[] = [];
  readonly #servers: Closable[] = [];
  /** The connections whose client side is not recorded. */
  readonly #bare = new Set<number>();
  #connections = 0;
  #address = '';
  #logins: string | undefined;

  constructor(target: Target, options: TestContextOptions) {
    this.target = target;
    this.#options = options;
    this.#folder = mkdtempSync(join(tmpdir(), 'sallyport-wrap-'));
    this.files = join(this.#folder, 'files');
    mkdirSync(this.files);
  }

  get env(): Record<string, string> {
    const inherited = Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return {
      ...Object.fromEntries(inherited),
      SALLYPORT_STATE: join(this.#folder, 'state'),
      SALLYPORT_KEY: KEY,
      ...(this.#logins === undefined ? {} : { SALLYPORT_LOGINS: this.#logins }),
      MEMORY_FILE_PATH: join(this.files, 'memory.jsonl'),
    };
  }

  /** Starts the server that the OAuth front forwards to, for the target `remote`. */
  async serve({ front, logins }: LoggedIn): Promise<void> {
    this.#logins = logins;
    const { server, httpArgs = [] } = this.#options;
    const command = [...(overHttp(server) ?? []), ...httpArgs] as unknown as Command;
    const [program, ...args] = recorded(this.#file('server', 0), command);
    const child = spawn(program, args, { env: this.env, stdio: ['pipe', 'pipe', 'ignore'] });
    const ended = new Promise((resolve) => child.on('close', resolve));
    this.#servers.push({
      close: () => {
        child.kill();
        return ended;
      },
    });
    const [port] = await once(createInterface({ input: child.stdout }), 'line');
    this.#address = front.address(Number(port));
  }

  /** The command for one more connection, recorded on both sides. */
  command(): Command {
    const { server, options, args = [] } = this.#options;
    const connection = this.#connections++;
    const serverArgs = args.map((each) => (each === 'FOLDER' ? this.files : each));
    const started = [...SERVERS[server], ...serverArgs] as unknown as Command;
    if (this.target === 'remote')
      return recorded(this.#file('client', connection), commandFor(this.target, [this.#address], options));
    if (this.target === 'direct') return recorded(this.#file('client', connection), started);
    const inner = recorded(this.#file('server', connection), started);
    return recorded(this.#file('client', connection), commandFor(this.target, inner, options));
  }

  /** The parameters of a stdio transport of either SDK. */
  stdio(): { command: string; args: string[]; env: Record<string, string>; stderr: 'pipe' } {
    const [command, ...args] = this.command();
    return { command, args, env: this.env, stderr: 'pipe' };
  }

  #rawClient(command: Command): RawClient {
    const client = new RawClient(command, this.env);
    this.opened({ close: () => client.end() });
    return client;
  }

  /** A client without an SDK. */
  rawRecorded(): RawClient {
    return this.#rawClient(this.command());
  }

  /** A client without an SDK and without a recorder in between, to test signals and exit codes. */
  raw(): RawClient {
    this.#bare.add(this.#connections);
    const [, , , ...command] = this.command();
    return this.#rawClient(command as unknown as Command);
  }

  /** The file that contains the process id of the server. */
  pidFile(): string {
    return `${this.#file('server', 0)}.pid`;
  }

  /** The line as the server wrote it, if only framed strings and our annotations were changed. */
  bytesOf(line: string): string {
    return isOurs(this.target) ? openedLine(line) : line;
  }

  /** Registers a client that is closed at the end of the run. */
  opened(client: Closable): void {
    this.#open.push(client);
  }

  #file(side: 'client' | 'server', connection: number): string {
    return join(this.#folder, `${side}-${connection}`);
  }

  /** The standard error of the server. */
  stderr(): string {
    const [outer, inner] = [this.#file('client', 0), this.#file('server', 0)];
    const file = `${this.target === 'direct' ? outer : inner}.err`;
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  /** A program that starts the target, for clients that accept only a script. */
  script(): string {
    const file = join(this.#folder, `target-${this.#connections}.mjs`);
    const argv = [process.execPath, bareProxy, ...this.command()];
    const env = `Object.assign(process.env, ${JSON.stringify(this.env)});`;
    const [argvJson, program] = [argv, bareProxy].map((value) => JSON.stringify(value));
    writeFileSync(file, `${env}\nprocess.argv = ${argvJson};\nawait import(${program});\n`);
    return file;
  }

  async close(): Promise<void> {
    for (const client of this.#open.splice(0)) await client.close();
    for (const server of this.#servers.splice(0)) await server.close();
  }

  /** Compares the lines of both sides. Undefined if only one side was recorded. */
  wire(rules: WireRules): Wire | undefined {
    if (this.target === 'direct' || this.#connections === 0) return undefined;
    const total = { equal: 0, opened: 0, changed: 0 };
    for (let connection = 0; connection < this.#connections; connection++) {
      if (this.#bare.has(connection)) continue;
      const client = sideOf(this.#file('client', connection));
      if (client.sent.length === 0 || client.received.length === 0) throw new Error('nothing was recorded');
      if (this.target === 'remote') {
        checkFrames(client.received, rules);
        continue;
      }
      const wire = compareWire(client, sideOf(this.#file('server', connection)), rules);
      total.equal += wire.equal;
      total.opened += wire.opened;
      total.changed += wire.changed;
    }
    return total;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
