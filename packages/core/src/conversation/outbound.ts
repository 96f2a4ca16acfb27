import { defuse, type Released } from '../address/defuse.ts';
import { SallyportError } from '../base/errors.ts';
import { type NativeToolUse, ProposedCall, proposeCall } from '../call/call.ts';
import { STRONGEST } from '../call/effect.ts';
import type { ToolRegistry } from '../call/tool.ts';
import { causeName, type EventListener } from '../event.ts';
import { type Clock, type EndorsedValue, Endorsements, type Endorser } from '../gate/approvals.ts';
import type { Decision } from '../gate/decision.ts';
import { approved, type Gate, judgeCall, rejected } from '../gate/gate.ts';
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

/** Asks a person. Whoever lets the call pass is named; undefined declines it. */
export type Ask = (decision: Decision) => PromiseLike<Endorser | undefined> | Endorser | undefined;

/** So many characters before and behind a place are shown to a person. */
const EXCERPT = 120;

/** The way out of one conversation: what the model wants to do and to say, by what it has read. */
export class Outbound {
  readonly #settings: OutboundSettings;
  readonly #intake: Intake;
  readonly #renderings: Renderings;
  readonly #transcript: Transcript;
  readonly #endorsements: Endorsements;
  readonly #decisions = new WeakSet<Decision>();
  readonly #allowed = new WeakSet<ProposedCall>();

  constructor(settings: OutboundSettings, intake: Intake, renderings: Renderings, transcript: Transcript) {
    this.#settings = settings;
    this.#intake = intake;
    this.#renderings = renderings;
    this.#transcript = transcript;
    this.#endorsements = new Endorsements(settings.clock, settings.onEvent);
  }

  /** A call of the model, under all that it had been shown by then. Nothing is recorded. */
  read(use: NativeToolUse): ProposedCall {
    return proposeCall(this.#intake.cleanUse(use), this.#renderings.context);
  }

  /** The same, and it is recorded whose words led to it. */
  propose(use: NativeToolUse): ProposedCall {
    const call = this.read(use);
    this.#transcript.recordCall(call);
    return call;
  }

  judge(call: ProposedCall): Decision {
    if (!ProposedCall.is(call)) throw new SallyportError('ERR_STAGE_SKIPPED', 'judge() takes what propose() gives.');
    const { tools, gate, onEvent } = this.#settings;
    const tool = tools.get(call.tool);
    const question = {
      call,
      tool,
      effect: tool?.effect ?? STRONGEST,
      arguments: this.#endorsements.applyTo(call, this.#transcript.trace(call)),
      context: call.context,
      isBlind: !this.#transcript.hasSeen,
      trace: this.#transcript.tracer(),
      instruction: this.#transcript.instructionFor(call.tool),
      labelOf: (id: string) => (id === POLICY_ID ? HIGHEST : this.#intake.get(id)?.label),
    };
    const decision = judgeCall(gate, question, {
      excerptOf: (place) => this.#excerpt(place),
      onFailed: (rule, cause) => onEvent({ type: 'rule-failed', callId: call.id, rule, cause: causeName(cause) }),
    });
    const isApproved = decision.outcome === 'ask' && this.#endorsements.take(call);
    const settled = isApproved ? approved(decision) : decision;
    if (isApproved) this.#transcript.settle(call);
    const { outcome, judged, rule } = settled;
    this.#decisions.add(settled);
    if (outcome === 'allow') this.#allowed.add(call);
    onEvent({ type: 'decided', callId: call.id, tool: tool?.name, outcome, judged, rule });
    return settled;
  }

  wasAllowed(call: ProposedCall): boolean {
    return this.#allowed.has(call);
  }

  release(text: string): Released {
    const trace = this.#transcript.tracer();
    return defuse(text, ({ text: address, kind }) => {
      const { standing, isSaidWhole, pieces } = trace(address);
      const isQuoted = pieces.length === 1 && pieces[0]?.how === 'whole';
      const isSeen = kind === 'followed' && isQuoted && (standing === 'open' || standing === 'pointed');
      // Of pieces that were said, an address can be made that carries data.
      return isSaidWhole || isSeen ? 'keep' : 'withhold';
    });
  }

  approve(decision: Decision, endorser: Endorser): void {
    if (!this.#decisions.has(decision))
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() takes a decision that judge() of this conversation gave.',
      );
    this.#endorsements.approve(decision, endorser);
  }

  /** Asks a person about a held call. Where nobody can be asked, it stays held; what is not held stays as it is. */
  async consult(decision: Decision, ask: Ask | undefined): Promise<Decision> {
    if (decision.outcome !== 'ask' || ask === undefined) return decision;
    const { onEvent } = this.#settings;
    const { id: callId, tool } = decision.call;
    let endorser: Endorser | undefined;
    try {
      endorser = await ask(decision);
    } catch (cause) {
      onEvent({ type: 'ask-failed', callId, cause: causeName(cause) });
      return decision;
    }
    if (endorser === undefined) {
      onEvent({ type: 'declined', callId, tool });
      return rejected(decision);
    }
    this.approve(decision, endorser);
    return this.judge(decision.call);
  }

  endorse(value: EndorsedValue): void {
    this.#endorsements.vouch(value);
  }

  #excerpt({ recordId, part, start, end }: Place): string {
    const recorded = this.#intake.get(recordId);
    const shown = recorded === undefined ? undefined : limit(recorded, this.#settings.limits).parts[part];
    return shown?.text.slice(Math.max(0, start - EXCERPT), end + EXCERPT) ?? '';
  }
}
