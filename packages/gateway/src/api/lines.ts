const CHUNK = 64 * 1024;
/** Milliseconds that a reader has for what waits. Meanwhile a connection to the database is his. */
const PATIENCE = 8000;

/** A stream that others write lines to, no faster than it is read. */
export class LineStream {
  readonly body: ReadableStream<Uint8Array>;
  readonly #patience: number;
  readonly #encoder = new TextEncoder();
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #waiting = '';
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

  /** Rejects where nobody reads any more, or too slowly. */
  async write(line: string): Promise<void> {
    this.#waiting += `${line}\n`;
    if (this.#waiting.length >= CHUNK) await this.#flush();
  }

  async #flush(): Promise<void> {
    await this.#room();
    this.#controller.enqueue(this.#encoder.encode(this.#waiting));
    this.#waiting = '';
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
    if (this.#isGone) throw new Error('Nobody reads the export, or too slowly.');
  }

  async end(): Promise<void> {
    await this.#flush();
    this.#controller.close();
  }

  /** Breaks off: whoever reads must not take this for the whole. */
  fail(): void {
    this.#isGone = true;
    this.#controller.error(new Error('The export was broken off.'));
  }
}
