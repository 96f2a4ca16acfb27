import { idFromEnds } from '@sallyport/mcp-proxy';
import { jsonAt, replacedAt } from './place.ts';
import type { MessageQueue } from './queue.ts';

/** A request that the child has not answered. */
export interface Waiter {
  /** The caller's id, as JSON. */
  readonly id: string;
  /** The caller's progress token, as JSON. */
  readonly token: string | undefined;
  readonly caller: string | undefined;
  readonly queue: MessageQueue;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** An error response of the gateway. `id` is JSON. */
export function errorText(id: string, message: string, code = -32000): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`;
}

/** The gateway's ids are whole numbers; any other id of the child is unknown. */
function numberIn(json: string | undefined): number {
  return json !== undefined && /^\d{1,15}$/.test(json) ? Number(json) : -1;
}

/**
 * The pending requests of a child. Two callers may choose the same id or progress token, so the child gets numbers of the
 * gateway, which are mapped back for each caller.
 */
export class Waiting {
  readonly #waiters = new Map<number, Waiter>();
  #last = 0;

  get size(): number {
    return this.#waiters.size;
  }

  /** Adds a request, and returns it with a number in place of its id and progress token. */
  add(
    text: string,
    caller: string | undefined,
    queue: MessageQueue,
  ): { readonly number: number; readonly text: string } {
    const number = ++this.#last;
    const token = jsonAt(text, 'params', '_meta', 'progressToken');
    this.#waiters.set(number, { id: jsonAt(text, 'id') ?? 'null', token, caller, queue });
    const numbered = replacedAt(text, String(number), 'id');
    return { number, text: replacedAt(numbered, String(number), 'params', '_meta', 'progressToken') };
  }

  has(number: number): boolean {
    return this.#waiters.has(number);
  }

  remove(number: number): void {
    this.#waiters.delete(number);
  }

  /** Removes and returns all pending requests. */
  takeAll(): Waiter[] {
    const all = [...this.#waiters.values()];
    this.#waiters.clear();
    return all;
  }

  /** The number of a caller's request by its own id. Undefined for an unknown caller. */
  numberOf(caller: string | undefined, id: string | undefined): number | undefined {
    if (caller === undefined || id === undefined) return undefined;
    for (const [number, waiter] of this.#waiters)
      if (waiter.caller === caller && JSON.parse(waiter.id) === JSON.parse(id)) return number;
    return undefined;
  }

  /** Delivers an answer to its caller. An answer with an unknown id is dropped. */
  answer(text: string): void {
    const number = numberIn(jsonAt(text, 'id'));
    const waiter = this.#waiters.get(number);
    if (waiter === undefined) return;
    this.#waiters.delete(number);
    const own = replacedAt(text, waiter.id, 'id');
    waiter.queue.push(
      numberIn(jsonAt(own, 'result', '_meta', SUBSCRIPTION)) === number
        ? replacedAt(own, waiter.id, 'result', '_meta', SUBSCRIPTION)
        : own,
    );
    waiter.queue.end();
  }

  /** Fails the request whose answer was too long or not valid, if its id can be read from the ends of the line. */
  refuse(beginning: string, ending: string, message: string): void {
    const id = idFromEnds(beginning, ending);
    if (typeof id === 'number') this.answer(errorText(String(id), message));
  }

  /** Delivers a notification to the caller of its request. Returns false if it belongs to no request. */
  notify(method: string, text: string): boolean {
    if (method === 'notifications/progress') {
      this.#progress(text);
      return true;
    }
    if (method === 'notifications/cancelled') {
      this.#endedByServer(text);
      return true;
    }
    const subscription = jsonAt(text, 'params', '_meta', SUBSCRIPTION);
    if (subscription === undefined) return false;
    const waiter = this.#waiters.get(numberIn(subscription));
    if (waiter?.queue.isFull === false) waiter.queue.push(replacedAt(text, waiter.id, 'params', '_meta', SUBSCRIPTION));
    return true;
  }

  #progress(text: string): void {
    const waiter = this.#waiters.get(numberIn(jsonAt(text, 'params', 'progressToken')));
    // Dropped if the caller did not request progress, or has not read the last one yet.
    if (waiter?.token === undefined || waiter.queue.isFull) return;
    waiter.queue.push(replacedAt(text, waiter.token, 'params', 'progressToken'));
  }

  /** In the protocol of 2026 a server ends a subscription this way. Before, it cancelled its own request, already answered. */
  #endedByServer(text: string): void {
    const number = numberIn(jsonAt(text, 'params', 'requestId'));
    const waiter = this.#waiters.get(number);
    if (waiter === undefined) return;
    this.#waiters.delete(number);
    waiter.queue.push(replacedAt(text, waiter.id, 'params', 'requestId'));
    waiter.queue.end();
  }
}
