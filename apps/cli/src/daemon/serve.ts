import { randomUUID } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import type { HookAnswer, HookEvent, Host } from '../hook/event.ts';
import { HookSessions } from '../hook/sessions.ts';
import { serverToolOf } from '../hook/tools/registry.ts';
import { eachMessage } from '../local-process/lines.ts';
import { type Failed, firstLine, type Hello, sendLine } from '../local-process/wire.ts';
import { notifier } from '../notify.ts';
import { CommandError } from '../terminal-text.ts';
import type { WrapKeys } from '../wrap/key.ts';
import { proxyFor } from '../wrap/proxy.ts';
import { relay } from '../wrap/relay.ts';
import { LOCAL } from '../wrap/session.ts';
import { linesOf } from '../wrap/upstream.ts';
import { CheckedCalls } from './checked-calls.ts';
import { clientOf } from './client-process.ts';
import { Sessions } from './sessions.ts';

type WrapHello = Extract<Hello, { type: 'wrap' }>;

/** Milliseconds that a wrapper has to open its other connections. */
const JOIN_MS = 10_000;

interface Joining {
  readonly resolve: (socket: Socket) => void;
}

function unexpected(cause: unknown): CommandError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CommandError(
    `the local process failed: ${why}`,
    'try it without: SALLYPORT_DAEMON=off sallyport wrap ...',
  );
}

export interface ServiceOptions {
  readonly state: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keys: WrapKeys;
  /** Called when the last connection has ended. */
  readonly onIdle: () => void;
  /** Called when the user asks the process to end. */
  readonly onStop: () => void;
}

/** The work of the local process: the proxies of all wrapped servers of a user. */
export class Service {
  readonly #options: ServiceOptions;
  readonly #sessions: Sessions;
  readonly #hooks: HookSessions;
  readonly #checked = new CheckedCalls();
  readonly #joining = new Map<string, Joining>();
  readonly #server: Server;
  /** One for all wrapped servers, so that they do not show too many together. */
  readonly #notify: (text: string) => void;
  #connections = 0;

  constructor(options: ServiceOptions) {
    this.#options = options;
    const { state, environment, keys } = options;
    this.#sessions = new Sessions(state, keys);
    this.#notify = notifier({ platform: process.platform, environment });
    this.#hooks = new HookSessions({ stateFolder: state, environment, notify: this.#notify });
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket));
  }

  /** The number of open connections. */
  get connections(): number {
    return this.#connections;
  }

  /** Resolves when the socket can be reached. Rejects if another process has it. */
  listen(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(path, () => {
        chmodSync(path, 0o600);
        resolve();
      });
    });
  }

  close(path: string): void {
    this.#server.close();
    rmSync(path, { force: true });
  }

  #accept(socket: Socket): void {
    this.#connections += 1;
    socket.on('close', () => {
      this.#connections -= 1;
      if (this.#connections === 0) this.#options.onIdle();
    });
    // The wrapper has gone: `close` follows.
    socket.on('error', () => undefined);
    void this.#greet(socket).catch(() => socket.destroy());
  }

  async #greet(socket: Socket): Promise<void> {
    const line = await firstLine(socket);
    if (line === undefined) return void socket.destroy();
    const hello = JSON.parse(line) as Hello;
    switch (hello.type) {
      case 'wrap':
        return this.#wrap(socket, hello);
      case 'hook':
        return this.#hook(socket, hello);
      case 'stop':
        socket.end();
        return this.#options.onStop();
      default: {
        const waiting = this.#joining.get(`${hello.type} ${hello.id}`);
        if (waiting === undefined) socket.destroy();
        else waiting.resolve(socket);
      }
    }
  }

  /** Handles an event. What is decided about a call of a server's tool is kept for the wrapper of that server. */
  async #handle({ host, event: given, pid }: Extract<Hello, { type: 'hook' }>): Promise<HookAnswer> {
    const event = given as HookEvent;
    if (event.type !== 'call' || serverToolOf(event.tool) === undefined) return this.#hooks.handle(host as Host, event);
    // Looked up while the event waits: one that arrives later must not overtake it.
    const client = clientOf(pid);
    return this.#hooks.handle(host as Host, event, {
      onCheck: async () => this.#checked.forget(await client, event),
      onChecked: async (checked) => this.#checked.add(await client, event, checked),
    });
  }

  async #hook(socket: Socket, hello: Extract<Hello, { type: 'hook' }>): Promise<void> {
    const answered = await this.#handle(hello).then(
      (answer) => ({ answer }),
      (cause: unknown) => ({ failed: cause instanceof Error ? cause.message : String(cause) }),
    );
    socket.end(`${JSON.stringify(answered)}\n`);
  }

  #join(type: 'client' | 'server', id: string): Promise<Socket> {
    const key = `${type} ${id}`;
    return new Promise<Socket>((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('The wrapper did not connect in time.')), JOIN_MS);
      this.#joining.set(key, {
        resolve: (socket) => {
          clearTimeout(late);
          resolve(socket);
        },
      });
    }).finally(() => this.#joining.delete(key));
  }

  async #wrap(control: Socket, hello: WrapHello): Promise<void> {
    const { state, environment } = this.#options;
    const client = await clientOf(hello.pid);
    const stderr = (text: string): void => sendLine(control, { type: 'stderr', text });
    let connected: ReturnType<typeof proxyFor>;
    try {
      connected = proxyFor(hello, {
        state,
        environment,
        session: (settings) => this.#sessions.of(hello.conversation || client, hello.conversation || LOCAL, settings),
        checkedByHooks: (call) => this.#checked.take(client, call),
        stderr,
        notify: this.#notify,
      });
    } catch (cause) {
      const { message, next, exitCode } = cause instanceof CommandError ? cause : unexpected(cause);
      sendLine(control, { type: 'refused', message, next, exitCode });
      return void control.end();
    }
    const id = randomUUID();
    const joining = Promise.all([this.#join('client', id), this.#join('server', id)]);
    sendLine(control, { type: 'ready', id });
    try {
      const [clientSide, serverSide] = await joining;
      const server = linesOf({
        input: serverSide,
        output: serverSide,
        ended: new Promise((resolve) => serverSide.once('end', () => resolve(0)).once('close', () => resolve(0))),
        kill: (signal) => sendLine(control, { type: 'kill', signal }),
        onFailed: (listener) => eachMessage<Failed>(control, listener),
      });
      // The wrapper was killed.
      control.once('close', () => [clientSide, serverSide].map((socket) => socket.destroy()));
      // The relay destroys its input at the end, and the answers must still be sent.
      const input = clientSide.pipe(new PassThrough());
      await relay(server, connected.proxy, { input, output: clientSide }, stderr);
      clientSide.end();
      sendLine(control, { type: 'done' });
    } finally {
      connected.disconnect();
      control.end();
    }
  }
}
