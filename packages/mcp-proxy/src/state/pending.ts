import { type Id, keyOfId } from '../message/message.ts';
import type { Memory } from './memory.ts';

/** A request of the client that the server is to answer. */
export interface Sent {
  readonly method: string;
  readonly memory: Memory;
  /** Under which id the answer's words are taken in: the same for every delivery of it. */
  readonly recordId: string;
  /** The tool, where it is a call; a task's is that of the call that began it. */
  readonly tool: string | undefined;
  /** What a call is known by when it comes again with the answer to a question of the server. */
  readonly callKey: string | undefined;
}

const MAX_ANSWERED = 5000;

/** What the client has asked, by the ids of its requests. */
export class Pending {
  readonly #replays: boolean;
  readonly #sent = new Map<string, Sent>();
  readonly #ids = new Map<string, Id>();
  // Over HTTP an answer is sent again to whoever reconnects.
  readonly #answered = new Map<string, Sent>();

  constructor(replays: boolean) {
    this.#replays = replays;
  }

  /** The ids of requests that nobody has answered yet. */
  get ids(): readonly Id[] {
    return [...this.#ids.values()];
  }

  has(id: Id): boolean {
    return this.#sent.has(keyOfId(id));
  }

  add(id: Id, sent: Sent): void {
    this.#answered.delete(keyOfId(id));
    this.#sent.set(keyOfId(id), sent);
    this.#ids.set(keyOfId(id), id);
  }

  /** The request that a response answers. */
  take(id: Id): Sent | undefined {
    const key = keyOfId(id);
    const sent = this.#sent.get(key);
    if (sent === undefined) return this.#answered.get(key);
    this.#sent.delete(key);
    this.#ids.delete(key);
    if (this.#replays) this.#keep(key, sent);
    return sent;
  }

  /** The client does not want the answer any more. */
  drop(id: Id): void {
    this.#sent.delete(keyOfId(id));
    this.#ids.delete(keyOfId(id));
  }

  #keep(key: string, sent: Sent): void {
    this.#answered.set(key, sent);
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > MAX_ANSWERED && oldest !== undefined) this.#answered.delete(oldest);
  }
}
