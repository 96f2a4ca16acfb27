// Why not eventsource-parser 3: it delays an event that ends with CR until more bytes arrive (at the end of a stream,
// forever), needs quadratic time for a chunk full of CRs, and reads strings, so the caller would have to detect invalid
// UTF-8.
import { UpstreamError } from './failure.ts';

/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerEvent {
  /** Empty if the event has only an id or a retry time. */
  readonly data: string;
  readonly id?: string;
  /** @default 'message' */
  readonly event?: string;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number;
}

const LF = 10;
const CR = 13;
const RETRY = /^\d{1,9}$/;

function indexOf(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at < 0 ? chunk.length : at;
}

/**
 * Parses events from chunks of bytes. It buffers at most one event, of limited size.
 *
 * @example
 * ```ts
 * const reader = new EventReader(1_000_000);
 * for (const { data } of reader.push(chunk)) handle(data);
 * ```
 */
export class EventReader {
  readonly #maxBytes: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #pieces: Uint8Array[] = [];
  #lineSize = 0;
  #isAfterCr = false;
  #isFirstLine = true;
  #size = 0;
  #data: string[] = [];
  #id: string | undefined;
  #event: string | undefined;
  #retry: number | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  push(chunk: Uint8Array): ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = 0;
    // Each is searched for again only after it was passed: otherwise the server could choose input that takes quadratic
    // time.
    let lf = indexOf(chunk, LF, from);
    let cr = indexOf(chunk, CR, from);
    while (from < chunk.length) {
      const end = Math.min(lf, cr);
      // CR LF ends one line, even if a chunk ends between them.
      const isSecondHalf = this.#isAfterCr && end === from && chunk[end] === LF;
      this.#isAfterCr = chunk[end] === CR;
      this.#take(chunk.subarray(from, end));
      if (end < chunk.length && !isSecondHalf) events.push(...this.#endLine());
      from = end + 1;
      if (lf < from) lf = indexOf(chunk, LF, from);
      if (cr < from) cr = indexOf(chunk, CR, from);
    }
    return events;
  }

  #take(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#lineSize += piece.length;
    if (this.#size + this.#lineSize > this.#maxBytes)
      throw new UpstreamError('oversized', `The server sent an event of more than ${this.#maxBytes} bytes.`);
    this.#pieces.push(piece);
    // A stream may arrive byte by byte, and each piece needs more memory than it holds.
    if (this.#pieces.length > 4096) this.#pieces = [Buffer.concat(this.#pieces)];
  }

  #endLine(): ServerEvent[] {
    if (this.#lineSize === 0) return this.#endEvent();
    const line = this.#line();
    const size = this.#lineSize + 1;
    this.#pieces = [];
    this.#lineSize = 0;
    if (line === '') return this.#endEvent();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    // An empty data line counts too, because it also uses memory.
    this.#size += size;
    const name = colon < 0 ? line : line.slice(0, colon);
    this.#field(name, colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1));
    return [];
  }

  #line(): string {
    try {
      const [only = new Uint8Array()] = this.#pieces;
      const line = this.#decoder.decode(this.#pieces.length > 1 ? Buffer.concat(this.#pieces) : only);
      const isMarked = this.#isFirstLine && line.startsWith('\ufeff');
      this.#isFirstLine = false;
      return isMarked ? line.slice(1) : line;
    } catch (cause) {
      throw new UpstreamError('content', 'The server sent bytes that are not valid UTF-8.', cause);
    }
  }

  #field(name: string, value: string): void {
    if (name === 'data') this.#data.push(value);
    else if (name === 'event') this.#event = value;
    else if (name === 'id' && !value.includes('\0')) this.#id = value;
    else if (name === 'retry' && RETRY.test(value)) this.#retry = Number(value);
  }

  #endEvent(): ServerEvent[] {
    this.#isFirstLine = false;
    if (this.#size === 0) return [];
    const [id, event, retry, data] = [this.#id, this.#event, this.#retry, this.#data];
    this.#data = [];
    this.#id = undefined;
    this.#event = undefined;
    this.#retry = undefined;
    this.#size = 0;
    if (data.length === 0 && id === undefined && retry === undefined) return [];
    return [
      {
        data: data.join('\n'),
        ...(id === undefined ? {} : { id }),
        ...(event === undefined || event === '' ? {} : { event }),
        ...(retry === undefined ? {} : { retry }),
      },
    ];
  }
}

/**
 * The events of a body. An incomplete event at the end is ignored.
 *
 * @example
 * ```ts
 * for await (const { data } of readEvents(response.body, 1_000_000)) handle(data);
 * ```
 */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<ServerEvent> {
  const reader = new EventReader(maxBytes);
  for await (const chunk of chunks) yield* reader.push(chunk);
}

const LINE_END = /\r\n|\r|\n/;
/** A line end in an id or a name would begin another field, and an empty line another event. */
const HAS_LINE_END = /[\r\n\0]/;

/**
 * Formats an event.
 *
 * @example
 * ```ts
 * response.write(eventText({ data: '{"jsonrpc":"2.0"}', id: '7' }));
 * ```
 */
export function eventText({ data, id, event, retry }: ServerEvent): string {
  if (HAS_LINE_END.test(id ?? '') || HAS_LINE_END.test(event ?? ''))
    throw new TypeError('`id` and `event` must not contain a line end or NUL.');
  if (retry !== undefined && !RETRY.test(String(retry)))
    throw new TypeError('`retry` must be a whole number of milliseconds.');
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split(LINE_END).map((line) => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n\n`;
}
