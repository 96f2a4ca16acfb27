import type { Wires } from '@sallyport/mcp-proxy';
import { type UpstreamAnswer, UpstreamError, type UpstreamMessage } from '@sallyport/mcp-proxy/http';
import type { EventMetadata, Reply } from './reply.ts';
import type { RemoteGuard } from './thread/remote-principal.ts';
import type { RemoteProxy } from './thread/remote-proxy.ts';

/** The part of a server that an exchange uses. */
interface Upstream {
  post(text: string): Promise<UpstreamAnswer>;
}

export interface ExchangeOptions {
  readonly proxy: RemoteProxy;
  readonly upstream: Upstream;
  readonly reply: Reply;
  /** Called with each answer of the server before any of its messages are forwarded. */
  readonly onAnswer: (answer: UpstreamAnswer) => void;
}

const ENDED = 'The server closed the connection before its answer was complete. It is not known whether it acted.';
/** Messages for a server's error status. The server's own error body is untrusted and is not forwarded. */
const REFUSED: Readonly<Record<number, string>> = {
  401: "The server refused the gateway's credentials: an administrator has to update them.",
  403: 'The server refused this request of the gateway.',
  429: 'The server refused the request because there are too many: try again later.',
};

/** Recognizes a call that never left: the gateway has too much to do, or cannot start the server at the moment. */
export function isTemporary(cause: unknown): boolean {
  return UpstreamError.isInstance(cause) && (cause.code === 'busy' || cause.code === 'launcher');
}

function messageFor(cause: unknown): string {
  return UpstreamError.isInstance(cause) ? cause.message : 'The request could not be sent to the server.';
}

function metadataOf({ id, retry }: UpstreamMessage): EventMetadata {
  return { id, retry };
}

/** One message of a client, from its arrival until its request is answered. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #deliveries = new Set<Promise<void>>();
  #wake: () => void = () => undefined;
  // The server's events have ids, so a client that reconnects gets the rest.
  #canResume = false;
  // The client has cancelled, so the exchange no longer waits for the server.
  #isCancelled = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** Cancels a request: a held call will not be sent. The request that carries the cancellation forwards it to the server. */
  async cancel(id: unknown): Promise<void> {
    const params = { requestId: id };
    const discard = { toClient: () => undefined, toServer: () => undefined };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await this.#options.proxy.fromClient(text, discard);
    this.#isCancelled = true;
    this.#wake();
  }

  /** Ends the reply, unless it fails: then the caller says why. */
  async run(text: string): Promise<void> {
    const { proxy, reply } = this.#options;
    const wires = this.#wires({});
    proxy.onLost(() => this.#wake());
    try {
      await proxy.fromClient(text, wires);
      // A call may be held for approval and be sent later.
      while (!proxy.isSettled || this.#deliveries.size > 0) {
        if (proxy.isSettled && (reply.hasBegun || this.#isCancelled)) break;
        // The client gets the rest when it reconnects.
        if (this.#canResume && this.#deliveries.size === 0) break;
        if (proxy.lost !== undefined) throw proxy.lost;
        await this.#changed();
      }
      reply.end();
    } finally {
      proxy.close();
    }
  }

  #wires(metadata: EventMetadata): Wires {
    const { reply } = this.#options;
    return {
      toClient: (text) => {
        reply.send(text, metadata);
        this.#wake();
      },
      toServer: (text) => this.#deliver(text),
    };
  }

  /** Resolves when a message was sent or a delivery has ended. */
  #changed(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #deliver(text: string): void {
    const delivery = this.#forward(text)
      .catch((cause: unknown) => {
        if (isTemporary(cause)) this.#options.reply.status = 503;
        return this.#fail(messageFor(cause));
      })
      // The thread has ended: `run` says so.
      .catch(() => undefined)
      .finally(() => {
        this.#deliveries.delete(delivery);
        this.#wake();
      });
    this.#deliveries.add(delivery);
  }

  async #fail(message: string): Promise<void> {
    const { proxy, reply } = this.#options;
    await proxy.abandon(message, { toClient: (text) => reply.send(text), toServer: () => undefined });
  }

  async #forward(text: string): Promise<void> {
    const { proxy, reply, upstream, onAnswer } = this.#options;
    const answer = await upstream.post(text);
    onAnswer(answer);
    const { status } = answer;
    const isSuccess = status >= 200 && status < 300;
    if (!isSuccess) reply.status = status === 401 || status === 403 ? 502 : status;
    let hasMessage = false;
    for await (const message of answer.messages) {
      hasMessage = (await this.#takeMessage(message)) || hasMessage;
      await reply.drained();
    }
    if (proxy.isSettled || this.#canResume) return;
    const isRefused = !isSuccess && !hasMessage;
    await this.#fail(isRefused ? (REFUSED[status] ?? `The server answered with HTTP status ${status}.`) : ENDED);
  }

  /** Forwards one event. Returns whether it contained a message. */
  async #takeMessage(message: UpstreamMessage): Promise<boolean> {
    const { proxy, reply } = this.#options;
    const metadata = metadataOf(message);
    if (metadata.id !== undefined) this.#canResume = true;
    if (message.text === '') {
      reply.sendMetadata(metadata);
      return false;
    }
    return proxy.fromServer(message.text, this.#wires(metadata));
  }
}

export interface RelayOptions {
  /** The guard that applies to the listener now; undefined if the listener would be refused. */
  readonly currentGuard: () => Promise<RemoteGuard | undefined>;
  readonly connect: (guard: RemoteGuard) => RemoteProxy;
  readonly reply: Reply;
  readonly toServer: (text: string) => void;
}

/** Forwards the messages that a server sends by itself, until it ends, the client disconnects, or loses access. */
export async function relay(answer: UpstreamAnswer, options: RelayOptions): Promise<void> {
  const { currentGuard, connect, reply, toServer } = options;
  let current: { readonly guard: RemoteGuard; readonly proxy: RemoteProxy } | undefined;
  reply.stream();
  try {
    for await (const message of answer.messages) {
      const guard = await currentGuard();
      if (guard === undefined) return;
      if (current?.guard !== guard) {
        current?.proxy.close();
        current = { guard, proxy: connect(guard) };
      }
      const metadata = metadataOf(message);
      if (message.text === '') reply.sendMetadata(metadata);
      else await current.proxy.fromServer(message.text, { toClient: (text) => reply.send(text, metadata), toServer });
      await reply.drained();
    }
  } finally {
    current?.proxy.close();
    reply.end();
  }
}
