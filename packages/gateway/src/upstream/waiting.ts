import { idFromEnds } from '@sallyport/mcp-proxy';
import { jsonAt, replacedAt } from './place.ts';
import type { MessageQueue } from './queue.ts';

/** A request that the child has not answered. */
export interface Waiter {
  /** The caller's id, as it wrote it. */
  readonly id: string;
  /** The caller's progress token, as it wrote it. */
  readonly token: string | undefined;
  readonly caller: string | undefined;
  readonly queue: MessageQueue;
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** An answer of the gateway's own, for the id that stands in JSON. */
export function errorText(id: string, message: string, code = -32000): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code, message })}}`;
}

/** Our ids are whole numbers, and nothing else of the child's is looked up. */
function numberIn(json: string | undefined): number {
  return json !== undefined && /^\d{1,15}$/.test(json) ? Number(json) : -1;
}

/**
 * Who waits for what. Callers choose their ids and progress tokens, so two choose the same ones: the child sees numbers
 * of ours, and each caller its own again.
 */
export class Waiting {
  readonly #waiters = new Map<number, Waiter>();
  #last = 0;

  get size(): number {
    return this.#waiters.size;
  }

  /** The request with a number of ours in the place of its id and its progress token. */
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

  /** All that wait, who then wait no more. */
  takeAll(): Waiter[] {
    const all = [...this.#waiters.values()];
    this.#waiters.clear();
    return all;
  }

  /** The number of what a caller calls by this id. A caller that is not known has none. */
  numberOf(caller: string | undefined, id: string | undefined): number | undefined {
    if (caller === undefined || id === undefined) return undefined;
    for (const [number, waiter] of this.#waiters)
      if (waiter.caller === caller && JSON.parse(waiter.id) === JSON.parse(id)) return number;
    return undefined;
  }

  /** Hands an answer to whoever asked. An id that nobody waits for is nobody's. */
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

  /** Tells whoever waits for an answer of which only both ends could be read. */
  refuse(beginning: string, ending: string, message: string): void {
    const id = idFromEnds(beginning, ending);
    if (typeof id === 'number') this.answer(errorText(String(id), message));
  }

  /** Hands a notification to whoever it belongs to. False where it belongs to nobody in particular. */
  notify(method: string, text: string): boolean {
    if (method === 'notifications/progress') {
      this.#progress(text);
      return true;
    }
    if (method === 'notifications/cancelled') {
      this.#ended(text);
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
    // Who asked for no progress gets none, and who does not read it gets the next.
    if (waiter?.token === undefined || waiter.queue.isFull) return;
    waiter.queue.push(replacedAt(text, waiter.token, 'params', 'progressToken'));
  }

  /** Since 2026 a server ends a subscription so. Before, it took back a request of its own, which was answered at once. */
  #ended(text: string): void {
    const number = numberIn(jsonAt(text, 'params', 'requestId'));
    const waiter = this.#waiters.get(number);
    if (waiter === undefined) return;
    this.#waiters.delete(number);
    waiter.queue.push(replacedAt(text, waiter.id, 'params', 'requestId'));
    waiter.queue.end();
  }
}
