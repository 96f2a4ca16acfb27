/** One message of a server, in its text. */
export interface UpstreamMessage {
  /** Empty for an event that carries no message, but an id to go on from or a time to wait. */
  readonly text: string;
  /** The id of its event. */
  readonly id?: string;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number;
}

/** What a server gives for one message, or for a stream. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly session: string | undefined;
  readonly isStream: boolean;
  /** To be read once. Throws where the connection breaks, or what comes cannot be taken. */
  readonly messages: AsyncIterable<UpstreamMessage>;
}
