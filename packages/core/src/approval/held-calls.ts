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
  // A framework may check one call several times: it stays rejected.
  readonly #rejected = new BoundedMap<string, true>(MAX_REJECTED);

  constructor(settings: HeldSettings) {
    this.#settings = settings;
  }

  /** Lists a call as it was judged, unless it is allowed by now. True if a person of another process has rejected it. */
  async update(judged: Decision, decision: Decision): Promise<boolean> {
    const { approvals, store } = this.#settings;
    if (judged.scopes.length === 0) return false;
    const held = approvals.held(judged);
    const isRejected = await this.#try(decision.call.id, async () => {
      const isAllowed = decision.outcome === 'allow';
      const isOver = !isAllowed && (await this.#isRejected(held));
      if (isAllowed) await store.delete(held.id);
      else if (!isOver) await store.put({ ...held, decision: decision.toJSON() });
      return isOver;
    });
    return isRejected === true;
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
        this.#record(call);
      }
    });
  }

  /**
   * Whether a person has rejected this call. A framework that cannot resume a run repeats the user's message: then the model makes
   * the call again, under another id. The next message of the user may be another answer, so a rejection ends with it.
   */
  async #isRejected(call: StoredHeldCall): Promise<boolean> {
    if (this.#rejected.has(call.id)) return true;
    const { conversation, store } = this.#settings;
    const rejected = (await store.list({ conversation })).filter(({ rejection }) => rejection !== undefined);
    for (const { id } of rejected.filter(({ created }) => call.created - created > MAX_REJECTED_TIME))
      await store.delete(id);
    const isRejected = rejected.some((each) => isSame(each, call));
    if (isRejected) this.#record(call);
    return isRejected;
  }

  #record({ id, decision: { call } }: StoredHeldCall): void {
    this.#rejected.set(id, true);
    this.#settings.onEvent({ type: 'declined', callId: call.id, tool: call.tool });
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
