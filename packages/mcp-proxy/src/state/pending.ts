import { BoundedMap } from '@sallyport/core/adapter';
import { type Id, keyOfId } from '../message/message.ts';
import type { Memory } from './memory.ts';

/** A client's request that the server has not answered yet. */
export interface SentRequest {
  readonly method: string;
  readonly memory: Memory;
  /** The record id of the answer, the same for every delivery. */
  readonly recordId: string;
  /** The called tool. For a task, the tool of the call that started it. */
  readonly tool: string | undefined;
  /** Identifies the call when it is repeated with the answer to a server's question. */
  readonly callKey: string | undefined;
  /** Set when the request asks for the first page of the tools. @default false */
  readonly isFirstPage?: boolean;
  /** The address of a resource that is read. */
  readonly uri?: string;
}

const MAX_ANSWERED = 5000;

/** The client's open requests, by id. */
export class Pending {
  readonly #replays: boolean;
  readonly #sent = new Map<string, SentRequest>();
  readonly #ids = new Map<string, Id>();
  // Over HTTP an answer is sent again after a reconnect.
  readonly #answered = new BoundedMap<string, SentRequest>(MAX_ANSWERED);

  constructor(replays: boolean) {
    this.#replays = replays;
  }

  /** The ids of the requests without an answer. */
  get ids(): readonly Id[] {
    return [...this.#ids.values()];
  }

  has(id: Id): boolean {
    return this.#sent.has(keyOfId(id));
  }

  add(id: Id, sent: SentRequest): void {
    this.#answered.delete(keyOfId(id));
    this.#sent.set(keyOfId(id), sent);
    this.#ids.set(keyOfId(id), id);
  }

  /** Removes and returns the request that a response answers. */
  take(id: Id): SentRequest | undefined {
    const key = keyOfId(id);
    const sent = this.#sent.get(key);
    if (sent === undefined) return this.#answered.get(key);
    this.#sent.delete(key);
    this.#ids.delete(key);
    if (this.#replays) this.#answered.set(key, sent);
    return sent;
  }

  /** Removes a request that the client cancelled. */
  drop(id: Id): void {
    this.#sent.delete(keyOfId(id));
    this.#ids.delete(keyOfId(id));
  }
}
