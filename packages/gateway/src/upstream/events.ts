// A reader of our own. eventsource-parser 3 can be bounded, but it holds an event whose last byte is a CR back until
// more comes (at the end of a stream: for ever), takes time by the square of the length of a chunk full of CRs, and
// reads texts, so that bytes which are no UTF-8 are somebody else's affair.
import { UpstreamError } from './failure.ts';

/** One event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerEvent {
  /** Empty where the event only gives an id to go on from, or a time to wait. */
  readonly data: string;
  readonly id?: string;
  /** @default message */
  readonly event?: string;
  /** Milliseconds to wait before connecting again. */
  readonly retry?: number;
}

const LF = 10;
const CR = 13;
const RETRY = /^\d{1,9}$/;

function placeOf(chunk: Uint8Array, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at < 0 ? chunk.length : at;
}

/** Cuts bytes into events, wherever the pieces end. Holds at most one event, of the size allowed. */
export class EventReader {
  readonly #longest: number;
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

  constructor(longest: number) {
    this.#longest = longest;
  }

  push(chunk: Uint8Array): ServerEvent[] {
    const events: ServerEvent[] = [];
    let from = 0;
    // Each is searched for only once it was passed: a stranger decides which of them there are.
    let lf = placeOf(chunk, LF, from);
    let cr = placeOf(chunk, CR, from);
    while (from < chunk.length) {
      const end = Math.min(lf, cr);
      // Of CR and LF together only the first ends a line, also where a chunk ends between them.
      const isSecondHalf = this.#isAfterCr && end === from && chunk[end] === LF;
      this.#isAfterCr = chunk[end] === CR;
      this.#take(chunk.subarray(from, end));
      if (end < chunk.length && !isSecondHalf) events.push(...this.#endLine());
      from = end + 1;
      if (lf < from) lf = placeOf(chunk, LF, from);
      if (cr < from) cr = placeOf(chunk, CR, from);
    }
    return events;
  }

  #take(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#lineSize += piece.length;
    if (this.#size + this.#lineSize > this.#longest)
      throw new UpstreamError('oversized', 'The server sent a longer event than the gateway takes.');
    this.#pieces.push(piece);
    // A stream may come byte by byte, and each piece costs more than it holds.
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
    // Also an empty line of data costs something.
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
      throw new UpstreamError('content', 'The server sent bytes that are no UTF-8.', cause);
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

/** The events of a body. What stands behind the last empty line is no event. */
export async function* readEvents(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<ServerEvent> {
  const reader = new EventReader(longest);
  for await (const chunk of chunks) yield* reader.push(chunk);
}

const LINE_END = /\r\n|\r|\n/;
/** A line end in one of these would begin a field of its own, and an empty line an event. */
const HAS_LINE_END = /[\r\n\0]/;

/** An event as it is sent. */
export function eventText({ data, id, event, retry }: ServerEvent): string {
  if (HAS_LINE_END.test(id ?? '') || HAS_LINE_END.test(event ?? ''))
    throw new TypeError('The id or the name of an event has a line end in it.');
  if (retry !== undefined && !RETRY.test(String(retry)))
    throw new TypeError('The time to wait before connecting again is no whole number of milliseconds.');
  const fields = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(retry === undefined ? [] : [`retry: ${retry}`]),
    ...data.split(LINE_END).map((line) => `data: ${line}`),
  ];
  return `${fields.join('\n')}\n\n`;
}
