import { eventText } from '@sallyport/mcp-proxy/http';

/** Fields of a server-sent event besides its message. */
export interface EventMetadata {
  /** Lets a client resume the stream after this event. */
  readonly id?: string | undefined;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number | undefined;
}

export interface ReplyOptions {
  /** Set if the client accepts `text/event-stream`. */
  readonly acceptsStream: boolean;
  /** Checks that the next message is the only one. Called before the first message is sent. */
  readonly isLast: () => boolean;
  /** Called when the client disconnects. */
  readonly onGone: () => void;
  /** Called with each message before it is sent. */
  readonly onSend?: (text: string) => void;
}

const STREAM_HEADERS = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // Stops nginx from buffering the stream.
  'x-accel-buffering': 'no',
};
/** Milliseconds between comments that keep an idle connection open. */
const KEEP_ALIVE = 15_000;
const HIGH_WATER = 1024 * 1024;

function defined({ id, retry }: EventMetadata): { id?: string; retry?: number } {
  return { ...(id === undefined ? {} : { id }), ...(retry === undefined ? {} : { retry }) };
}

/** The HTTP response to one request: a single JSON message, a stream of messages, or none. The first message decides which. */
export class Reply {
  /** Resolves when the status and headers are known. */
  readonly response: Promise<Response>;
  /** Status of a single JSON message. */
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

  /** Sends a message. A single message without an event id is sent as JSON. */
  send(text: string, metadata: EventMetadata = {}): void {
    const { isLast, acceptsStream, onSend } = this.#options;
    onSend?.(text);
    if (!this.#hasBegun && metadata.id === undefined && isLast()) this.#sendWhole(text);
    else if (!this.#hasBegun && !acceptsStream)
      this.refuse(406, 'The answer is a stream: the Accept header must include text/event-stream.');
    else {
      this.stream();
      this.#write(eventText({ data: text, ...defined(metadata) }));
    }
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Sends an event without a message, which gives the client an id to resume from. */
  sendMetadata(metadata: EventMetadata): void {
    if (!this.#hasBegun && !this.#options.acceptsStream) return;
    this.stream();
    this.#write(eventText({ data: '', ...defined(metadata) }));
  }

  /** Begins a stream before there is a message to send. */
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
    this.#beat = setInterval(() => this.#write(': alive\n\n'), KEEP_ALIVE);
    this.#beat.unref();
  }

  /** Answers with a JSON-RPC error. */
  refuse(status: number, message: string): void {
    const error = { jsonrpc: '2.0', id: null, error: { code: status < 500 ? -32600 : -32603, message } };
    this.#respond(Response.json(error, { status, headers: this.headers }));
  }

  /** Ends the response. If nothing was sent, the status is 202. */
  end(): void {
    this.#respond(new Response(null, { status: 202, headers: this.headers }));
    const controller = this.#controller;
    this.#close();
    controller?.close();
  }

  /** Waits until the client has read enough of what was sent. */
  async drained(): Promise<void> {
    while (this.#controller !== undefined && (this.#controller.desiredSize ?? 0) <= 0)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
  }

  #sendWhole(text: string): void {
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
