import { UpstreamError } from '@sallyport/mcp-proxy/http';
import type { Id } from './message.ts';

/** Where the messages of a server go. Each call resolves when the client can take more. */
export interface Receiver {
  message(text: string): Promise<void>;
  /** A request cannot be answered. */
  failed(id: Id, message: string): Promise<void>;
}

/** A way to send messages to a server. */
export interface Transport {
  /** Sends a message. Resolves when the server has answered it. Never rejects. */
  send(text: string): Promise<void>;
  /** Ends the session and all streams. */
  close(): Promise<void>;
}

export const BROKEN = 'The connection to the server ended before the answer.';

/** The text for the client. Other errors may quote what the server sent, so they are not shown. */
export function failureText(cause: unknown): string {
  return UpstreamError.isInstance(cause) ? cause.message : BROKEN;
}
