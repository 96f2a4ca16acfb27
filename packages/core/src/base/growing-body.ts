import { membersAt, startOfJson } from './json-positions.ts';
import { parseJson } from './parse-json.ts';

interface KnownItem {
  readonly text: string;
  readonly value: object;
}

/** The number of items that a text repeats from the body before it, and the offset of the text after them. */
interface Repeated {
  readonly count: number;
  readonly rest: number;
}

const END = /\s*\]/y;

/**
 * Reads and writes request bodies that contain a growing list, such as a chat history. Items that repeat from the
 * previous body are not parsed again, and the caller receives the same objects; items that were written before are not
 * serialized again. Do not change them.
 *
 * @example
 * ```ts
 * const bodies = new GrowingBody('messages');
 * const body = bodies.parse(text) as { messages: object[] };
 * const sent = bodies.write({ ...body, messages: body.messages.map(show) });
 * ```
 */
export class GrowingBody {
  readonly #name: string;
  // The text of the last body up to its first item, and its items.
  #head: string | undefined;
  #items: readonly KnownItem[] = [];
  readonly #written = new WeakMap<object, string>();

  /** @param name the member that contains the list */
  constructor(name: string) {
    this.#name = name;
  }

  /**
   * The value of a text that JSON.stringify wrote.
   *
   * @throws SyntaxError as JSON.parse does.
   */
  parse(text: string): unknown {
    const head = this.#head;
    if (head === undefined || text.slice(0, head.length) !== head) {
      this.#items = [];
      this.#head = this.#headOf(text);
      return parseJson(text);
    }
    const { count, rest } = this.#repeated(text, head);
    const known = this.#items.slice(0, count);
    const body = parseJson(head + text.slice(rest)) as Record<string, unknown>;
    const added = body[this.#name] as readonly unknown[];
    this.#items = [...known, ...this.#itemsAt(text, rest, added)];
    body[this.#name] = [...known.map(({ value }) => value), ...added];
    return body;
  }

  /** The text of a body, as JSON.stringify writes it. */
  write(body: Readonly<Record<string, unknown>>): string {
    let text = '';
    for (const [name, value] of Object.entries(body)) {
      const isList = name === this.#name && Array.isArray(value);
      const written = isList ? this.#listOf(value) : JSON.stringify(value);
      if (written !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${written}`;
    }
    return `{${text}}`;
  }

  /** Appended and not joined: the engine copies a long text once, when it is sent. */
  #listOf(items: readonly unknown[]): string {
    let text = '';
    for (const [index, item] of items.entries()) text += (index === 0 ? '' : ',') + this.#textOf(item);
    return `[${text}]`;
  }

  #textOf(item: unknown): string {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item) ?? 'null';
    const known = this.#written.get(item);
    if (known !== undefined) return known;
    const text = JSON.stringify(item);
    this.#written.set(item, text);
    return text;
  }

  #headOf(text: string): string | undefined {
    for (const { name, value } of membersAt(text, startOfJson(text)))
      if (name === this.#name && text[value.start] === '[') return text.slice(0, value.start + 1);
    return undefined;
  }

  /** Compares item by item. The text of an object or a list has one possible end, so an equal text is a whole item. */
  #repeated(text: string, head: string): Repeated {
    let [count, rest] = [0, head.length];
    for (const item of this.#items) {
      const end = rest + item.text.length;
      if (text.slice(rest, end) !== item.text || (text[end] !== ',' && text[end] !== ']')) break;
      count++;
      rest = text[end] === ',' ? end + 1 : end;
      END.lastIndex = rest;
      // A list that ends after a comma is not JSON: all of it is parsed, and refused.
      if (text[end] === ',' && END.test(text)) return { count: 0, rest: head.length };
      if (text[end] === ']') break;
    }
    return { count, rest };
  }

  /** Splits a text from `start` on into items, up to the first that is not written as JSON.stringify writes it. */
  #itemsAt(text: string, start: number, values: readonly unknown[]): readonly KnownItem[] {
    const items: KnownItem[] = [];
    let at = start;
    for (const value of values) {
      if (typeof value !== 'object' || value === null) break;
      const written = this.#textOf(value);
      const end = at + written.length;
      if (text.slice(at, end) !== written || (text[end] !== ',' && text[end] !== ']')) break;
      items.push({ text: written, value });
      at = end + 1;
    }
    return items;
  }
}
