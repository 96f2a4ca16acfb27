// Two line ends in a row, of which each is \n, \r\n or \r.
const EVENT_END = /(?:\r\n|\n|\r(?!\n)){2}/g;
// The length of the longest incomplete event end: "\r\n\r".
const MAX_END_BEGUN = 3;
const LINE_END = /\r\n|\n|\r/;

/** One event of a `text/event-stream`. */
export interface ServerEvent {
  /** The event as it arrived, with the blank line after it. */
  readonly text: string;
  readonly lines: readonly string[];
  /** The text of all `data` lines; empty if the event has none. */
  readonly data: string;
}

function readEvent(text: string): ServerEvent {
  const lines = text.split(LINE_END).filter((line) => line !== '');
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''));
  return { text, lines, data: data.join('\n') };
}

/** Divides a `text/event-stream` that arrives in pieces into its events. */
export class ServerEvents {
  // Pieces of an incomplete event. They are joined once, so that an event of many pieces is not copied for each.
  #searched: string[] = [];
  // The last characters, which may be the beginning of an event's end.
  #rest = '';

  /** Takes the next piece, and returns the events that are complete now. What was read before is not searched again. */
  push(piece: string): readonly ServerEvent[] {
    const text = this.#rest + piece;
    const events: ServerEvent[] = [];
    let from = 0;
    EVENT_END.lastIndex = 0;
    while (EVENT_END.test(text)) {
      events.push(readEvent(this.#take(text.slice(from, EVENT_END.lastIndex))));
      from = EVENT_END.lastIndex;
    }
    const searched = Math.max(from, text.length - MAX_END_BEGUN);
    this.#searched.push(text.slice(from, searched));
    this.#rest = text.slice(searched);
    return events;
  }

  /** Call it at the end of the stream: returns the last event if no blank line ended it. */
  end(): readonly ServerEvent[] {
    const text = this.#take(this.#rest);
    this.#rest = '';
    return text === '' ? [] : [readEvent(text)];
  }

  #take(last: string): string {
    const text = this.#searched.join('') + last;
    this.#searched = [];
    return text;
  }
}
