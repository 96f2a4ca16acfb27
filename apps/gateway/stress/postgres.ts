import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { freePort } from './program.ts';

/** Folder of the PostgreSQL programs; undefined if it is not installed. */
export function postgresBinaries(): string | undefined {
  const folder = '/usr/lib/postgresql';
  const found = existsSync(folder) ? readdirSync(folder).sort((a, b) => Number(b) - Number(a)) : [];
  return found.map((version) => join(folder, version, 'bin')).find((path) => existsSync(join(path, 'initdb')));
}

/** Started by root, the database runs under its own account; otherwise under the current one. */
function asOwner(program: string, args: readonly string[]): readonly [string, readonly string[]] {
  return process.getuid?.() === 0 ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, args];
}

export interface PostgresOptions {
  /** Its data is on a file system of that many megabytes. @default unlimited */
  readonly room?: number | undefined;
  /** Folder of its programs. @default the newest that is installed */
  readonly bin?: string | undefined;
}

/** A PostgreSQL server with its own data folder. */
export class Postgres {
  readonly port: number;
  readonly folder: string;
  readonly #bin: string;

  private constructor(bin: string, folder: string, port: number) {
    this.#bin = bin;
    this.folder = folder;
    this.port = port;
  }

  static async start({ room, bin = postgresBinaries() }: PostgresOptions = {}): Promise<Postgres> {
    if (bin === undefined) throw new Error('There is no PostgreSQL: apt-get install postgresql');
    const base = mkdtempSync(join(tmpdir(), 'sallyport-pg-'));
    if (room !== undefined) execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${room}m`, 'tmpfs', base]);
    chmodSync(base, 0o777);
    const postgres = new Postgres(bin, base, await freePort());
    postgres.run('initdb', ['-D', postgres.#data, '-A', 'trust', '-U', 'postgres', '--encoding=UTF8', '--no-sync']);
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

  /** As a superuser. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Runs one of the server's own programs, such as pg_dump, as its user. */
  run(program: string, args: readonly string[]): void {
    const [name, given] = asOwner(join(this.#bin, program), args);
    execFileSync(name, [...given], { stdio: 'pipe' });
  }

  async up(): Promise<void> {
    this.run('pg_ctl', ['-D', this.#data, '-l', join(this.folder, 'log'), '-w', 'start']);
  }

  /** Like a power failure, except that the disk keeps everything. */
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

  /** Changes settings without a restart. */
  set(sql: string): void {
    const options = encodeURIComponent('-c default_transaction_read_only=off');
    const url = `${this.url}?options=${options}`;
    this.run('psql', [url, '-q', '-v', 'ON_ERROR_STOP=1', '-c', sql, '-c', 'select pg_reload_conf()']);
  }

  /** Does something while a transaction of the gateway's database keeps an old snapshot, as a backup does. */
  async underSnapshot<Result>(work: () => Promise<Result>): Promise<Result> {
    const sql = postgres(this.url, { max: 1, database: 'sallyport' });
    try {
      const held = await sql.reserve();
      await held`begin isolation level repeatable read`;
      await held`select count(*) from pg_class`;
      const result = await work();
      await held`rollback`;
      held.release();
      return result;
    } finally {
      await sql.end();
    }
  }

  remove(): void {
    try {
      this.run('pg_ctl', ['-D', this.#data, '-m', 'immediate', 'stop']);
    } catch {
      // It is stopped already.
    }
    spawnSync('umount', ['-l', this.folder]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
