// A PostgreSQL, a Redis, servers and replicas of a test's own, each a process that it may kill.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { root } from '../../../tools/command.mjs';
import { Bus } from '../src/cache/bus.ts';
import { type Config, readConfig } from '../src/operate/config.ts';
import { type Database, openDatabase } from '../src/store/database.ts';
import { auditKeysOf } from '../src/store/links.ts';
import { migrate } from '../src/store/migrate.ts';
import { Policies } from '../src/store/policies.ts';
import { Keys } from '../src/store/secrets/keys.ts';
import { Vault } from '../src/store/secrets/vault.ts';
import { Servers } from '../src/store/servers.ts';
import { createWorkspace } from '../src/store/workspaces.ts';
import { Postgres } from './postgres.ts';
import { freePort, Program } from './program.ts';
import { setUp } from './roles.ts';

const HERE = join(root, 'apps/gateway/stress');

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

export interface StageOptions {
  /** Size of the database's disk in megabytes. @default unlimited */
  readonly room?: number;
  /** Connects to the database through a proxy. */
  readonly through?: (port: number) => Promise<number>;
  readonly redis?: boolean;
}

/** A whole installation: database, Redis, server and replicas. */
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
    const postgres = await Postgres.start({ room });
    const redisPort = await freePort();
    const redis = wantsRedis ? Stage.#redisAt(redisPort) : undefined;
    const upstream = await Program.start([join(HERE, 'upstream.mjs'), join(folder, 'sent')]);
    const direct = await setUp(postgres.url);
    const url = new URL(direct.url);
    if (through !== undefined) url.port = String(await through(postgres.port));
    const environment = {
      DATABASE_URL: url.href,
      ...(wantsRedis ? { REDIS_URL: `redis://127.0.0.1:${redisPort}` } : {}),
      SALLYPORT_KEY: randomBytes(32).toString('hex'),
      SALLYPORT_SECRETS_KEY: randomBytes(32).toString('hex'),
      SALLYPORT_OPEN: upstream.origin,
      SALLYPORT_RATE: '10000000',
      SALLYPORT_ANCHORS: join(folder, 'anchors'),
    };
    await migrate(direct.ownerUrl);
    const config = readConfig(environment);
    const audit = { keys: auditKeysOf(config.keysFor('audit')) };
    const database = openDatabase(direct.url, { max: 4, audit });
    const workspace = await createWorkspace(database, 'stage');
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
      { allowUnknown: true },
    );
    return stage;
  }

  static #redisAt(port: number): ChildProcess {
    const nothing = ['--save', '', '--appendonly', 'no', '--dir', tmpdir()];
    return spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', ...nothing], { stdio: 'ignore' });
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

  /** Sends commands to Redis, and does not wait for its answers. */
  tellRedis(...commands: readonly string[]): void {
    const socket = connect(Number(new URL(this.environment.REDIS_URL ?? '').port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.end(`${commands.join('\r\n')}\r\n`);
    socket.resume();
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

  /** The recipients that the server has sent to. */
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
