import { BoundedMap } from '../base/bounded-map.ts';
import type { StoredDecision } from '../gate/decision.ts';
import type { ApprovalScope } from '../gate/scope.ts';
import type { ApprovalPlace } from './approval-store.ts';
import type { AskedValue } from './cause.ts';

/**
 * The rejection of a call by a person.
 *
 * @example
 * ```ts
 * const rejection: Rejection = { by: session.userId, note: 'I do not know this account.' };
 * ```
 */
export interface Rejection {
  readonly by: string;
  /** A note for the log. The model is never shown it. @default none */
  readonly note?: string;
}

/**
 * A call that waits for a person, as plain JSON. `boundary.pending()` lists them, in any process that shares the store.
 *
 * @example
 * ```ts
 * for (const { id, decision }: HeldCall of await boundary.pending({ conversation: 'chat-1' }))
 *   show(id, decision.reason, decision.evidence, decision.scopes);
 * ```
 */
export interface HeldCall extends ApprovalPlace {
  /**
   * Identifies the call among all waiting calls: a digest of its conversation, id, tool and arguments without secrets.
   */
  readonly id: string;
  /** The decision of the gate, with the call, the reason and the evidence. The evidence is untrusted content. */
  readonly decision: StoredDecision;
  /** The values that the question is about, shortened and without secrets. */
  readonly values: readonly AskedValue[];
  /** Milliseconds since 1970. */
  readonly created: number;
}

/**
 * A held call as it is stored. Do not show its digests in a page: a short secret could be guessed from them.
 *
 * @example
 * ```ts
 * const put = (call: StoredHeldCall) => database.upsert('held', call.id, call);
 * ```
 */
export interface StoredHeldCall extends HeldCall {
  /** The digests of the approvals that would let the call pass, by scope. */
  readonly keys: Readonly<Partial<Record<ApprovalScope | 'override', string>>>;
  /** Present if a person has rejected the call; the next check tells the model so. */
  readonly rejection?: Rejection;
}

/**
 * Keeps the calls that wait for a person. If a method throws or rejects, the call stays held; a call that the rules
 * allow is denied.
 *
 * @example
 * ```ts
 * const held: HeldStore = {
 *   put: (call) => database.upsert('held', call.id, call),
 *   get: (id) => database.get('held', id),
 *   list: ({ conversation }) => database.select('held', { conversation }),
 *   delete: (id) => database.delete('held', id),
 * };
 * const boundary = createBoundary({ held });
 * ```
 */
export interface HeldStore {
  /** Adds a call, or replaces the one with the same id. */
  put(call: StoredHeldCall): void | PromiseLike<void>;
  /**
   * Also called for each call that the rules allow, since a person may have rejected it. If it fails, such a call is
   * denied.
   */
  get(id: string): StoredHeldCall | undefined | PromiseLike<StoredHeldCall | undefined>;
  /** The calls of a conversation, or of all conversations of an owner; all calls if neither is given. */
  list(place: Partial<ApprovalPlace>): readonly StoredHeldCall[] | PromiseLike<readonly StoredHeldCall[]>;
  delete(id: string): void | PromiseLike<void>;
}

/** Checks the conversation and the owner of a held call. An absent field matches every call. */
function isHeldIn(call: StoredHeldCall, { conversation, owner }: Partial<ApprovalPlace>): boolean {
  return (
    (conversation === undefined || call.conversation === conversation) && (owner === undefined || call.owner === owner)
  );
}

/**
 * A store in memory. When it is full, the oldest call is deleted: it stays held, and is listed again at its next check.
 *
 * @param maxEntries the maximum number of calls. @default 10000
 */
export function memoryHeldStore(maxEntries = 10_000): HeldStore {
  const calls = new BoundedMap<string, StoredHeldCall>(maxEntries);
  return {
    put: (call) => calls.set(call.id, call),
    get: (id) => calls.get(id),
    list: (place) => Array.from(calls.values()).filter((call) => isHeldIn(call, place)),
    delete: (id) => {
      calls.delete(id);
    },
  };
}
