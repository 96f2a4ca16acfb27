import type { StoredApproval } from '../approval/approval-store.ts';
import type { Approvals } from '../approval/approvals.ts';
import type { CallApproval } from '../approval/approve.ts';
import type { HeldCalls } from '../approval/held-calls.ts';
import type { StoredHeldCall } from '../approval/held-store.ts';
import { PendingCalls } from '../approval/pending.ts';
import { SallyportError } from '../base/errors.ts';
import { causeName, type Report } from '../event.ts';
import type { Decision } from '../gate/decision.ts';
import { rejected } from '../gate/settled.ts';

/**
 * Asks a person about a held call. Resolves to their approval, or to undefined if they decline.
 *
 * @example
 * ```ts
 * const ask: Ask = async (decision) =>
 *   (await confirmDialog(decision.reason)) ? { by: session.userId } : undefined;
 * ```
 */
export type Ask = (decision: Decision) => PromiseLike<CallApproval | undefined> | CallApproval | undefined;

interface AnswersSettings {
  readonly approvals: Approvals;
  readonly held: HeldCalls;
  readonly onEvent: Report;
}

/** What people answer about the decisions of one conversation, and the calls that wait for them. */
export class Answers {
  readonly #settings: AnswersSettings;
  readonly #decisions = new WeakSet<Decision>();
  readonly #pending = new PendingCalls();

  constructor(settings: AnswersSettings) {
    this.#settings = settings;
  }

  /** The calls that wait for a person, the oldest first. */
  get pending(): readonly Decision[] {
    return this.#pending.all;
  }

  /** Takes in what was decided about a call, in place of what was decided before. */
  record(decision: Decision): void {
    this.#decisions.add(decision);
    this.#pending.delete(decision.call.id);
    if (decision.outcome === 'ask') this.#pending.set(decision);
  }

  /** Puts the same decision with another result in its place. */
  replace(decision: Decision, final: Decision): void {
    this.#decisions.add(final);
    if (this.#pending.get(decision.call.id) === decision) this.#pending.set(final);
  }

  /** A person has answered the question of a call. No call waits for the same cause any longer. */
  settle(decision: Decision): void {
    this.#pending.settle(decision);
  }

  #check(decision: Decision, message: string): void {
    if (!this.#decisions.has(decision)) throw new SallyportError('ERR_STAGE_SKIPPED', message);
  }

  approve(given: Decision | string, approval: CallApproval): Promise<void> {
    const decision = typeof given === 'string' ? (this.#pending.get(given) as Decision) : given;
    this.#check(
      decision,
      'approve() needs a decision that check() of this conversation returned, or the id of a call that pending() lists.',
    );
    return this.#settings.approvals.approve(decision, approval).then(() => this.settle(decision));
  }

  heldCall(decision: Decision): StoredHeldCall {
    this.#check(decision, 'heldCall() needs a decision that check() of this conversation returned.');
    return this.#settings.approvals.held(decision);
  }

  decline(callId: string): Promise<void> {
    const held = this.#pending.get(callId);
    this.#pending.delete(callId);
    return this.#settings.held.decline(callId, held);
  }

  approvals(): Promise<readonly StoredApproval[]> {
    return this.#settings.approvals.list();
  }

  revoke(id: string): Promise<boolean> {
    return this.#settings.approvals.revoke(id);
  }

  /** Asks a person about a held call. Returns what is decided now; undefined if they approved, and the call is to be decided again. */
  async ask(decision: Decision, ask: Ask): Promise<Decision | undefined> {
    const { held, onEvent } = this.#settings;
    const { id: callId, tool } = decision.call;
    let approval: CallApproval | undefined;
    try {
      approval = await ask(decision);
    } catch (cause) {
      onEvent({ type: 'ask-failed', callId, cause: causeName(cause) });
      return decision;
    }
    if ((approval ?? undefined) === undefined) {
      this.settle(decision);
      await held.remove(decision);
      onEvent({ type: 'declined', callId, tool });
      return rejected(decision);
    }
    const added = this.approve(decision, approval as CallApproval);
    try {
      await added;
    } catch (cause) {
      onEvent({ type: 'approvals-failed', operation: 'add', callId, cause: causeName(cause) });
      return decision;
    }
    return undefined;
  }
}
