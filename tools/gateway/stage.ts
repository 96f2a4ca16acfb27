// A PostgreSQL, a Redis, servers and replicas of a test's own, each a process that it may kill.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';

import { Bus } from '../../packages/gateway/src/cache/bus.ts';
import { type Config, readConfig } from '../../packages/gateway/src/operate/config.ts';
import { type Database, openDatabase } from '../../packages/gateway/src/store/database.ts';
import { Keys } from '../../packages/gateway/src/store/keys.ts';
import { migrate } from '../../packages/gateway/src/store/migrate.ts';
import { Policies } from '../../packages/gateway/src/store/policies.ts';
import { Servers } from '../../packages/gateway/src/store/servers.ts';
import { Vault } from '../../packages/gateway/src/store/vault.ts';
import { createWorkspace } from '../../packages/gateway/src/store/workspaces.ts';
import { root } from '../command.mjs';

const HERE = join(root, 'tools/gateway');

/** Where the programs of PostgreSQL are; undefined where there are none. */
export function postgresBinaries(): string | undefined {
  const folder = '/usr/lib/postgresql';
  const found = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  return found.map((version) => join(folder, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
}

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** As root the database runs under its own account; otherwise as whoever runs this. */
function asOwner(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];
}

/** A PostgreSQL with a data folder of its own. */
export class Postgres {
  readonly port: number;
  readonly folder: string;
  readonly #bin: string;

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin;
    this.folder = folder;
    this.port = port;
  }

  /** With `room`, on a file system that holds so many megabytes. */
  static async start(room?: number): Promise<Postgres> {
    const bin = postgresBinaries();
    if (bin === undefined) throw new Error('There is no PostgreSQL: apt-get install postgresql');
    const base = mkdtempSync(join(tmpdir(), 'sallyport-pg-'));
    if (room !== undefined) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${room}m`, 'tmpfs', base]);
    chmodSync(base, 0o777);
    const postgres = new Postgres(bin, base, await freePort());
    postgres.#run('initdb', ['-D', postgres.#data, '-A', 'trust', '-U', 'postgres', '--encoding=UTF8', '--no-sync']);
    writeFileSync(
      join(postgres.#data, 'postgresql.auto.conf'),
      `listen_addresses = '127.0.0.1'\nport = ${postgres.port}\nunix_socket_directories = ''\nmax_connections = 200\n${
        room === undefined ? '' : 'min_wal_size = 32MB\nmax_wal_size = 48MB\nwal_recycle = off\n'
      }`,
    );
    await postgres.up();
    return postgres;
  }

  get #data(): string {
    return join(this.folder, 'data');
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  #run(program: string, args: readonly string[]): void {
    const [name, given] = asOwner(join(this.#bin, program), args);
    execFileSync(name, [...given], { stdio: 'pipe' });
  }

  async up(): Promise<void> {
    this.#run('pg_ctl', ['-D', this.#data, '-l', join(this.folder, 'log'), '-w', 'start']);
  }

  /** As when the machine loses its power, but for the disk. */
  kill(): void {
    const [pid] = readFileSync(join(this.#data, 'postmaster.pid'), 'utf8').split('\n');
    for (const line of execFileSync('pgrep', ['-P', String(pid)], { encoding: 'utf8' })
      .trim()
      .split('\n'))
      spawnSync('kill', ['-9', line]);
    spawnSync('kill', ['-9', String(pid)]);
  }

  async restart(): Promise<void> {
    for (let tries = 0; tries < 20; tries++) {
      rmSync(join(this.#data, 'postmaster.pid'), { force: true });
      try {
        return await this.up();
      } catch {
        await pause(200);
      }
    }
    throw new Error('PostgreSQL does not start again.');
  }

  /** Settings that count at once. */
  set(sql: string): void {
    const options = encodeURIComponent('-c default_transaction_read_only=off');
    const url = `${this.url}?options=${options}`;
    this.#run('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', sql, '-c', 'select pg_reload_conf()']);
  }

  remove(): void {
    try {
      this.#run('pg_ctl', ['-D', this.#data, '-m', 'immediate', 'stop']);
    } catch {
      // It is down already.
    }
    spawnSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

interface Usage {
  readonly rss: number;
  readonly heap: number;
  readonly cpu: number;
}

/** A program that says its port in its first line. */
export class Program {
  readonly child: ChildProcess;
  readonly port: number;

  private constructor(child: ChildProcess, port: number) {
    this.child = child;
    this.port = port;
  }

  static async start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Program> {
    const env = { ...process.env, ...environment };
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const said = once(lines, 'line').then(([line]) => JSON.parse(String(line)) as { port: number });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${args[0]} has ended`)));
    const { port } = await Promise.race([said, ended]);
    ended.catch(() => undefined);
    return new Program(child, port);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): void {
    this.child.kill(signal);
  }

  /** What it uses: bytes, after a collection, and milliseconds of processor since its start. */
  async usage(): Promise<Usage> {
    this.child.send({});
    const [message] = await once(this.child, 'message');
    return message as Usage;
  }
}

export interface StageOptions {
  /** Megabytes of the database's disk. @default as many as there are */
  readonly room?: number;
  /** Another way to the database than directly. */
  readonly through?: (port: number) => Promise<number>;
  readonly redis?: boolean;
}

/** Everything that an installation consists of. */
export class Stage {
  readonly postgres: Postgres;
  readonly database: Database;
  readonly config: Config;
  readonly environment: Readonly<Record<string, string>>;
  readonly workspace: string;
  readonly sentFile: string;
  readonly #folder: string;
  redis: ChildProcess | undefined;
  upstream: Program;
  readonly replicas: Program[] = [];
  readonly #bus = new Bus();

  private constructor(parts: {
    postgres: Postgres;
    database: Database;
    config: Config;
    environment: Readonly<Record<string, string>>;
    workspace: string;
    folder: string;
    redis: ChildProcess | undefined;
    upstream: Program;
  }) {
    this.postgres = parts.postgres;
    this.database = parts.database;
    this.config = parts.config;
    this.environment = parts.environment;
    this.workspace = parts.workspace;
    this.#folder = parts.folder;
    this.sentFile = join(parts.folder, 'sent');
    this.redis = parts.redis;
    this.upstream = parts.upstream;
  }

  static async open({ room, through, redis: wantsRedis = true }: StageOptions = {}): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-stage-'));
    writeFileSync(join(folder, 'sent'), '');
    const postgres = await Postgres.start(room);
    const redisPort = await freePort();
    const redis = wantsRedis ? Stage.#redisAt(redisPort) : undefined;
    const upstream = await Program.start([join(HERE, 'upstream.mjs'), join(folder, 'sent')]);
    const url = new URL(postgres.url);
    if (through !== undefined) url.port = String(await through(postgres.port));
    const environment = {
      DATABASE_URL: url.href,
      ...(wantsRedis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
      SALLYPORT_KEY: randomBytes(32).toString('hex'),
      SALLYPORT_SECRETS_KEY: randomBytes(32).toString('hex'),
      SALLYPORT_OPEN: upstream.origin,
      SALLYPORT_RATE: '10000000',
    };
    await migrate(postgres.url);
    const database = openDatabase(postgres.url, { max: 4 });
    const workspace = await createWorkspace(database, 'stage');
    const config = readConfig(environment);
    const stage = new Stage({ postgres, database, config, environment, workspace, folder, redis, upstream });
    await new Servers(database, stage.#bus, new Vault(config.secretsKey)).set(
      workspace,
      'mail',
      { kind: 'http', url: `${upstream.origin}/mcp` },
      'stage',
    );
    const tools = { read: { effect: 'read' }, send: { effect: 'send' } };
    await new Policies(database, stage.#bus).put(
      workspace,
      { askTimeout: 1, servers: { mail: { tools } } },
      0,
      'stage',
    );
    return stage;
  }

  static #redisAt(port: number): ChildProcess {
    return spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'], {
      stdio: 'ignore',
    });
  }

  async key(principal = 'load'): Promise<string> {
    const keys = new Keys(this.database, this.#bus, this.config.keyFor('keys'));
    const made = await keys.create(this.workspace, { principal, label: 'stage', scopes: ['mcp'] }, 'stage');
    return made.text;
  }

  async replica(more: Readonly<Record<string, string>> = {}, flags: readonly string[] = []): Promise<Program> {
    const program = await Program.start([...flags, join(HERE, 'replica.mjs')], { ...this.environment, ...more });
    this.replicas.push(program);
    return program;
  }

  restartRedis(): void {
    this.redis?.kill('SIGKILL');
    this.redis = Stage.#redisAt(Number(new URL(this.environment.REDIS_URL ?? '').port));
  }

  async restartUpstream(): Promise<void> {
    this.upstream.kill();
    await pause(100);
    this.upstream = await Program.start([join(HERE, 'upstream.mjs'), this.sentFile, String(this.upstream.port)]);
  }

  /** To whom the server has really sent. */
  get sent(): readonly string[] {
    return readFileSync(this.sentFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
  }

  async close(): Promise<void> {
    for (const each of this.replicas) each.kill();
    this.upstream.kill();
    this.redis?.kill('SIGKILL');
    this.#bus.close();
    await this.database.close().catch(() => undefined);
    this.postgres.remove();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
