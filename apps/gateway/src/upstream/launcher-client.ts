import { stat } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { UpstreamError } from '@sallyport/mcp-proxy/http';
import { type LaunchAnswer, type LaunchRequest, readFirstLine } from './launch-protocol.ts';
import { type Child, type ProcessEvents, readMessages, writeMessage } from './process.ts';

/** A command as the launcher describes it. */
export interface LaunchableCommand {
  readonly name: string;
  readonly workspaces: readonly string[];
  readonly isStateless: boolean;
}

const TIMEOUT = 10_000;
/** Milliseconds that the launcher has to end a child. */
const STOP_TIMEOUT = 5000;
const OTHERS_WRITE = 0o002;

const UNREACHABLE =
  'The launcher of child processes cannot be reached: try again in a moment. If it lasts, the operator has to check that `sallyport gateway launcher` runs, and that SALLYPORT_LAUNCHER names its socket.';

const REFUSED = {
  unknown: ['launcher', 'The launcher has no such command for this workspace: ask the operator to add it.'],
  changed: ['launcher', 'The command of this server has changed: send the request again.'],
  full: ['busy', 'The launcher has as many child processes as it may have: try again later.'],
  failed: ['process', 'The server cannot be started: the operator has to check its command.'],
} as const;

/** A child process that the launcher runs. */
class LaunchedChild implements Child {
  readonly #socket: Socket;
  readonly #gone: Promise<void>;

  constructor(socket: Socket, events: ProcessEvents) {
    this.#socket = socket;
    this.#gone = new Promise((resolve) => socket.once('close', () => resolve()));
    readMessages(socket, (line) => events.onLine(line));
    socket.resume();
    void this.#gone.then(() => events.onGone());
  }

  write(text: string): boolean {
    return writeMessage(this.#socket, text);
  }

  async stop(): Promise<void> {
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), STOP_TIMEOUT);
    await this.#gone;
    clearTimeout(timer);
  }

  kill(): void {
    this.#socket.destroy();
  }
}

/** Connects to a launcher: a process of another user that runs servers, so that they cannot read what the gateway knows. */
export class LauncherClient {
  readonly #path: string;
  readonly #user: number | undefined;

  /** @param user the user of this process */
  constructor(path: string, user: number | undefined = process.getuid?.()) {
    this.#path = path;
    this.#user = user;
  }

  /** Undefined if the launcher has no command of that name. */
  async describe(name: string): Promise<LaunchableCommand | undefined> {
    const { socket, answer } = await this.#ask({ launch: 1, command: name });
    socket.destroy();
    if (answer.type !== 'command') return undefined;
    return { name, workspaces: answer.workspaces, isStateless: answer.stateless };
  }

  async start({ name, isStateless }: LaunchableCommand, workspace: string, events: ProcessEvents): Promise<Child> {
    const request = { launch: 1, command: name, start: { workspace, stateless: isStateless } } as const;
    const { socket, answer } = await this.#ask(request);
    if (answer.type === 'started') return new LaunchedChild(socket, events);
    socket.destroy();
    const [code, message] = REFUSED[answer.type === 'refused' ? answer.reason : 'unknown'];
    throw new UpstreamError(code, message);
  }

  async #ask(request: LaunchRequest): Promise<{ readonly socket: Socket; readonly answer: LaunchAnswer }> {
    await this.#check();
    const socket = connect(this.#path);
    // Later errors are followed by `close`.
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), TIMEOUT);
    try {
      socket.write(`${JSON.stringify(request)}\n`);
      const answer = JSON.parse(await readFirstLine(socket)) as LaunchAnswer;
      return { socket, answer };
    } catch (cause) {
      socket.destroy();
      throw new UpstreamError('launcher', UNREACHABLE, cause);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Refuses a launcher that would not keep children apart from the gateway, or that someone else could replace. */
  async #check(): Promise<void> {
    const [socket, folder] = await Promise.all([stat(this.#path), stat(dirname(this.#path))]).catch(
      (cause: unknown) => {
        throw new UpstreamError('launcher', UNREACHABLE, cause);
      },
    );
    if (socket.uid === this.#user)
      throw new UpstreamError(
        'launcher',
        'The launcher runs as the same user as the gateway, so that child processes could read its keys: the operator has to run `sallyport gateway launcher` as another user.',
      );
    if ((folder.mode & OTHERS_WRITE) !== 0)
      throw new UpstreamError(
        'launcher',
        "Everyone can write to the folder of the launcher's socket: the operator has to set its mode to 0750.",
      );
  }
}
