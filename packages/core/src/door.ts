import { ProposedCall } from './call.ts';
import type { Decision } from './decision.ts';
import { STRONGEST } from './effect.ts';
import { defuse, type Released } from './egress.ts';
import { type Clock, type EndorsedValue, Endorsements, type Endorser } from './endorse.ts';
import { POLICY_ID } from './enter.ts';
import { SallyportError } from './errors.ts';
import { causeName, type EventListener } from './event.ts';
import type { Place } from './found.ts';
import { approved, type Gate, judgeCall, rejected } from './gate.ts';
import { HIGHEST } from './label.ts';
import { type LimitOptions, limit } from './limit.ts';
import type { Recorded } from './record.ts';
import type { ToolRegistry } from './tool.ts';
import type { Witness } from './witness.ts';

export interface DoorSettings {
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

/** The door out of one conversation: what the model wants to do and to say, by what it has read. */
export class Door {
  readonly #settings: DoorSettings;
  readonly #witness: Witness;
  readonly #recordOf: (id: string) => Recorded | undefined;
  readonly #endorsements: Endorsements;
  readonly #decisions = new WeakSet<Decision>();
  readonly #allowed = new WeakSet<ProposedCall>();

  constructor(settings: DoorSettings, witness: Witness, recordOf: (id: string) => Recorded | undefined) {
    this.#settings = settings;
    this.#witness = witness;
    this.#recordOf = recordOf;
    this.#endorsements = new Endorsements(settings.clock, settings.onEvent);
  }

  judge(call: ProposedCall): Decision {
    if (!ProposedCall.is(call)) throw new SallyportError('ERR_STAGE_SKIPPED', 'judge() takes what propose() gives.');
    const { tools, gate, onEvent } = this.#settings;
    const tool = tools.get(call.tool);
    const question = {
      call,
      tool,
      effect: tool?.effect ?? STRONGEST,
      arguments: this.#endorsements.applyTo(call, this.#witness.trace(call)),
      context: call.context,
      isBlind: !this.#witness.hasSeen,
      trace: this.#witness.tracer(),
      instruction: this.#witness.instructionFor(call.tool),
      labelOf: (id: string) => (id === POLICY_ID ? HIGHEST : this.#recordOf(id)?.label),
    };
    const decision = judgeCall(gate, question, {
      excerptOf: (place) => this.#excerpt(place),
      onFailed: (rule, cause) => onEvent({ type: 'rule-failed', callId: call.id, rule, cause: causeName(cause) }),
    });
    const isApproved = decision.outcome === 'ask' && this.#endorsements.take(call);
    const settled = isApproved ? approved(decision) : decision;
    if (isApproved) this.#witness.settle(call);
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
    const trace = this.#witness.tracer();
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
    const recorded = this.#recordOf(recordId);
    const shown = recorded === undefined ? undefined : limit(recorded, this.#settings.limits).parts[part];
    return shown?.text.slice(Math.max(0, start - EXCERPT), end + EXCERPT) ?? '';
  }
}
