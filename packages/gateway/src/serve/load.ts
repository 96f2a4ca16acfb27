export interface LoadOptions {
  /** Bytes of messages that are being checked. */
  readonly checking: () => number;
  /** Milliseconds that the event loop may be late. @default 500 */
  readonly maxDelay?: number;
  /** Bytes of messages that may be read and checked at the same time. @default 64 MiB */
  readonly maxBytes?: number;
}

const MAX_DELAY = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const SAMPLE_EVERY = 50;
/** The weight of a new sample. One long pause alone is not an overload. */
const WEIGHT = 0.2;

/** How much a replica has to do. It refuses requests early rather than answering all of them late. */
export class Load {
  readonly #options: LoadOptions;
  readonly #sampling: NodeJS.Timeout;
  #delay = 0;
  #reading = 0;

  constructor(options: LoadOptions) {
    this.#options = options;
    let expectedAt = performance.now() + SAMPLE_EVERY;
    this.#sampling = setInterval(() => {
      const now = performance.now();
      this.recordDelay(Math.max(0, now - expectedAt));
      expectedAt = now + SAMPLE_EVERY;
    }, SAMPLE_EVERY);
    this.#sampling.unref();
  }

  recordDelay(milliseconds: number): void {
    this.#delay += WEIGHT * (milliseconds - this.#delay);
  }

  /** Why no further request should be accepted; undefined if it can be. */
  get excess(): 'delay' | 'bytes' | undefined {
    const { checking, maxDelay = MAX_DELAY, maxBytes = MAX_BYTES } = this.#options;
    if (this.#delay > maxDelay) return 'delay';
    return this.#reading + checking() > maxBytes ? 'bytes' : undefined;
  }

  /** Counts the bytes of a body while it is read. */
  async reading<T>(bytes: number, read: () => Promise<T>): Promise<T> {
    this.#reading += bytes;
    try {
      return await read();
    } finally {
      this.#reading -= bytes;
    }
  }

  close(): void {
    clearInterval(this.#sampling);
  }
}
