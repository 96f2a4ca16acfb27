import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { SallyportError } from '../base/errors.ts';
import type { ProposedCall } from '../call/call.ts';
import type { EventListener } from '../event.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { Decision } from './decision.ts';

/** Milliseconds since 1970, handed in: core has no clock of its own. */
export type Clock = () => number;

/** Who stands for something, and for how long. */
export interface Approval {
  /** An authenticated person. Core cannot check that: call this only behind your own log-in, never from a tool. */
  readonly by: string;
  /** When it ends, in milliseconds since 1970. @default five minutes from now */
  readonly until?: number;
}

/** A value that a person vouches for. */
export interface TrustedValue extends Approval {
  readonly value: string;
  /** The tool it may be used with. */
  readonly tool: string;
}

const DEFAULT_TERM = 5 * 60 * 1000;
// An endorsement is for the matter at hand: what should hold for longer belongs into the policy.
const MAX_TERM_LENGTH = 24 * 60 * 60 * 1000;

function digestOfCall({ tool, argumentsJson }: ProposedCall): string {
  return digestText(canonicalJson([tool, argumentsJson]));
}

function digestOfValue(tool: string, value: string): string {
  return digestText(canonicalJson([tool, value]));
}

/** What persons have endorsed in one conversation. It lives as long as this object: after a restart they are asked again. */
export class Approvals {
  readonly #clock: Clock;
  readonly #onEvent: EventListener;
  readonly #calls = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(clock: Clock, onEvent: EventListener) {
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  #term({ by, until }: Approval): number {
    if (typeof by !== 'string' || by.trim() === '')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        'by names the person who endorses: an anonymous endorsement is none.',
      );
    const now = this.#clock();
    const end = until ?? now + DEFAULT_TERM;
    if (!Number.isFinite(end) || end <= now || end > now + MAX_TERM_LENGTH)
      throw new SallyportError('ERR_INVALID_OPTION', 'until is a time from now on, at most a day ahead.');
    return end;
  }

  /** Lets one call pass that a decision had held: this tool, these arguments, once. */
  approve(decision: Decision, approval: Approval): void {
    if (!Decision.is(decision) || decision.outcome !== 'ask')
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() takes a decision of judge() whose outcome is ask. What was denied is not approved: let the user say what he wants, or endorse() its values.',
      );
    const until = this.#term(approval);
    this.#calls.set(digestOfCall(decision.call), until);
    const { id: callId, tool } = decision.call;
    this.#onEvent({ type: 'endorsed', what: 'call', by: approval.by, until, tool, callId });
  }

  /** Whether this very call was approved. An approval is used up by the first who asks. */
  take(call: ProposedCall): boolean {
    const digest = digestOfCall(call);
    const until = this.#calls.get(digest);
    this.#calls.delete(digest);
    return until !== undefined && this.#clock() < until;
  }

  vouch({ value, tool, ...approval }: TrustedValue): void {
    if (typeof value !== 'string' || value.trim() === '' || typeof tool !== 'string' || tool === '')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        'An endorsed value is { value, tool, by }: value is the text of the argument, a number as text too.',
      );
    const until = this.#term(approval);
    this.#values.set(digestOfValue(tool, value), until);
    this.#onEvent({ type: 'endorsed', what: 'value', by: approval.by, until, tool, callId: undefined });
  }

  /** The arguments of a call, those vouched that a person vouches for now. */
  applyTo(call: ProposedCall, traced: readonly Argument[]): readonly Argument[] {
    if (this.#values.size === 0) return traced;
    const now = this.#clock();
    return traced.map((argument) => {
      const until = this.#values.get(digestOfValue(call.tool, argument.text));
      if (until === undefined || now >= until) return argument;
      return {
        ...argument,
        provenance: { ...argument.provenance, trust: 'vouched', vouchedBy: 'person', isTrustedWhole: true },
      };
    });
  }
}
