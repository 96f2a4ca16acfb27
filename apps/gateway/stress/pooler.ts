import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './program.ts';

export type PoolMode = 'session' | 'transaction';

/** The version of PgBouncer; undefined if it is not installed. */
export function poolerVersion(): string | undefined {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  return /PgBouncer (\S+)/.exec(stdout ?? '')?.[1];
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** PgBouncer with its defaults, before a server that trusts everybody. */
export class Pooler {
  readonly port: number;
  #child: ChildProcess;
  readonly #folder: string;

  private constructor(child: ChildProcess, folder: string, port: number) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
  }

  static async start(server: number, mode: PoolMode): Promise<Pooler> {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-pooler-'));
    const port = await freePort();
    const settings = [
      '[databases]',
      `* = host=127.0.0.1 port=${server} auth_user=postgres`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users')}`,
      `pool_mode = ${mode}`,
      'max_client_conn = 500',
      'admin_users = postgres',
    ];
    writeFileSync(join(folder, 'users'), '"postgres" ""\n');
    writeFileSync(join(folder, 'settings'), `${settings.join('\n')}\n`);
    spawnSync('chmod', ['-R', 'a+rX', folder]);
    return new Pooler(await Pooler.#run(folder, port), folder, port);
  }

  static async #run(folder: string, port: number): Promise<ChildProcess> {
    const asUser = process.getuid?.() === 0 ? ['-u', 'postgres'] : [];
    const child = spawn('pgbouncer', ['-q', ...asUser, join(folder, 'settings')], { stdio: 'ignore' });
    for (let tries = 0; tries < 100 && !(await isListening(port)); tries++) await pause(50);
    return child;
  }

  /** Kills it, waits, and starts it again at the same port. */
  async restart(milliseconds: number): Promise<void> {
    this.#child.kill('SIGKILL');
    await pause(milliseconds);
    this.#child = await Pooler.#run(this.#folder, this.port);
  }

  stop(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
