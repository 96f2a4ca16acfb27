import { BoundedMap } from '../base/bounded-map.ts';
import { causeName, type Report } from '../event.ts';
import type { Decision } from '../gate/decision.ts';
import type { Approvals } from './approvals.ts';
import type { HeldStore, StoredHeldCall } from './held-store.ts';

const MAX_REJECTED = 1000;
/** A rejection is kept for the calls that repeat it: other ids, other processes. */
const MAX_REJECTED_TIME = 24 * 60 * 60 * 1000;

/** Whether a person who has answered one call has answered the other: the same call, or the same question in the same task. */
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

/** The calls of one conversation in the store of held calls, which people of all processes read. If it fails, a call stays held. */
export class HeldCalls {
  readonly #settings: HeldSettings;
  // A framework may check one call several times: it stays rejected. By its id, why it was held.
  readonly #rejected = new BoundedMap<string, string>(MAX_REJECTED);

  constructor(settings: HeldSettings) {
    this.#settings = settings;
  }

  /**
   * Lists a call as it was judged, unless it is allowed by now. If a person has rejected the call, and no approval covers it,
   * returns why it was held.
   */
  async update(judged: Decision, decision: Decision, isApproved: boolean): Promise<string | undefined> {
    const { approvals, store } = this.#settings;
    if (judged.outcome === 'allow') {
      const id = approvals.idOf(judged);
      return this.#try(judged.call.id, () => this.#rejectionOf(id));
    }
    if (judged.scopes.length === 0) return undefined;
    const held = approvals.held(judged);
    return this.#try(judged.call.id, async () => {
      const reason = isApproved ? undefined : await this.#rejectionLike(held);
      if (reason !== undefined) return reason;
      if (decision.outcome === 'allow') await store.delete(held.id);
      else await store.put({ ...held, decision: decision.toJSON() });
      return undefined;
    });
  }

  /** The call was answered here: no other person needs to be asked. */
  async remove(decision: Decision): Promise<void> {
    const { approvals, store } = this.#settings;
    await this.#try(decision.call.id, async () => store.delete(approvals.held(decision).id));
  }

  /** A person has declined a call of this id in the framework's own approval: it waits no longer. */
  async decline(callId: string): Promise<void> {
    const { conversation, store } = this.#settings;
    await this.#try(callId, async () => {
      const stored = await store.list({ conversation });
      for (const call of stored.filter(({ decision }) => decision.call.id === callId)) {
        await store.delete(call.id);
        this.#record(call, call.decision.reason);
      }
    });
  }

  /**
   * Why a call was held that a person has rejected, although the rules allow it by now: a process that was shown less of the
   * conversation knows less against the call.
   */
  async #rejectionOf(id: string): Promise<string | undefined> {
    const known = this.#rejected.get(id);
    if (known !== undefined) return known;
    const stored = await this.#settings.store.get(id);
    if (stored?.rejection === undefined) return undefined;
    return this.#record(stored, stored.decision.reason);
  }

  /**
   * Why a held call was held if a person has rejected it. A framework that cannot resume a run repeats the user's message: then the model makes
   * the call again, under another id. The next message of the user may be another answer, so a rejection ends with it.
   */
  async #rejectionLike(call: StoredHeldCall): Promise<string | undefined> {
    const known = this.#rejected.get(call.id);
    if (known !== undefined) return known;
    const { conversation, store } = this.#settings;
    const rejected = (await store.list({ conversation })).filter(({ rejection }) => rejection !== undefined);
    for (const { id } of rejected.filter(({ created }) => call.created - created > MAX_REJECTED_TIME))
      await store.delete(id);
    const same = rejected.find((each) => isSame(each, call));
    return same && this.#record(call, same.decision.reason);
  }

  #record({ id, decision: { call } }: StoredHeldCall, reason: string): string {
    this.#rejected.set(id, reason);
    this.#settings.onEvent({ type: 'declined', callId: call.id, tool: call.tool });
    return reason;
  }

  async #try<T>(callId: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (cause) {
      this.#settings.onEvent({ type: 'approvals-failed', operation: 'hold', callId, cause: causeName(cause) });
      return undefined;
    }
  }
}
