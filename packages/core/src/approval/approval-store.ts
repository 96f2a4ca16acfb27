import type { Decision } from '../gate/decision.ts';
import type { ApprovalScope } from '../gate/scope.ts';
import type { AskedValue } from './cause.ts';

/**
 * An approval as plain JSON. It contains what the person saw: the tool and the values of the call, without secrets.
 *
 * @example
 * ```ts
 * for (const { id, tool, scope, by }: StoredApproval of await conversation.approvals()) show(id, tool, scope, by);
 * ```
 */
export interface StoredApproval {
  readonly id: string;
  /** A digest of the approved call and the scope. Several approvals can have the same. */
  readonly key: string;
  readonly scope: ApprovalScope;
  /** The conversation in which it was given. */
  readonly conversation: string;
  /** The owner whose conversations an approval of scope `always` applies to. */
  readonly owner?: string;
  readonly tool: string;
  /** The values that the question was about, shortened. */
  readonly values: readonly AskedValue[];
  readonly rule: string;
  /** The cell of the policy's table that asked. Absent if another rule did. */
  readonly cell?: string;
  /** The person who approved. */
  readonly by: string;
  /**
   * The times when it was given and when it expires, in milliseconds since 1970. Without `until` it does not expire.
   */
  readonly created: number;
  readonly until?: number;
  /** The number of uses that are left. Absent if uses are not counted. */
  readonly uses?: number;
}

/** A conversation and its owner, which decide the approvals that apply. */
export interface ApprovalPlace {
  readonly conversation: string;
  /** The owner for approvals of scope `always`. Absent if the conversation has none. */
  readonly owner?: string;
}

/**
 * Keeps approvals. If a method throws or rejects, the call stays held.
 *
 * @example
 * ```ts
 * const approvals: ApprovalStore = {
 *   take: (keys, now) => database.transaction(() => takeFirstValid(keys, now)),
 *   add: (approval) => database.upsert('approvals', approval.id, approval),
 *   list: ({ conversation, owner }) => database.select('approvals', { conversation, owner }),
 *   revoke: (id) => database.delete('approvals', id),
 * };
 * const boundary = createBoundary({ approvals });
 * ```
 */
export interface ApprovalStore {
  /**
   * Finds an approval with one of these keys that is valid now, and counts one use of it. Do both in one step: if two
   * processes take the last use at the same time, only one may receive it. `decision` is about the call: a store may
   * keep other data with an approval, such as the version of the tool that it was given for, and compare it.
   */
  take(
    keys: readonly string[],
    now: number,
    decision?: Decision,
  ): StoredApproval | undefined | PromiseLike<StoredApproval | undefined>;
  /** Adds an approval, or replaces the one with the same id. */
  add(approval: StoredApproval): void | PromiseLike<void>;
  /** The approvals that were given in a conversation, and those that apply always for its owner. */
  list(place: ApprovalPlace): readonly StoredApproval[] | PromiseLike<readonly StoredApproval[]>;
  /** Deletes an approval. False if there is none with this id. */
  revoke(id: string): boolean | PromiseLike<boolean>;
}

export function isValid({ until, uses }: StoredApproval, now: number): boolean {
  return (until === undefined || now < until) && (uses === undefined || uses > 0);
}

/**
 * Checks that an approval can apply in a conversation: scope `always` by its owner, any other scope by the
 * conversation.
 */
export function appliesIn({ scope, conversation, owner }: StoredApproval, place: ApprovalPlace): boolean {
  return scope === 'always' ? owner !== undefined && owner === place.owner : conversation === place.conversation;
}

/**
 * Takes the first approval with one of these keys out of a list, for a store that keeps a list. `left` is the list
 * after this use, without expired approvals.
 *
 * @example
 * ```ts
 * const { taken, left } = takeApproval(JSON.parse(readFileSync(path, 'utf8')), keys, Date.now());
 * writeFileSync(path, JSON.stringify(left));
 * ```
 */
export function takeApproval(
  approvals: readonly StoredApproval[],
  keys: readonly string[],
  now: number,
): { readonly taken: StoredApproval | undefined; readonly left: readonly StoredApproval[] } {
  const valid = approvals.filter((each) => isValid(each, now));
  const taken = keys.flatMap((key) => valid.find((each) => each.key === key) ?? [])[0];
  if (taken?.uses === undefined) return { taken, left: valid };
  const { uses } = taken;
  const left = valid.flatMap((each) => (each === taken ? (uses > 1 ? [{ ...taken, uses: uses - 1 }] : []) : [each]));
  return { taken, left };
}

/**
 * A store in memory. Approvals end with the process. When it is full, the oldest approval is deleted.
 *
 * @param maxEntries the maximum number of approvals. @default 10000
 * @example
 * ```ts
 * const boundary = createBoundary({ approvals: memoryApprovalStore(1000) });
 * ```
 */
export function memoryApprovalStore(maxEntries = 10_000): ApprovalStore {
  let approvals: readonly StoredApproval[] = [];
  return {
    take(keys, now) {
      const { taken, left } = takeApproval(approvals, keys, now);
      approvals = left;
      return taken;
    },
    add(approval) {
      approvals = [...approvals.filter(({ id }) => id !== approval.id), approval].slice(-maxEntries);
    },
    list: (place) => approvals.filter((each) => appliesIn(each, place)),
    revoke(id) {
      const left = approvals.filter((each) => each.id !== id);
      const isKnown = left.length < approvals.length;
      approvals = left;
      return isKnown;
    },
  };
}
