import { AsyncLocalStorage } from 'node:async_hooks';
import type { Wires } from '@sallyport/mcp-proxy';
import { type Connection, type GuardThread, nextNumber, type ThreadError } from './guard-thread.ts';
import type { ConnectionSettings, ConnectionState } from './messages.ts';

export interface ConnectOptions extends ConnectionSettings {
  /** Checks that the request would still be admitted. Called before an approved call is sent. */
  readonly isCurrent?: () => Promise<boolean>;
}

interface RemoteProxyOptions extends ConnectOptions {
  /** The terms of lasting approvals of a tool's calls. */
  readonly terms: (tool: string) => string;
}

/** A connection through a guard that runs in another thread. */
export class RemoteProxy {
  readonly #thread: GuardThread;
  readonly #principal: number;
  readonly #connection: number;
  readonly #wires = new Map<number, Wires>();
  readonly #onLost = new Set<() => void>();
  #state: ConnectionState;
  #lost: ThreadError | undefined;

  constructor(thread: GuardThread, principal: number, server: string, options: RemoteProxyOptions) {
    const {
      isCurrent = () => Promise.resolve(true),
      canElicit,
      conversation,
      showsForms = true,
      lists,
      terms,
    } = options;
    this.#thread = thread;
    this.#principal = principal;
    this.#connection = nextNumber();
    this.#state = { isSettled: true, canElicit };
    const connection: Connection = {
      inContext: AsyncLocalStorage.snapshot(),
      isCurrent,
      terms,
      onSent: (id, to, text, state) => {
        this.#state = state;
        const wires = this.#wires.get(id);
        if (to === 'client') wires?.toClient(text);
        else wires?.toServer(text);
      },
      onState: (state) => {
        this.#state = state;
      },
      onLost: (cause) => {
        this.#lost = cause;
        for (const each of this.#onLost) each();
      },
    };
    thread.addConnection(this.#connection, principal, connection);
    thread.post({
      type: 'connect',
      principal,
      connection: this.#connection,
      server,
      settings: { canElicit, conversation, showsForms, ...(lists === undefined ? {} : { lists }) },
    });
  }

  /** Set if the client declared that it can show forms. */
  get canElicit(): boolean {
    return this.#state.canElicit;
  }

  /** Set once every request of the client was answered. */
  get isSettled(): boolean {
    return this.#state.isSettled;
  }

  /** Why nothing more comes of this connection: its thread has ended. */
  get lost(): ThreadError | undefined {
    return this.#lost;
  }

  /** Calls the listener if the thread ends. */
  onLost(listener: () => void): void {
    this.#onLost.add(listener);
  }

  /** Handles a client's message. Resolves when it was passed on, answered, or waits for a person. */
  async fromClient(text: string, wires: Wires): Promise<void> {
    await this.#run('client', text, wires);
  }

  /** Handles a server's message. False if the text is not a message. */
  async fromServer(text: string, wires: Wires): Promise<boolean> {
    return (await this.#run('server', text, wires)) === true;
  }

  async #run(from: 'client' | 'server', text: string, wires: Wires): Promise<unknown> {
    const id = nextNumber();
    this.#wires.set(id, wires);
    const order = {
      type: 'message',
      principal: this.#principal,
      id,
      connection: this.#connection,
      from,
      text,
    } as const;
    try {
      return await this.#thread.run(order);
    } finally {
      // A client's call may be held, and is then answered later.
      if (from === 'server') this.#wires.delete(id);
    }
  }

  /** Answers all open requests with an error, because the server has gone away. */
  async abandon(message: string, wires: Wires): Promise<void> {
    const id = nextNumber();
    this.#wires.set(id, wires);
    const order = { type: 'abandon', principal: this.#principal, id, connection: this.#connection, message } as const;
    await this.#thread.run(order).finally(() => this.#wires.delete(id));
  }

  /** Ends all open questions without an answer: held calls are answered at once. */
  settle(): void {
    this.#thread.post({ type: 'settle', principal: this.#principal, connection: this.#connection });
  }

  /** Ends the connection. */
  close(): void {
    this.#thread.removeConnection(this.#connection);
    this.#thread.post({ type: 'close', principal: this.#principal, connection: this.#connection });
    this.#wires.clear();
    this.#onLost.clear();
  }
}
