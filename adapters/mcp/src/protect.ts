import { type Ask, type Conversation, SallyportError, source } from '@sallyport/core';
import { Channel, type ChannelSettings } from './channel.ts';
import { Intake } from './intake.ts';
import { decorate, type TransportLike } from './transport.ts';

/** Options of `protect`. */
export interface ProtectOptions {
  /** Asks a person while the call waits. @default a held call is not made, and the model is told that an approval is pending */
  readonly ask?: Ask;
}

/** Options of `transport`. */
export interface TransportOptions {
  /** Your application's name for this server. A server's own name for itself proves nothing. */
  readonly server: string;
  /**
   * The name of a tool of this server in your definitions and for your model. Required for every server if there are several:
   * otherwise a server would be trusted for naming its tool like another's. @default the server's name for the tool
   */
  readonly name?: (tool: string) => string;
  /**
   * Checks calls and records their results here. Set it to false if an adapter on the model's side does both: then
   * results are only annotated, and a person is not asked twice. @default true
   */
  readonly gate?: boolean;
}

/** The place where the boundary hooks into an MCP client. */
export interface Protection {
  /** The same transport, for `client.connect`. Checks calls before they are sent, and writes the source into their results. */
  transport<T extends TransportLike>(inner: T, options: TransportOptions): T;
}

function sameName(tool: string): string {
  return tool;
}

/**
 * Puts the boundary of one conversation between MCP clients and their servers.
 *
 * @example
 * ```ts
 * const { transport } = protect(boundary.conversation('chat-1'));
 * await client.connect(transport(new StdioClientTransport({ command: 'mail-server' }), { server: 'mail' }));
 * ```
 */
export function protect(conversation: Conversation, options: ProtectOptions = {}): Protection {
  const intake = new Intake(conversation);
  let count = 0;
  const next = (): number => ++count;
  const names = new Map<string, (tool: string) => string>();
  const open: ChannelSettings['open'] = new Map();
  return {
    transport(inner, { server, name = sameName, gate = true }) {
      const from = source('external', { name: server });
      if (gate) names.set(server, name);
      if (names.size > 1 && [...names.values()].includes(sameName))
        throw new SallyportError(
          'ERR_INVALID_OPTION',
          "With several servers, each must have a `name` option, such as (tool) => 'mail_' + tool: two servers may use the same name for a tool.",
        );
      const settings = { conversation, intake, ask: options.ask, server, source: from, name, isGate: gate, next, open };
      return decorate(inner, new Channel(settings));
    },
  };
}
