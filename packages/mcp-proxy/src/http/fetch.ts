import { UpstreamError } from './failure.ts';

export interface GuardedRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
  /** Milliseconds without a byte of the body after which the request fails. */
  readonly idle?: number;
  /**
   * Set it if the answer may stay open for hours: such requests take no connection from others.
   * @default only for `GET`
   */
  readonly isStream?: boolean;
  /** The caller whose share of the open requests it counts against. @default no share */
  readonly countsFor?: string;
}

export interface GuardedResponse {
  readonly status: number;
  /** Values of a repeated header are joined with a comma. */
  header(name: string): string | undefined;
  /** Read it to its end or call `discard`: otherwise the connection stays open until the signal aborts. */
  readonly body: AsyncIterable<Uint8Array>;
  discard(): void;
}

/** Sends requests only to addresses that the rules allow. It follows no redirects and adds no headers. */
export interface GuardedFetch {
  (url: string, request: GuardedRequest): Promise<GuardedResponse>;
  close(): Promise<void>;
}

/**
 * Reads a whole body, which must be UTF-8 and at most `maxBytes` long.
 *
 * @example
 * ```ts
 * const text = await textOf(await fetch(url, request), 1_000_000);
 * ```
 */
export async function textOf({ body, discard }: GuardedResponse, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) {
      discard();
      throw new UpstreamError('oversized', `The server sent an answer of more than ${maxBytes} bytes.`);
    }
    text += decodedBy(decoder, chunk);
  }
  return text + decodedBy(decoder);
}

function decodedBy(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new UpstreamError('content', 'The server sent bytes that are not valid UTF-8.', cause);
  }
}
