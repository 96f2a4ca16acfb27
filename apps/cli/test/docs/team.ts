import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { Machine } from './shell.ts';

const SERVER = new URL(process.env.DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/test');

export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function psql(sql: string): string {
  return execFileSync('psql', [SERVER.href, '-q'], { input: sql, stdio: 'pipe' }).toString();
}

/** A reader's machine with PostgreSQL, on which a gateway gets a database, roles and a port of its own. */
export class Team extends Machine {
  readonly #name = `sallyport_docs_${randomBytes(6).toString('hex')}`;
  readonly port: number;

  private constructor(port: number, environment: NodeJS.ProcessEnv) {
    super({ ...environment, PORT: String(port) });
    this.port = port;
    const name = this.#name;
    this.substitutions.push(
      ['sallyport_owner', `${name}_owner`],
      ['role sallyport ', `role ${name} `],
      ['database sallyport ', `database ${name} `],
      ['//sallyport:', `//${name}:`],
      ['@localhost/sallyport', `@${SERVER.host}/${name}`],
      ['localhost:8080', `localhost:${port}`],
      ['/tmp/', `${this.test.folder}/`],
      ['/srv/', `${this.test.folder}/srv/`],
    );
  }

  /** @param environment of all shells: what only a test needs, such as addresses of this machine that servers may have */
  static async make(environment: NodeJS.ProcessEnv = {}): Promise<Team> {
    return new Team(await freePort(), environment);
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Runs a block of SQL as an administrator. Its first line may fail: the group exists on a server with another gateway. */
  administer(block: string): void {
    psql(this.substituted(block));
  }

  /** A request of an agent to a server behind the gateway. */
  async ask(key: string, server: string, method: string, params: object = {}): Promise<string> {
    const accept = 'application/json, text/event-stream';
    const response = await fetch(`${this.origin}/mcp/${server}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.text();
  }

  override async remove(): Promise<void> {
    await super.remove();
    const name = this.#name;
    psql(
      `drop database if exists ${name} with (force);\ndrop role if exists ${name};\ndrop role if exists ${name}_owner;`,
    );
  }
}
