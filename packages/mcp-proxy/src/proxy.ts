import { Serial, type ToolRegistry } from '@sallyport/core/adapter';
import { ClientSide } from './client/client.ts';
import { Connection, type ConnectOptions, GuardState, type Wires } from './connection/connection.ts';
import type { Line } from './message/lines.ts';
import { errorText } from './message/message.ts';
import { ServerSide } from './server/server.ts';
import type { ProxyOptions } from './settings.ts';

/** The boundary between one client and one server. It receives and sends texts of one JSON-RPC message each. */
export interface McpProxy {
  /** Handles a client's message. Resolves when it was passed on, answered, or waits for a person. */
  fromClient(text: string, wires: Wires): Promise<void>;
  /** Handles a server's message. False if the text is not a message and belongs in the server's log. */
  fromServer(text: string, wires: Wires): Promise<boolean>;
  /** Handles a line of the server that could not be read. */
  refuseFromServer(line: Extract<Line, { type: 'refused' }>, wires: Wires): Promise<void>;
  /** Set when the client declares that it can show forms. */
  readonly canElicit: boolean;
  /** True if every request of the client has been answered. */
  readonly isSettled: boolean;
  /** Answers all open requests with an error, because the server has gone away; with an id, only that request. */
  abandon(message: string, wires: Wires, id?: string | number): void;
  /** Ends all open questions without an answer. */
  close(): void;
}

/** The boundary in front of one server, for any number of connections that share their conversations. */
export interface Guard {
  /** The server's tools as the gate sees them. */
  readonly tools: ToolRegistry;
  /** Loads the pinned tools. */
  load(): Promise<void>;
  /** Opens a connection. */
  connect(options?: ConnectOptions): McpProxy;
}

function connect(guardState: GuardState, options: ConnectOptions = {}): McpProxy {
  const connection = new Connection(guardState, options);
  const client = new ClientSide(connection);
  const server = new ServerSide(connection);
  // Each side in order: an answer must not overtake an earlier message.
  const clientQueue = new Serial();
  const serverQueue = new Serial();
  return {
    fromClient: (text, wires) => clientQueue.run(() => client.receive(text, wires)),
    fromServer: (text, wires) => serverQueue.run(() => server.receive(text, wires)),
    refuseFromServer: ({ reason, beginning, ending }, wires) =>
      serverQueue.run(async () => server.refuse(reason, { beginning, ending }, wires)),
    get canElicit() {
      return connection.canElicit;
    },
    get isSettled() {
      return connection.pending.ids.length === 0 && connection.heldRequests.size === 0;
    },
    abandon: (message, { toClient }, only) => {
      for (const id of connection.pending.ids) {
        if (only !== undefined && id !== only) continue;
        connection.pending.drop(id);
        toClient(errorText(id, -32603, message));
      }
    },
    close: () => connection.questions.close(),
  };
}

/**
 * Creates the boundary in front of one server, for several connections.
 *
 * @example
 * ```ts
 * const guard = createGuard({ server: 'mail', principal: 'ann', key, pins, randomId: randomUUID });
 * await guard.load();
 * const proxy = guard.connect({ conversation: 'thread-1' });
 * ```
 */
export function createGuard(options: ProxyOptions): Guard {
  const guardState = new GuardState(options);
  return {
    tools: guardState.catalog,
    load: () => guardState.catalog.load(),
    connect: (given) => connect(guardState, given),
  };
}

/**
 * Creates the boundary between one client and one server.
 *
 * @example
 * ```ts
 * const proxy = createProxy({ server: 'mail', principal: 'ann', key: randomBytes(32), pins, randomId: randomUUID });
 * await proxy.fromClient(text, { toClient: send, toServer: forward });
 * ```
 */
export function createProxy(options: ProxyOptions): McpProxy {
  return createGuard(options).connect();
}
