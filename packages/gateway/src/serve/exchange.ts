import type { Guard, McpProxy, Wires } from '@sallyport/mcp-proxy';
import type { UpstreamAnswer, UpstreamMessage } from '../upstream/answer.ts';
import { UpstreamError } from '../upstream/failure.ts';
import type { Mark, Reply } from './reply.ts';

/** A server, as one exchange with a client sees it. */
interface Upstream {
  post(text: string): Promise<UpstreamAnswer>;
}

export interface ExchangeOptions {
  readonly proxy: McpProxy;
  readonly upstream: Upstream;
  readonly reply: Reply;
  /** Told of the first answer of the server, before any of it goes on. */
  readonly onAnswer: (answer: UpstreamAnswer) => void;
}

const ENDED = 'The server ended its answer before it was whole. Whether it acted is not known.';
/** Of our own where a server gave none: what it says in the place of an answer is not passed on. */
const REFUSED: Readonly<Record<number, string>> = {
  401: "The server refused the gateway's credentials. Whoever runs the gateway can mend that.",
  403: 'The server does not allow this to the gateway.',
  429: 'The server has too much to do: try again later.',
};

function messageFor(cause: unknown): string {
  return UpstreamError.isInstance(cause) ? cause.message : 'The server cannot be asked.';
}

function markOf({ id, retry }: UpstreamMessage): Mark {
  return { id, retry };
}

/** One message of a client and all that comes of it, until every request in it is answered. */
export class Exchange {
  readonly #options: ExchangeOptions;
  readonly #deliveries = new Set<Promise<void>>();
  #wake: () => void = () => undefined;
  // A client that comes back gets the rest of a stream that had ids.
  #canResume = false;
  // Nobody waits for it, and a server need not answer it any more.
  #isCancelled = false;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  /** The client waits no longer: what is held does not leave any more. Whoever carries the word tells the server. */
  async cancel(id: unknown): Promise<void> {
    const params = { requestId: id };
    const nobody = { toClient: () => undefined, toServer: () => undefined };
    const text = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    await this.#options.proxy.fromClient(text, nobody);
    this.#isCancelled = true;
    this.#wake();
  }

  async run(text: string): Promise<void> {
    const { proxy, reply } = this.#options;
    const wires = this.#wires({});
    try {
      await proxy.fromClient(text, wires);
      // A call may wait for a person, and leave then.
      while (!proxy.isSettled || this.#deliveries.size > 0) {
        if (proxy.isSettled && (reply.hasBegun || this.#isCancelled)) break;
        // The rest comes to a client that connects again.
        if (this.#canResume && this.#deliveries.size === 0) break;
        await this.#next();
      }
    } finally {
      proxy.close();
      reply.end();
    }
  }

  #wires(mark: Mark): Wires {
    const { reply } = this.#options;
    return {
      toClient: (text) => {
        reply.send(text, mark);
        this.#wake();
      },
      toServer: (text) => this.#deliver(text),
    };
  }

  /** Until something has changed. */
  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #deliver(text: string): void {
    const delivery = this.#carry(text)
      .catch((cause: unknown) => this.#fail(messageFor(cause)))
      .finally(() => {
        this.#deliveries.delete(delivery);
        this.#wake();
      });
    this.#deliveries.add(delivery);
  }

  #fail(message: string): void {
    const { proxy, reply } = this.#options;
    proxy.abandon(message, { toClient: (text) => reply.send(text), toServer: () => undefined });
  }

  async #carry(text: string): Promise<void> {
    const { proxy, reply, upstream, onAnswer } = this.#options;
    const answer = await upstream.post(text);
    onAnswer(answer);
    const { status } = answer;
    const isSuccess = status >= 200 && status < 300;
    if (!isSuccess) reply.status = status === 401 || status === 403 ? 502 : status;
    let isSaid = false;
    for await (const message of answer.messages) {
      isSaid = (await this.#take(message)) || isSaid;
      await reply.drained();
    }
    if (proxy.isSettled || this.#canResume) return;
    if (!isSuccess && !isSaid) this.#fail(REFUSED[status] ?? `The server answered with HTTP status ${status}.`);
    else this.#fail(ENDED);
  }

  /** Whether it was a message. */
  async #take(message: UpstreamMessage): Promise<boolean> {
    const { proxy, reply } = this.#options;
    const mark = markOf(message);
    if (mark.id !== undefined) this.#canResume = true;
    if (message.text === '') {
      reply.mark(mark);
      return false;
    }
    return proxy.fromServer(message.text, this.#wires(mark));
  }
}

export interface RelayOptions {
  /** What whoever listens is guarded by now; undefined where he would not be let in any more. */
  readonly guardNow: () => Promise<Guard | undefined>;
  readonly connect: (guard: Guard) => McpProxy;
  readonly reply: Reply;
  readonly toServer: (text: string) => void;
}

/** What a server says by itself, or says again, until it ends, the client is gone, or may not listen any more. */
export async function relay(answer: UpstreamAnswer, options: RelayOptions): Promise<void> {
  const { guardNow, connect, reply, toServer } = options;
  let known: { readonly guard: Guard; readonly proxy: McpProxy } | undefined;
  reply.stream();
  try {
    for await (const message of answer.messages) {
      const guard = await guardNow();
      if (guard === undefined) return;
      if (known?.guard !== guard) {
        known?.proxy.close();
        known = { guard, proxy: connect(guard) };
      }
      const mark = markOf(message);
      if (message.text === '') reply.mark(mark);
      else await known.proxy.fromServer(message.text, { toClient: (text) => reply.send(text, mark), toServer });
      await reply.drained();
    }
  } finally {
    known?.proxy.close();
    reply.end();
  }
}
