import type { ToolRegistry } from '@sallyport/core/adapter';
import { ClientSide } from './client/client.ts';
import { Connection, type ConnectOptions, Premises, type Wires } from './connection/connection.ts';
import type { Line } from './message/lines.ts';
import { errorText } from './message/message.ts';
import { ServerSide } from './server/server.ts';
import type { ProxyOptions } from './settings.ts';

/** One client and one server, with the boundary between them. It takes and gives texts of one JSON-RPC message each. */
export interface McpProxy {
  /** A message of the client. Ends when it has gone on, was answered, or waits for a person. */
  fromClient(text: string, wires: Wires): Promise<void>;
  /** A message of the server. False where it was none, so that its bytes belong to whoever reads its log. */
  fromServer(text: string, wires: Wires): Promise<boolean>;
  /** A line of the server that could not be read at all. */
  refuseFromServer(line: Extract<Line, { type: 'refused' }>, wires: Wires): Promise<void>;
  /** Whether the client has said that it can show a form. */
  readonly canElicit: boolean;
  /** Whether every request of the client has been answered. */
  readonly isSettled: boolean;
  /** The server will not answer any more: whoever waits for it is told. */
  abandon(message: string, wires: Wires): void;
  /** Nobody answers questions any more. */
  close(): void;
}

/** The boundary before one server, for any number of connections that know of each other's words. */
export interface Guard {
  /** The server's tools, as the gate knows them. */
  readonly tools: ToolRegistry;
  /** Looks up what is known of the tools from before. */
  load(): Promise<void>;
  connect(options?: ConnectOptions): McpProxy;
}

/** One after the other: an answer must not overtake what was said before it. */
function inTurn(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
}

function connect(premises: Premises, options: ConnectOptions = {}): McpProxy {
  const connection = new Connection(premises, options);
  const client = new ClientSide(connection);
  const server = new ServerSide(connection);
  const clientTurn = inTurn();
  const serverTurn = inTurn();
  return {
    fromClient: (text, wires) => clientTurn(() => client.take(text, wires)),
    fromServer: (text, wires) => serverTurn(() => server.take(text, wires)),
    refuseFromServer: ({ reason, beginning, ending }, wires) =>
      serverTurn(async () => server.refuse(reason, { beginning, ending }, wires)),
    get canElicit() {
      return connection.canElicit;
    },
    get isSettled() {
      return connection.pending.ids.length === 0 && connection.held.size === 0;
    },
    abandon: (message, { toClient }) => {
      for (const id of connection.pending.ids) {
        connection.pending.drop(id);
        toClient(errorText(id, -32603, message));
      }
    },
    close: () => connection.asking.close(),
  };
}

export function createGuard(options: ProxyOptions): Guard {
  const premises = new Premises(options);
  return {
    tools: premises.catalog,
    load: () => premises.catalog.load(),
    connect: (given) => connect(premises, given),
  };
}

/** The boundary between one client and one server. */
export function createProxy(options: ProxyOptions): McpProxy {
  return createGuard(options).connect();
}
