const CHUNK = 64 * 1024;
/** Milliseconds that a client may take to read what is pending. Meanwhile it occupies a connection to the database. */
const PATIENCE = 8000;

/** A response body of lines. Writing waits until the client has read enough. */
export class LineStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #patience: number;
  readonly #encoder = new TextEncoder();
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #pending = '';
  #wake: () => void = () => undefined;
  #isGone = false;

  constructor(patience: number = PATIENCE) {
    this.#patience = patience;
    this.body = new ReadableStream({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => this.#wake(),
      cancel: () => {
        this.#isGone = true;
        this.#wake();
      },
    });
  }

  /** Rejects if the client has disconnected, or reads too slowly. */
  async write(line: string): Promise<void> {
    this.#pending += `${line}\n`;
    if (this.#pending.length >= CHUNK) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#room();
    this.#controller.enqueue(this.#encoder.encode(this.#pending));
    this.#pending = '';
  }

  async #room(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.#patience);
    });
    while (!this.#isGone && (this.#controller.desiredSize ?? 0) <= 0) {
      const woken = new Promise<true>((resolve) => {
        this.#wake = () => resolve(true);
      });
      if ((await Promise.race([woken, late])) !== true) this.#isGone = true;
    }
    clearTimeout(timer);
    if (this.#isGone) throw new Error('The client has disconnected, or reads the export too slowly.');
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#controller.close();
  }

  /** Aborts the stream, so that the client does not take it for complete. */
  fail(): void {
    this.#isGone = true;
    this.#controller.error(new Error('The export was aborted.'));
  }
}
