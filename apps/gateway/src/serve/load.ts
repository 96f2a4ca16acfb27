export interface LoadOptions {
  /** Bytes of messages that are being checked. */
  readonly checking: () => number;
  /** Milliseconds that the event loop may be late. @default 500 */
  readonly maxDelay?: number;
  /** Bytes of messages that may be read and checked at the same time. @default 64 MiB */
  readonly maxBytes?: number;
  /** Bytes that the open requests of one principal may have sent. @default 16 MiB */
  readonly maxBytesOfPrincipal?: number;
}

/** Why no more bytes of a request are taken: its principal has sent its share, or the replica has too much to do. */
export type UploadExcess = 'share' | 'bytes';

/** The body of one request, counted as it arrives: the length that a client claims does not count. */
export interface Upload {
  /** Counts bytes that have arrived. Says why no more are taken, if so. */
  add(bytes: number): UploadExcess | undefined;
  /** Call it when the whole body has arrived: from then on those who check it count it. */
  arrived(): void;
  /** Call it when the request has ended. A second call changes nothing. */
  end(): void;
}

const MAX_DELAY = 500;
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_BYTES_OF_PRINCIPAL = 16 * 1024 * 1024;
const SAMPLE_EVERY = 50;
/** The weight of a new sample. One long pause alone is not an overload. */
const WEIGHT = 0.2;

/** How much a replica has to do. It refuses requests early rather than answering all of them late. */
export class Load {
  readonly #options: LoadOptions;
  readonly #sampling: NodeJS.Timeout;
  #delay = 0;
  #reading = 0;
  readonly #bytesOf = new Map<string, number>();

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

  /** Counts a request of a principal from its first byte to its end. */
  upload(principal: string): Upload {
    const { maxBytesOfPrincipal = MAX_BYTES_OF_PRINCIPAL } = this.#options;
    let [reading, sent] = [0, 0];
    const arrived = (): void => {
      this.#reading -= reading;
      reading = 0;
    };
    return {
      add: (bytes) => {
        reading += bytes;
        sent += bytes;
        this.#reading += bytes;
        this.#count(principal, bytes);
        if ((this.#bytesOf.get(principal) ?? 0) > maxBytesOfPrincipal) return 'share';
        return this.excess === 'bytes' ? 'bytes' : undefined;
      },
      arrived,
      end: () => {
        arrived();
        this.#count(principal, -sent);
        sent = 0;
      },
    };
  }

  #count(principal: string, change: number): void {
    const bytes = (this.#bytesOf.get(principal) ?? 0) + change;
    if (bytes === 0) this.#bytesOf.delete(principal);
    else this.#bytesOf.set(principal, bytes);
  }

  close(): void {
    clearInterval(this.#sampling);
  }
}
