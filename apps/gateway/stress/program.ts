import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';

/** A free port. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

interface Usage {
  readonly rss: number;
  readonly heap: number;
  readonly cpu: number;
  readonly block: number;
}

/** A program that prints its port in its first line. */
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

  /** Kills the threads of a replica. */
  killThreads(): void {
    this.child.send({ kill: 'threads' });
  }

  /**
   * Its memory in bytes, after a garbage collection, its processor time in milliseconds since its start, and the longest block of its
   * event loop in milliseconds since the last question.
   */
  async usage(): Promise<Usage> {
    this.child.send({});
    const [message] = await once(this.child, 'message');
    return message as Usage;
  }
}
