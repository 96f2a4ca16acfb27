import { eventText } from '../upstream/events.ts';

/** What goes with one message in a stream. */
export interface Mark {
  /** Where a client can go on from. */
  readonly id?: string | undefined;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number | undefined;
}

export interface ReplyOptions {
  /** Whether the client takes a stream. */
  readonly acceptsStream: boolean;
  /** Whether the next message is the last one: asked with the first of them. */
  readonly isLast: () => boolean;
  /** The client is gone. */
  readonly onGone: () => void;
  /** Told of each message that is sent. @default nobody */
  readonly onSend?: (text: string) => void;
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Some proxies keep a stream until it ends.
  'x-accel-buffering': 'no',
};
/** Milliseconds after which a silent stream shows that it lives. */
const BEAT = 15_000;
const HIGH_WATER = 1024 * 1024;

function defined({ id, retry }: Mark): { id?: string; retry?: number } {
  return { ...(id === undefined ? {} : { id }), ...(retry === undefined ? {} : { retry }) };
}

/** The answer to one request over HTTP: a single message, a stream of them, or none. Which, is known with the first. */
export class Reply {
  /** Begins as soon as its head is known. */
  readonly response: Promise<Response>;
  /** Of the answer where it is a single message. */
  status = 200;
  readonly headers: Record<string, string> = {};
  readonly #options: ReplyOptions;
  #begin: (response: Response) => void = () => undefined;
  #hasBegun = false;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #wake: () => void = () => undefined;
  #beat: NodeJS.Timeout | undefined;
  readonly #encoder = new TextEncoder();

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.response = new Promise((resolve) => {
      this.#begin = resolve;
    });
  }

  /** Sends a message. The only one goes as JSON, unless the client could go on from it. */
  send(text: string, mark: Mark = {}): void {
    const { isLast, acceptsStream, onSend } = this.#options;
    onSend?.(text);
    if (!this.#hasBegun && mark.id === undefined && isLast()) this.#whole(text);
    else if (!this.#hasBegun && !acceptsStream) this.refuse(406, 'Accept text/event-stream: the answer is a stream.');
    else {
      this.stream();
      this.#write(eventText({ data: text, ...defined(mark) }));
    }
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** An event without a message: a place to go on from. */
  mark(mark: Mark): void {
    if (!this.#hasBegun && !this.#options.acceptsStream) return;
    this.stream();
    this.#write(eventText({ data: '', ...defined(mark) }));
  }

  /** Begins a stream, also where there is nothing to send yet. */
  stream(): void {
    if (this.#hasBegun) return;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#wake(),
        cancel: () => {
          this.#close();
          this.#options.onGone();
        },
      },
      { highWaterMark: HIGH_WATER, size: (chunk) => chunk?.length ?? 0 },
    );
    this.#respond(new Response(body, { status: 200, headers: { ...this.headers, ...STREAM_HEADERS } }));
    this.#beat = setInterval(() => this.#write(': alive\n\n'), BEAT);
    this.#beat.unref();
  }

  /** Ends with a status and a message of our own. */
  refuse(status: number, message: string): void {
    const error = { jsonrpc: '2.0', id: null, error: { code: status < 500 ? -32600 : -32603, message } };
    this.#respond(Response.json(error, { status, headers: this.headers }));
  }

  /** Ends. Where nothing was sent, there was nothing to say. */
  end(): void {
    this.#respond(new Response(null, { status: 202, headers: this.headers }));
    const controller = this.#controller;
    this.#close();
    controller?.close();
  }

  /** Waits until the client has read what was sent. */
  async drained(): Promise<void> {
    while (this.#controller !== undefined && (this.#controller.desiredSize ?? 0) <= 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #whole(text: string): void {
    const headers = { ...this.headers, 'content-type': 'application/json' };
    this.#respond(new Response(text, { status: this.status, headers }));
  }

  #respond(response: Response): void {
    if (this.#hasBegun) return;
    this.#hasBegun = true;
    this.#begin(response);
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }

  #close(): void {
    clearInterval(this.#beat);
    this.#controller = undefined;
    this.#wake();
  }
}
