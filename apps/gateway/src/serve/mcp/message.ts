import { parseJson } from '@sallyport/core/json';
/** A JSON-RPC message as a client sent it. Every field is unchecked. */
export interface ClientMessage {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly result?: unknown;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>>; readonly requestId?: unknown };
}

const CONVERSATION = 'sallyport-conversation';
const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';

/** Invalid JSON yields an empty message: the proxy answers it with a parse error. */
export function parseMessage(text: string): ClientMessage {
  try {
    return (parseJson(text) ?? {}) as ClientMessage;
  } catch {
    return {};
  }
}

/** Recognizes the protocol of 2026, which has no `initialize`. */
export function isModern({ method, params }: ClientMessage): boolean {
  return method === 'server/discover' || params?._meta?.[PROTOCOL_VERSION] !== undefined;
}

/** The conversation that the host names in a header, if it is a valid name. */
export function conversationIn(headers: Headers): string | undefined {
  const id = headers.get(CONVERSATION) ?? '';
  return /^[ -~]{1,256}$/.test(id) ? id : undefined;
}

export function acceptsStream(headers: Headers): boolean {
  return /text\/event-stream|\*\/\*/.test(headers.get('accept') ?? '');
}
