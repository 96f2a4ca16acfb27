import { pageHostOf, pagesIn } from '../address/host.ts';
import type { ApprovalStore } from '../approval/approval-store.ts';
import { Approvals, type TrustedValue } from '../approval/approvals.ts';
import type { Clock } from '../approval/approve.ts';
import { HeldCalls } from '../approval/held-calls.ts';
import type { HeldStore } from '../approval/held-store.ts';
import { checkOptionNames, SallyportError } from '../base/errors.ts';
import { similarTo } from '../base/nearest.ts';
import { type ProposedCall, proposeCall, type ToolCall } from '../call/call.ts';
import { changesNames, type RequestableCommand } from '../call/command/requestable.ts';
import { STRONGEST } from '../call/effect.ts';
import type { Role } from '../call/role.ts';
import { checkSettling } from '../consult/adviser.ts';
import { Advising, type AdvisingSettings } from '../consult/advising.ts';
import { causeName } from '../event.ts';
import { CallAddresses } from '../gate/addresses.ts';
import type { Decision } from '../gate/decision.ts';
import { TELLS_OTHERS } from '../gate/destination.ts';
import { type Gate, type GateOptions, gateUnder, judgeCall } from '../gate/gate.ts';
import { readAhead } from '../gate/policy.ts';
import { approved, handedOver, maybeRejected, rejected } from '../gate/settled.ts';
import { HIGHEST } from '../label/label.ts';
import { spentOn } from '../provenance/effort.ts';
import { POLICY_ID } from '../provenance/ledger-entry.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { Transcript } from '../provenance/transcript.ts';
import type { LimitOptions } from '../record/limit.ts';
import { actsFor } from '../task/acts.ts';
import { Answers, type Ask } from './answers.ts';
import type { Intake } from './intake.ts';
import { Refusals } from './refusals.ts';
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
  /** The folder of the project that the agent works on. */
  readonly project: string | undefined;
}

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
  /**
   * The policy of this check, in place of the boundary's: for a policy that changes while the conversation lasts. Your own rules stay,
   * and the values that you vouch for. @default the boundary's
   */
  readonly gate?: Pick<GateOptions, 'preset' | 'observe' | 'table'> | undefined;
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
  /** What people answer about held calls. */
  readonly answers: Answers;
  readonly #calls = new WeakSet<ProposedCall>();
  /** Hosts of calls that a person approved. */
  readonly #reached = new Set<string>();
  /** Whether a command may have changed the folder or the files that the names in later commands mean. */
  #hasChangedNames = false;
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
    this.answers = new Answers({ approvals: this.#approvals, held: this.#held, onEvent });
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

  /** Records that a call was made, such as one that was not checked. */
  recordMade(call: ProposedCall): void {
    this.#readNames(this.#transcript.trace(call));
  }

  #readNames(traced: readonly Argument[]): void {
    this.#hasChangedNames ||= traced.some(({ role, text }) => role === 'command' && changesNames(text));
  }

  /** Checks a call, and asks a person if it is held and `ask` is given. */
  async check(call: ProposedCall, options: CheckOptions): Promise<Decision> {
    checkOptionNames(options, ['ask', 'record', 'conversation', 'gate'], 'check()');
    const { ask, record, conversation } = options;
    const gate = this.#gateOf(options);
    // Its label says what another conversation has read, and nothing of this one.
    if (!this.#calls.has(call))
      throw new SallyportError('ERR_STAGE_SKIPPED', 'check() needs a call that this conversation recorded.');
    this.#checked.add(call);
    if (conversation !== undefined) this.#approvals.setCaller(call, conversation);
    const decision = await this.#decide(call, gate);
    const answered =
      decision.outcome === 'ask' && ask !== undefined
        ? ((await this.answers.ask(decision, ask)) ?? (await this.#decide(call, gate)))
        : decision;
    return record === false ? answered : this.#countRefusal(answered);
  }

  #gateOf({ gate: policy }: CheckOptions): Gate {
    const { gate, adviser } = this.#settings;
    if (policy === undefined) return gate;
    const own = gateUnder(gate, policy);
    if (adviser !== undefined) checkSettling([...adviser.settles], own.preset);
    return own;
  }

  async #decide(call: ProposedCall, gate: Gate): Promise<Decision> {
    const { tools, limits, onEvent } = this.#settings;
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
      addresses: new CallAddresses(),
      ...this.#transcript.asks(call, effect, traced),
      isTypedCommand: (command: string) => this.#transcript.task.isTypedCommand(command),
      hasOrdered: (command: RequestableCommand) =>
        !(command.type === 'delete' && this.#hasChangedNames) && this.#transcript.task.hasOrdered(command),
      isNamedPerson: (address: string) => this.#transcript.task.mentions.isPerson(address),
      isNamed: (text: string) => this.#transcript.task.mentions.isIn(text),
      isReached: (host: string) => this.#reached.has(host),
      isSameMessage: (one: Place, other: Place) => parts.isSameMessage(one, other),
      isRequested: this.#transcript.requestedActs.hasAny(acts),
      isAnyRequested: this.#transcript.requestedActs.isAny,
      isObjectNamed: this.#transcript.task.namesObject(call.tool, tool?.asks),
      hasSaid: (words: readonly string[]) => this.#transcript.task.hasSaid(words, call.tool),
      requestAt: (place: Place) => this.#transcript.requestedActs.at(place),
      hasTyped: (role: Role) => this.#transcript.task.mentions.hasTyped(role),
      typedAmounts: this.#transcript.task.mentions.amounts,
      isRequestedBeside: (place: Place) =>
        [...this.#transcript.requestedActs.beside(place)].some((act) => acts.has(act)),
      project: this.#settings.project,
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
    const final = await this.#applyRejection(decision, settled, { gate, isApproved: approval !== undefined });
    const { outcome, judged, rule } = final;
    this.answers.record(final);
    if (outcome === 'allow') {
      this.#allowed.add(call);
      this.#readNames(traced);
    }
    const approvalId = approval?.id;
    onEvent({
      ...{ type: 'decided', callId: call.id, tool: tool?.name, outcome, judged, rule },
      ...(approvalId !== undefined && { approvalId }),
    });
    return final;
  }

  /** What was settled about a call, unless a person has, or may have, rejected the call before. */
  async #applyRejection(
    judged: Decision,
    settled: Decision,
    { gate, isApproved }: { readonly gate: Gate; readonly isApproved: boolean },
  ): Promise<Decision> {
    // A preset never holds a call that only reads, so no person can have rejected it.
    const canBeHeld = judged.effect !== 'read' || judged.outcome !== 'allow' || Object.keys(gate.own).length > 0;
    if (!canBeHeld) return settled;
    const found = await this.#held.update(judged, settled, isApproved);
    if (found.type === 'yes') return rejected(settled, found.heldFor);
    // A gate that observes goes on if nothing is known.
    const passes = settled.outcome === 'allow' && !gate.isObserving;
    return found.type === 'unknown' && passes ? maybeRejected(settled, found.cause) : settled;
  }

  /** Records that a person approved a call. */
  #settle(decision: Decision): void {
    this.#transcript.recordApproval(decision.call);
    const effect = this.#settings.tools.get(decision.call.tool)?.effect ?? STRONGEST;
    const pages = TELLS_OTHERS.has(effect)
      ? decision.arguments.filter(({ role }) => role === 'url').flatMap(({ text }) => pagesIn(text))
      : [];
    for (const host of pages.map(pageHostOf)) if (host !== undefined) this.#reached.add(host);
    this.answers.settle(decision);
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
    this.answers.replace(decision, final);
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

  trustValue(value: TrustedValue): void {
    this.#approvals.vouch(value);
  }
}
