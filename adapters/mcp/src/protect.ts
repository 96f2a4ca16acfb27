import { type Ask, type Conversation, SallyportError, source } from '@sallyport/core';
import { Channel, type ChannelSettings } from './channel.ts';
import { Intake } from './intake.ts';
import { decorate, type TransportLike } from './transport.ts';

export interface ProtectOptions {
  /** Asks a person on the spot. @default a call that is to be asked about is not made */
  readonly ask?: Ask;
}

export interface TransportOptions {
  /** What your application calls this server. A server's own name for itself proves nothing. */
  readonly server: string;
  /**
   * What a tool of this server is called in your definitions and by your model. With more than one server every one needs it:
   * otherwise a server would be trusted for naming its tool like another's. @default the name that the server gives it
   */
  readonly name?: (tool: string) => string;
  /**
   * Whether calls are judged and their results taken in here. false where an adapter of the model's side does both: then results
   * are only annotated, and a person is not asked twice. @default true
   */
  readonly gate?: boolean;
}

/** The seam of an MCP client. */
export interface Protection {
  /** The same transport, for `client.connect`: calls are judged before they leave, and what comes back says where it is from. */
  transport<T extends TransportLike>(inner: T, options: TransportOptions): T;
}

function sameName(tool: string): string {
  return tool;
}

/** Puts the boundary of one conversation between MCP clients and their servers. */
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
          "With several servers each needs a name option, such as (tool) => 'mail_' + tool: two may name a tool alike.",
        );
      const settings = { conversation, intake, ask: options.ask, server, source: from, name, isGate: gate, next, open };
      return decorate(inner, new Channel(settings));
    },
  };
}
