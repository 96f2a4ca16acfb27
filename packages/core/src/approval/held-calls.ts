import { BoundedMap } from '../base/bounded-map.ts';
import { causeName, type Report } from '../event.ts';
import type { Decision } from '../gate/decision.ts';
import type { Approvals } from './approvals.ts';
import type { HeldStore, StoredHeldCall } from './held-store.ts';

const MAX_REJECTED = 1000;
/** The time that a rejection is kept, for calls that repeat the rejected one under another id or in another process. */
const MAX_REJECTED_TIME = 24 * 60 * 60 * 1000;

/** Recognises a call that a person has answered before: the same call, or the same question in the same task. */
function isSame(one: StoredHeldCall, other: StoredHeldCall): boolean {
  const kinds = (['task', 'override'] as const).filter((kind) => one.keys[kind] !== undefined);
  return one.id === other.id || kinds.some((kind) => one.keys[kind] === other.keys[kind]);
}

interface HeldSettings {
  readonly conversation: string;
  readonly store: HeldStore;
  readonly approvals: Approvals;
  readonly onEvent: Report;
}

/**
 * The state of a call in the store: rejected by a person, with the reason why it was held, or not. `unknown` if the
 * store failed.
 */
type Rejected =
  | { readonly type: 'no' }
  | { readonly type: 'yes'; readonly heldFor: string }
  | { readonly type: 'unknown'; readonly cause: string | undefined };

const NOT_REJECTED: Rejected = { type: 'no' };

/**
 * The calls of one conversation in the store of held calls, which all processes share. If the store fails, no call
 * passes that a person may have rejected.
 */
export class HeldCalls {
  readonly #settings: HeldSettings;
  // The held reasons of rejected calls, by id. A framework may check one call several times, and it stays rejected.
  readonly #rejected = new BoundedMap<string, string>(MAX_REJECTED);

  constructor(settings: HeldSettings) {
    this.#settings = settings;
  }

  /**
   * Stores a call as it was judged, unless it is allowed by now. Returns the rejection by a person, if no approval
   * covers the call.
   */
  async update(judged: Decision, decision: Decision, isApproved: boolean): Promise<Rejected> {
    const { approvals, store } = this.#settings;
    const callId = judged.call.id;
    if (judged.outcome === 'allow') return this.#lookUp(callId, () => this.#rejectionOf(approvals.idOf(judged)));
    if (judged.scopes.length === 0) return NOT_REJECTED;
    const held = approvals.held(judged);
    const rejected = isApproved ? NOT_REJECTED : await this.#lookUp(callId, () => this.#rejectionLike(held));
    if (rejected.type !== 'no') return rejected;
    await this.#try(callId, async () => {
      if (decision.outcome === 'allow') await store.delete(held.id);
      else await store.put({ ...held, decision: decision.toJSON() });
    });
    return NOT_REJECTED;
  }

  /** Removes a call that was answered in this process, so that no other person is asked. */
  async remove(decision: Decision): Promise<void> {
    const { approvals, store } = this.#settings;
    await this.#try(decision.call.id, async () => store.delete(approvals.held(decision).id));
  }

  /**
   * Handles a call that a person declined in the framework's own approval: it waits no longer. `held` is its decision
   * in this process.
   */
  async decline(callId: string, held: Decision | undefined): Promise<void> {
    const { approvals, conversation, store } = this.#settings;
    // Before the store, which may fail.
    if (held !== undefined) this.#record(approvals.held(held), held.reason);
    await this.#try(callId, async () => {
      const stored = await store.list({ conversation });
      for (const call of stored.filter(({ decision }) => decision.call.id === callId)) {
        await store.delete(call.id);
        if (this.#rejected.get(call.id) === undefined) this.#record(call, call.decision.reason);
      }
    });
  }

  /**
   * The held reason of a rejected call that the rules allow by now. A process that was shown less of the conversation
   * has less evidence against the call, so the rejection still counts.
   */
  async #rejectionOf(id: string): Promise<string | undefined> {
    const known = this.#rejected.get(id);
    if (known !== undefined) return known;
    const stored = await this.#settings.store.get(id);
    if (stored?.rejection === undefined) return undefined;
    return this.#record(stored, stored.decision.reason);
  }

  /**
   * The held reason of a held call that a person has rejected. A framework that cannot resume a run repeats the user's
   * message, and the model makes the call again under another id. A rejection ends with the next message of the user,
   * which may be another answer.
   */
  async #rejectionLike(call: StoredHeldCall): Promise<string | undefined> {
    const known = this.#rejected.get(call.id);
    if (known !== undefined) return known;
    const { conversation, store } = this.#settings;
    const rejected = (await store.list({ conversation })).filter(({ rejection }) => rejection !== undefined);
    const isExpired = ({ created }: StoredHeldCall): boolean => call.created - created > MAX_REJECTED_TIME;
    for (const { id } of rejected.filter(isExpired))
      await this.#try(call.decision.call.id, async () => store.delete(id));
    const same = rejected.find((each) => !isExpired(each) && isSame(each, call));
    return same && this.#record(call, same.decision.reason);
  }

  #record({ id, decision: { call } }: StoredHeldCall, reason: string): string {
    this.#rejected.set(id, reason);
    this.#settings.onEvent({ type: 'declined', callId: call.id, tool: call.tool });
    return reason;
  }

  async #lookUp(callId: string, find: () => Promise<string | undefined>): Promise<Rejected> {
    try {
      const heldFor = await find();
      return heldFor === undefined ? NOT_REJECTED : { type: 'yes', heldFor };
    } catch (cause) {
      return { type: 'unknown', cause: this.#report(callId, cause) };
    }
  }

  async #try(callId: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      this.#report(callId, cause);
    }
  }

  #report(callId: string, failure: unknown): string | undefined {
    const cause = causeName(failure);
    this.#settings.onEvent({ type: 'approvals-failed', operation: 'hold', callId, cause });
    return cause;
  }
}
