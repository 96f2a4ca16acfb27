import { pageHostOf, pagesIn } from '../address/host.ts';
import type { ApprovalStore, StoredApproval } from '../approval/approval-store.ts';
import { Approvals, type TrustedValue } from '../approval/approvals.ts';
import type { CallApproval, Clock } from '../approval/approve.ts';
import { HeldCalls } from '../approval/held-calls.ts';
import type { HeldStore, StoredHeldCall } from '../approval/held-store.ts';
import { PendingCalls } from '../approval/pending.ts';
import { checkOptionNames, SallyportError } from '../base/errors.ts';
import { similarTo } from '../base/nearest.ts';
import { type ProposedCall, proposeCall, type ToolCall } from '../call/call.ts';
import { STRONGEST } from '../call/effect.ts';
import { Advising, type AdvisingSettings } from '../consult/advising.ts';
import { causeName } from '../event.ts';
import type { Decision } from '../gate/decision.ts';
import { TELLS_OTHERS } from '../gate/destination.ts';
import { approved, type Gate, handedOver, judgeCall, rejected } from '../gate/gate.ts';
import { readAhead } from '../gate/policy.ts';
import { Refusals } from '../gate/refusals.ts';
import { HIGHEST } from '../label/label.ts';
import { spentOn } from '../provenance/effort.ts';
import { POLICY_ID } from '../provenance/ledger-entry.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Transcript } from '../provenance/transcript.ts';
import type { LimitOptions } from '../record/limit.ts';
import { actsFor } from '../task/acts.ts';
import type { Intake } from './intake.ts';
import type { Renderings } from './renderings.ts';
import { ShownParts } from './shown-parts.ts';

export interface OutboundSettings extends AdvisingSettings {
  readonly limits: LimitOptions;
  readonly gate: Gate;
  readonly clock: Clock;
  readonly approvals: ApprovalStore;
  /** The calls that wait for a person, for all processes. */
  readonly held: HeldStore;
  /** For whom approvals apply always. */
  readonly owner: string | undefined;
}

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

/**
 * How a call is checked.
 *
 * @example
 * ```ts
 * const options: CheckOptions = { ask };
 * const decision = await conversation.check(toolCall, options);
 * ```
 */
export interface CheckOptions {
  /** Asks a person when the call is held. @default no one is asked, and the call stays held */
  readonly ask?: Ask | undefined;
  /**
   * Whether the call is recorded. Set it to false for a call that another conversation of the same user makes and records there.
   * @default true
   */
  readonly record?: boolean;
  /**
   * The conversation that makes the call, if it is another one. Approvals of the scopes `task` and `conversation` then apply only
   * to calls that it makes. @default this one
   */
  readonly conversation?: string;
}

/** About three milliseconds of work. */
const STEPS_PER_TURN = 60_000;

/** The outbound side of one conversation: checks the model's calls. */
export class Outbound {
  readonly #settings: OutboundSettings;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #transcript: Transcript;
  readonly #approvals: Approvals;
  readonly #held: HeldCalls;
  readonly #calls = new WeakSet<ProposedCall>();
  readonly #decisions = new WeakSet<Decision>();
  readonly #pending = new PendingCalls();
  /** Hosts of calls that a person approved. */
  readonly #reached = new Set<string>();
  readonly #refusals = new Refusals();
  readonly #advising: Advising;
  readonly #allowed = new WeakSet<ProposedCall>();
  readonly #checked = new WeakSet<ProposedCall>();

  constructor(id: string, settings: OutboundSettings, intake: Intake, renderings: Renderings, transcript: Transcript) {
    this.#settings = settings;
    this.#intake = intake;
    this.#renderings = renderings;
    this.#transcript = transcript;
    this.#advising = new Advising(settings);
    const { clock, onEvent, approvals: store, owner } = settings;
    this.#approvals = new Approvals({
      ...{ conversation: id, clock, onEvent, store },
      ...(owner !== undefined && { owner }),
      task: () => intake.task,
    });
    this.#held = new HeldCalls({ conversation: id, store: settings.held, approvals: this.#approvals, onEvent });
  }

  /** A call of the model, with the label of everything it was shown so far. Nothing is recorded. */
  read(use: ToolCall): ProposedCall {
    const call = proposeCall(this.#intake.cleanUse(use), this.#renderings.context);
    this.#calls.add(call);
    return call;
  }

  /** A call of the model as read() returns it, with its origin recorded. */
  propose(use: ToolCall): ProposedCall {
    const call = this.read(use);
    this.#transcript.recordCall(call);
    return call;
  }

  /** Checks a call, and asks a person if it is held and `ask` is given. */
  async check(call: ProposedCall, options: CheckOptions): Promise<Decision> {
    checkOptionNames(options, ['ask', 'record', 'conversation'], 'check()');
    const { ask, record, conversation } = options;
    // Its label says what another conversation has read, and nothing of this one.
    if (!this.#calls.has(call))
      throw new SallyportError('ERR_STAGE_SKIPPED', 'check() needs a call that this conversation recorded.');
    this.#checked.add(call);
    if (conversation !== undefined) this.#approvals.setCaller(call, conversation);
    const decision = await this.#decide(call);
    const answered = decision.outcome === 'ask' && ask !== undefined ? await this.#askPerson(decision, ask) : decision;
    return record === false ? answered : this.#countRefusal(answered);
  }

  async #decide(call: ProposedCall): Promise<Decision> {
    const { tools, limits, gate, onEvent } = this.#settings;
    const tool = tools.get(call.tool);
    const effect = tool?.effect ?? STRONGEST;
    const traced = this.#approvals.applyTo(call, this.#transcript.trace(call));
    const budgets = this.#transcript.budgetsFor(call);
    const { views, decoding } = budgets.rules;
    const acts = actsFor(call.tool, effect);
    const parts = new ShownParts(limits, (id) => this.#intake.get(id));
    const question = {
      call,
      tool,
      similarTool:
        tool === undefined
          ? similarTo(
              call.tool,
              Array.from(tools.values?.() ?? [], ({ name }) => name),
            )
          : undefined,
      effect,
      arguments: traced,
      context: call.context,
      hasRendered: this.#transcript.hasSeen,
      trace: this.#transcript.tracer(budgets.rules),
      decode: (text: string) => views.textsIn(text, decoding),
      asked: this.#transcript.asks(call, effect, tool?.asks, traced),
      isNamedPerson: (address: string) => this.#transcript.task.mentions.isPerson(address),
      isNamed: (text: string) => this.#transcript.task.mentions.isIn(text),
      isReached: (host: string) => this.#reached.has(host),
      isSameMessage: (one: Place, other: Place) => parts.isSameMessage(one, other),
      isRequested: this.#transcript.requestedActs.hasAny(acts),
      isRequestedBeside: (place: Place) =>
        [...this.#transcript.requestedActs.beside(place)].some((act) => acts.has(act)),
      nameOf: (id: string) => this.#intake.get(id)?.source.name,
      labelOf: (id: string) => (id === POLICY_ID ? HIGHEST : this.#intake.get(id)?.label),
    };
    // The event loop has a turn after much work, between one argument and the next.
    let spent = 0;
    for (const _ of readAhead(question, gate.preset)) {
      if (spentOn(budgets) - spent < STEPS_PER_TURN) continue;
      spent = spentOn(budgets);
      await new Promise<void>((resolve) => this.#settings.timer.set(resolve, 0));
    }
    const decision = judgeCall(gate, question, {
      hasOwner: this.#settings.owner !== undefined,
      excerptOf: (place) => parts.excerptOf(place),
      onFailed: (rule, cause) => onEvent({ type: 'rule-failed', callId: call.id, rule, cause: causeName(cause) }),
    });
    const approval = decision.scopes.length === 0 ? undefined : await this.#approvals.take(decision);
    const settled =
      approval === undefined ? await this.#advising.advise(decision, () => this.#intake.records) : approved(decision);
    if (approval !== undefined) this.#settle(decision);
    const heldFor = await this.#held.update(decision, settled, approval !== undefined);
    const final = heldFor === undefined ? settled : rejected(settled, heldFor);
    const { outcome, judged, rule } = final;
    this.#decisions.add(final);
    this.#pending.delete(call.id);
    if (outcome === 'ask') this.#pending.set(final);
    if (outcome === 'allow') this.#allowed.add(call);
    const approvalId = approval?.id;
    onEvent({
      ...{ type: 'decided', callId: call.id, tool: tool?.name, outcome, judged, rule },
      ...(approvalId !== undefined && { approvalId }),
    });
    return final;
  }

  /** Records that a person approved a call. No call waits for the same cause any longer. */
  #settle(decision: Decision): void {
    this.#transcript.recordApproval(decision.call);
    const effect = this.#settings.tools.get(decision.call.tool)?.effect ?? STRONGEST;
    const pages = TELLS_OTHERS.has(effect)
      ? decision.arguments.filter(({ role }) => role === 'url').flatMap(({ text }) => pagesIn(text))
      : [];
    for (const host of pages.map(pageHostOf)) if (host !== undefined) this.#reached.add(host);
    this.#pending.settle(decision);
  }

  /** After too many refusals the model is told to stop and to ask the user. */
  #countRefusal(decision: Decision): Decision {
    const { tools, onEvent } = this.#settings;
    const { id: callId, tool } = decision.call;
    const isEffect = tools.get(tool)?.effect !== 'read';
    const handOver = this.#refusals.count(decision, isEffect, this.#intake.messageCount);
    if (handOver === undefined) return decision;
    const { isFirst, ...about } = handOver;
    if (isFirst) onEvent({ type: 'handed-over', callId, ...about });
    const final = handedOver(decision);
    this.#decisions.add(final);
    if (this.#pending.get(callId) === decision) this.#pending.set(final);
    return final;
  }

  /** Reports a call that a model made and that was not checked here. A call that only reads needs no check. */
  reportUnchecked({ id, tool }: ProposedCall): void {
    const { tools, onEvent } = this.#settings;
    const effect = tools.get(tool)?.effect ?? 'read';
    if (effect !== 'read') onEvent({ type: 'call-not-checked', callId: id, tool });
  }

  /** Reports a history of another chat. */
  reportForeign(): void {
    this.#settings.onEvent({ type: 'foreign-history' });
  }

  wasChecked(call: ProposedCall): boolean {
    return this.#checked.has(call);
  }

  wasAllowed(call: ProposedCall): boolean {
    return this.#allowed.has(call);
  }

  /** The calls that wait for a person, the oldest first. */
  get pending(): readonly Decision[] {
    return this.#pending.all;
  }

  approve(given: Decision | string, approval: CallApproval): Promise<void> {
    const decision = typeof given === 'string' ? (this.#pending.get(given) as Decision) : given;
    if (!this.#decisions.has(decision))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() needs a decision that check() of this conversation returned, or the id of a call that pending() lists.',
      );
    return this.#approvals.approve(decision, approval).then(() => this.#pending.settle(decision));
  }

  heldCall(decision: Decision): StoredHeldCall {
    if (!this.#decisions.has(decision))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'heldCall() needs a decision that check() of this conversation returned.',
      );
    return this.#approvals.held(decision);
  }

  decline(callId: string): Promise<void> {
    this.#pending.delete(callId);
    return this.#held.decline(callId);
  }

  approvals(): Promise<readonly StoredApproval[]> {
    return this.#approvals.list();
  }

  revoke(id: string): Promise<boolean> {
    return this.#approvals.revoke(id);
  }

  async #askPerson(decision: Decision, ask: Ask): Promise<Decision> {
    const { onEvent } = this.#settings;
    const { id: callId, tool } = decision.call;
    let approval: CallApproval | undefined;
    try {
      approval = await ask(decision);
    } catch (cause) {
      onEvent({ type: 'ask-failed', callId, cause: causeName(cause) });
      return decision;
    }
    if ((approval ?? undefined) === undefined) {
      this.#pending.settle(decision);
      await this.#held.remove(decision);
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
    return this.#decide(decision.call);
  }

  trustValue(value: TrustedValue): void {
    this.#approvals.vouch(value);
  }
}
