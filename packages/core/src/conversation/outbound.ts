import type { ApprovalStore } from '../approval/approval-store.ts';
import { Approvals, type TrustedValue } from '../approval/approvals.ts';
import type { Clock } from '../approval/approve.ts';
import { HeldCalls } from '../approval/held-calls.ts';
import type { HeldStore } from '../approval/held-store.ts';
import { canonicalJson } from '../base/canonical-json.ts';
import { checkOptionNames, SallyportError } from '../base/errors.ts';
import { similarTo } from '../base/nearest.ts';
import { type ProposedCall, proposeCall, type ToolCall } from '../call/call.ts';
import { STRONGEST } from '../call/effect.ts';
import type { ToolRegistry } from '../call/tool.ts';
import { causeName } from '../event.ts';
import { Destinations } from '../facts/destination.ts';
import type { Facts } from '../facts/facts.ts';
import { factsOf } from '../facts/inspect.ts';
import type { Inspection } from '../facts/inspection.ts';
import type { Decision } from '../gate/decision.ts';
import { decideCall, type Gate, type GateOptions, gateUnder } from '../gate/gate.ts';
import { approved, handedOver, maybeRejected, rejected } from '../gate/settled.ts';
import { type Judge, type JudgeOptions, Judging, type JudgingSettings } from '../judge/judging.ts';
import { type JudgeContext, UNDECLARED } from '../judge/question.ts';
import { HIGHEST } from '../label/label.ts';
import { spentOn } from '../provenance/effort.ts';
import { POLICY_ID } from '../provenance/ledger-entry.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { Transcript } from '../provenance/transcript.ts';
import type { LimitOptions } from '../record/limit.ts';
import { surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { wordsOfPart } from '../task/quotations.ts';
import { Answers, type Ask } from './answers.ts';
import type { Intake } from './intake.ts';
import { isMemory } from './memory.ts';
import { Refusals } from './refusals.ts';
import type { Renderings } from './renderings.ts';
import { ShownParts } from './shown-parts.ts';

export interface OutboundSettings extends JudgingSettings {
  readonly tools: ToolRegistry;
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
   * Records the call. Set it to false for a call that another conversation of the same user makes and records there.
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

/** How much of the developer's instructions the judge is told. */
const MAX_INSTRUCTIONS = 3000;
const MAX_MESSAGES = 20;
const MAX_MESSAGE = 3000;

/** What the user said for themselves, message by message. */
function messagesIn(records: readonly Recorded[]): readonly string[] {
  const ofUser = (recorded: Recorded): string =>
    recorded.parts
      .filter((part) => recorded.originOf(part) === 'user')
      .map((part) => wordsOfPart(part, surfaceOf(part)).own)
      .join('\n\n')
      .replace(/[^\S\n]{2,}/g, ' ')
      .trim()
      .slice(0, MAX_MESSAGE);
  return records
    .filter((each) => !isMemory(each))
    .map(ofUser)
    .filter((text) => text !== '')
    .slice(-MAX_MESSAGES);
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
  readonly #refusals = new Refusals();
  readonly #judging: Judging;
  readonly #allowed = new WeakSet<ProposedCall>();
  readonly #checked = new WeakSet<ProposedCall>();

  constructor(id: string, settings: OutboundSettings, intake: Intake, renderings: Renderings, transcript: Transcript) {
    this.#settings = settings;
    this.#intake = intake;
    this.#renderings = renderings;
    this.#transcript = transcript;
    this.#judging = new Judging(settings);
    const { clock, onEvent, approvals: store, owner } = settings;
    this.#approvals = new Approvals({
      ...{ conversation: id, clock, onEvent, store },
      ...(owner !== undefined && { owner }),
      task: () => intake.task,
    });
    this.#held = new HeldCalls({ conversation: id, store: settings.held, approvals: this.#approvals, onEvent });
    this.answers = new Answers({ approvals: this.#approvals, held: this.#held, onEvent });
  }

  /** Asks another judge from now on. */
  useJudge(judge: Judge | JudgeOptions): void {
    this.#judging.use(judge);
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
    checkOptionNames(options, ['ask', 'record', 'conversation', 'gate'], 'check()');
    const { ask, record, conversation } = options;
    const gate = this.#gateOf(options);
    // The label of another conversation's call says nothing about what was read here.
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
    const { gate } = this.#settings;
    return policy === undefined ? gate : gateUnder(gate, policy);
  }

  /** Finds everything that a decision depends on. The event loop has a turn after much work, between one argument and the next. */
  async #inspect(call: ProposedCall, traced: readonly Argument[], parts: ShownParts, gate: Gate): Promise<Facts> {
    const { tools } = this.#settings;
    const tool = tools.get(call.tool);
    const budgets = this.#transcript.budgetsFor(call);
    const { views, decoding } = budgets.rules;
    const names = (): string[] => Array.from(tools.values?.() ?? [], ({ name }) => name);
    const inspection: Inspection = {
      ...{ call, tool, arguments: traced },
      similarTool: tool === undefined ? similarTo(call.tool, names()) : undefined,
      effect: tool?.effect ?? STRONGEST,
      hasRendered: this.#transcript.hasSeen,
      isAlarmed: this.#transcript.isAlarmed,
      trace: this.#transcript.tracer(budgets.rules),
      decode: (text) => views.textsIn(text, decoding),
      isSameMessage: (one, other) => parts.isSameMessage(one, other),
      toolOf: (id) => tools.get(this.#intake.get(id)?.source.name ?? ''),
      labelOf: (id) => (id === POLICY_ID ? HIGHEST : this.#intake.get(id)?.label),
      findSecrets: gate.findSecrets,
    };
    const destinations = new Destinations(inspection);
    let spent = 0;
    for (const _ of gate.preset === 'none' ? [] : destinations.readAhead()) {
      if (spentOn(budgets) - spent < STEPS_PER_TURN) continue;
      spent = spentOn(budgets);
      await new Promise<void>((resolve) => this.#settings.timer.set(resolve, 0));
    }
    return factsOf(inspection, destinations);
  }

  /** What the judge is told in addition to the call. */
  #told(call: ProposedCall): JudgeContext {
    const { values: _, ...authorized } = this.#transcript.task;
    return {
      developer: this.#transcript.instructions.slice(0, MAX_INSTRUCTIONS),
      messages: messagesIn(this.#intake.records),
      authorized,
      calledBefore: this.#transcript.calledBefore(call).map((name) => name ?? UNDECLARED),
    };
  }

  async #decide(call: ProposedCall, gate: Gate): Promise<Decision> {
    const { tools, limits, onEvent } = this.#settings;
    const tool = tools.get(call.tool);
    const traced = this.#approvals.applyTo(call, this.#transcript.trace(call));
    const parts = new ShownParts(limits, (id) => this.#intake.get(id));
    const task = canonicalJson([this.#intake.task, this.#transcript.task]);
    const judged = { call, tool, facts: await this.#inspect(call, traced, parts, gate), task };
    const facts = await this.#judging.addAnswer(judged, gate, () => this.#told(call));
    const decision = decideCall(
      gate,
      facts,
      { call, arguments: traced },
      {
        hasOwner: this.#settings.owner !== undefined,
        sourceOf: (id) => this.#intake.get(id)?.source.name,
        excerptOf: (place) => parts.excerptOf(place),
        onFailed: (rule, cause) => onEvent({ type: 'rule-failed', callId: call.id, rule, cause: causeName(cause) }),
      },
    );
    const approval = decision.scopes.length === 0 ? undefined : await this.#approvals.take(decision);
    if (approval !== undefined) this.#settle(decision);
    const settled = approval === undefined ? decision : approved(decision);
    const final = await this.#applyRejection(decision, settled, { gate, isApproved: approval !== undefined });
    const { outcome, judged: result, rule, decidedBy } = final;
    this.answers.record(final);
    if (outcome === 'allow') this.#allowed.add(call);
    onEvent({
      ...{ type: 'decided', callId: call.id, tool: tool?.name, outcome, judged: result, rule, decidedBy },
      ...(approval !== undefined && { approvalId: approval.id }),
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
