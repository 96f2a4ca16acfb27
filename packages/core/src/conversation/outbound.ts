import { defuse, type SanitizedOutput } from '../address/defuse.ts';
import { BoundedMap } from '../base/bounded-map.ts';
import { SallyportError } from '../base/errors.ts';
import { type ProposedCall, proposeCall, type ToolCall } from '../call/call.ts';
import { STRONGEST } from '../call/effect.ts';
import type { ToolRegistry } from '../call/tool.ts';
import { causeName, type EventListener } from '../event.ts';
import { Approvals, type CallApproval, type Clock, type TrustedValue } from '../gate/approvals.ts';
import type { Decision } from '../gate/decision.ts';
import { approved, type Gate, judgeCall, rejected } from '../gate/gate.ts';
import { objectFinder } from '../json/leaf-positions.ts';
import { HIGHEST } from '../label/label.ts';
import { POLICY_ID } from '../provenance/ledger-entry.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Transcript } from '../provenance/transcript.ts';
import { type LimitOptions, limit } from '../record/limit.ts';
import type { Intake } from './intake.ts';
import type { Renderings } from './renderings.ts';

export interface OutboundSettings {
  readonly tools: ToolRegistry;
  readonly limits: LimitOptions;
  readonly onEvent: EventListener;
  readonly gate: Gate;
  readonly clock: Clock;
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
}

/** Maximum number of calls that wait for a person. Older ones have to be checked again. */
const MAX_PENDING = 1000;

/** Characters of context shown on each side of an occurrence. */
const EXCERPT = 120;

/** The outbound side of one conversation: checks the model's calls and sanitizes its answers. */
export class Outbound {
  readonly #settings: OutboundSettings;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #transcript: Transcript;
  readonly #approvals: Approvals;
  readonly #calls = new WeakSet<ProposedCall>();
  readonly #decisions = new WeakSet<Decision>();
  readonly #pending = new BoundedMap<string, Decision>(MAX_PENDING);
  readonly #allowed = new WeakSet<ProposedCall>();

  constructor(settings: OutboundSettings, intake: Intake, renderings: Renderings, transcript: Transcript) {
    this.#settings = settings;
    this.#intake = intake;
    this.#renderings = renderings;
    this.#transcript = transcript;
    this.#approvals = new Approvals(settings.clock, settings.onEvent);
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
  async check(call: ProposedCall, { ask }: CheckOptions): Promise<Decision> {
    // Its label says what another conversation has read, and nothing of this one.
    if (!this.#calls.has(call))
      throw new SallyportError('ERR_STAGE_SKIPPED', 'check() needs a call that this conversation recorded.');
    const decision = this.#decide(call);
    return decision.outcome === 'ask' && ask !== undefined ? this.#askPerson(decision, ask) : decision;
  }

  #decide(call: ProposedCall): Decision {
    const { tools, gate, onEvent } = this.#settings;
    const tool = tools.get(call.tool);
    const effect = tool?.effect ?? STRONGEST;
    const traced = this.#approvals.applyTo(call, this.#transcript.trace(call));
    const question = {
      call,
      tool,
      effect,
      arguments: traced,
      context: call.context,
      hasRendered: this.#transcript.hasSeen,
      trace: this.#transcript.tracer(),
      asked: this.#transcript.task.asks(call.tool, effect, tool?.asks),
      isNamedPerson: (address: string) => this.#transcript.isNamedPerson(address),
      namesObject: (text: string) => this.#transcript.namesObject(text),
      isSameMessage: this.#messageComparer(),
      nameOf: (id: string) => this.#intake.get(id)?.source.name,
      labelOf: (id: string) => (id === POLICY_ID ? HIGHEST : this.#intake.get(id)?.label),
    };
    const decision = judgeCall(gate, question, {
      excerptOf: (place) => this.#excerpt(place),
      onFailed: (rule, cause) => onEvent({ type: 'rule-failed', callId: call.id, rule, cause: causeName(cause) }),
    });
    const isApproved = decision.outcome !== 'allow' && this.#approvals.take(decision);
    const final = isApproved ? approved(decision) : decision;
    if (isApproved) this.#settle(call);
    const { outcome, judged, rule } = final;
    this.#decisions.add(final);
    this.#pending.delete(call.id);
    if (outcome === 'ask') this.#pending.set(call.id, final);
    if (outcome === 'allow') this.#allowed.add(call);
    onEvent({ type: 'decided', callId: call.id, tool: tool?.name, outcome, judged, rule });
    return final;
  }

  /** Records that a person approved a call. The same call under another id no longer waits. */
  #settle(call: ProposedCall): void {
    this.#transcript.recordApproval(call);
    for (const { call: waiting } of this.#pending.values())
      if (waiting.tool === call.tool && waiting.argumentsJson === call.argumentsJson) this.#pending.delete(waiting.id);
  }

  wasAllowed(call: ProposedCall): boolean {
    return this.#allowed.has(call);
  }

  sanitizeOutput(text: string): SanitizedOutput {
    const trace = this.#transcript.tracer();
    return defuse(text, ({ text: address, kind }) => {
      const { trust, pieces } = trace(address);
      const isQuoted = pieces.length === 1 && pieces[0]?.how === 'whole';
      const isKnownLink = kind === 'followed' && isQuoted && (trust === 'open' || trust === 'pointed');
      const isTrusted = trace(address, 'url').vouchedBy !== undefined || this.#transcript.isDevelopers(address);
      return isTrusted || isKnownLink ? 'keep' : 'withhold';
    });
  }

  /** The calls that wait for a person, the oldest first. */
  get pending(): readonly Decision[] {
    return [...this.#pending.values()];
  }

  approve(given: Decision | string, approval: CallApproval): void {
    const decision = typeof given === 'string' ? (this.#pending.get(given) as Decision) : given;
    if (!this.#decisions.has(decision))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() needs a decision that check() of this conversation returned.',
      );
    this.#approvals.approve(decision, approval);
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
      this.#pending.delete(callId);
      onEvent({ type: 'declined', callId, tool });
      return rejected(decision);
    }
    this.approve(decision, approval as CallApproval);
    return this.#decide(decision.call);
  }

  trustValue(value: TrustedValue): void {
    this.#approvals.vouch(value);
  }

  /** Whether two places are in the same message. Every part is read once. */
  #messageComparer(): (one: Place, other: Place) => boolean {
    const finders = new Map<string, (at: number) => number>();
    const finderOf = (place: Place): ((at: number) => number) => {
      const key = `${place.part} ${place.recordId}`;
      const finder = finders.get(key) ?? this.#messageFinder(place);
      finders.set(key, finder);
      return finder;
    };
    return (one, other) => {
      if (one.recordId !== other.recordId || one.part !== other.part) return false;
      const startOf = finderOf(one);
      return startOf(one.start) === startOf(other.start);
    };
  }

  /** Where the message around a position of a part begins: the innermost JSON object, or the part. */
  #messageFinder({ recordId, part }: Place): (at: number) => number {
    const recorded = this.#intake.get(recordId);
    const shown = recorded === undefined ? undefined : limit(recorded, this.#settings.limits).parts[part];
    if (shown?.part.type !== 'json' || shown.cut !== undefined) return () => 0;
    const find = objectFinder(shown.text);
    return (at) => find(at)?.start ?? 0;
  }

  #excerpt({ recordId, part, start, end }: Place): string {
    const recorded = this.#intake.get(recordId);
    const shown = recorded === undefined ? undefined : limit(recorded, this.#settings.limits).parts[part];
    return shown?.text.slice(Math.max(0, start - EXCERPT), end + EXCERPT) ?? '';
  }
}
