/** One message of a server, as text. */
export interface UpstreamMessage {
  /** Empty for an event that has only an id or a retry time. */
  readonly text: string;
  /** The id of its event. */
  readonly id?: string;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number;
}

/** A server's answer to one request. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly session: string | undefined;
  readonly isStream: boolean;
  /** Can be read once. Throws if the connection breaks, or if the content is not acceptable. */
  readonly messages: AsyncIterable<UpstreamMessage>;
}
