import { canonicalJson } from '../base/canonical-json.ts';
import { digestText } from '../base/digest.ts';
import { describeValue, SallyportError } from '../base/errors.ts';
import type { ProposedCall } from '../call/call.ts';
import type { EventListener } from '../event.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { Decision } from './decision.ts';

/** Returns milliseconds since 1970. It is an option, since core has no clock of its own. */
export type Clock = () => number;

/**
 * Who approves, and for how long.
 *
 * @example
 * ```ts
 * const approval: Approval = { by: session.userId, until: Date.now() + 60_000 };
 * conversation.approve(decision, approval);
 * ```
 */
export interface Approval {
  /** The authenticated person who approves. Core cannot check this: call it only after your own login, never from a tool. */
  readonly by: string;
  /** When the approval expires, in milliseconds since 1970, at most one day ahead. @default five minutes from now */
  readonly until?: number;
}

/**
 * A value that a person vouches for, for one tool.
 *
 * @example
 * ```ts
 * const trusted: TrustedValue = { value: 'supplier@example.com', tool: 'send_mail', by: session.userId };
 * conversation.trustValue(trusted);
 * ```
 */
export interface TrustedValue extends Approval {
  /** The text of the argument; a number as text. */
  readonly value: string;
  /** The name of the tool that the value may be used with. */
  readonly tool: string;
}

const DEFAULT_TERM = 5 * 60 * 1000;
// An approval is for the task at hand; what should apply for longer belongs in the policy.
const MAX_TERM = 24 * 60 * 60 * 1000;

function digestOfCall({ tool, argumentsJson }: ProposedCall): string {
  return digestText(canonicalJson([tool, argumentsJson]));
}

function digestOfValue(tool: string, value: string): string {
  return digestText(canonicalJson([tool, value]));
}

/** The calls and values that people have approved in one conversation. Kept in memory: after a restart they are asked again. */
export class Approvals {
  readonly #clock: Clock;
  readonly #onEvent: EventListener;
  readonly #calls = new Map<string, number>();
  readonly #values = new Map<string, number>();

  constructor(clock: Clock, onEvent: EventListener) {
    this.#clock = clock;
    this.#onEvent = onEvent;
  }

  #expiryOf(approval: Approval): number {
    const { by, until } = approval ?? ({} as Partial<Approval>);
    if (typeof by !== 'string' || by.trim() === '')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `\`by\` must name the person who approves; received ${describeValue(by)}.`,
      );
    const now = this.#clock();
    const expiry = until ?? now + DEFAULT_TERM;
    if (!Number.isFinite(expiry) || expiry <= now || expiry > now + MAX_TERM)
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `\`until\` must be a time in the future, at most one day ahead, in milliseconds since 1970; received ${describeValue(until)}.`,
      );
    return expiry;
  }

  /** Allows one held call, once: this tool with these arguments. */
  approve(decision: Decision, approval: Approval): void {
    if (!Decision.is(decision) || decision.outcome !== 'ask')
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() needs a decision of check() whose outcome is ask. A denied call cannot be approved: ask the user to say what they want, or call trustValue() for its values.',
      );
    const until = this.#expiryOf(approval);
    this.#calls.set(digestOfCall(decision.call), until);
    const { id: callId, tool } = decision.call;
    this.#onEvent({ type: 'endorsed', what: 'call', by: approval.by, until, tool, callId });
  }

  /** Whether this call was approved. The first check uses the approval up. */
  take(call: ProposedCall): boolean {
    const digest = digestOfCall(call);
    const until = this.#calls.get(digest);
    this.#calls.delete(digest);
    return until !== undefined && this.#clock() < until;
  }

  /** Records that a person vouches for a value. */
  vouch({ value, tool, ...approval }: TrustedValue): void {
    if (typeof value !== 'string' || value.trim() === '' || typeof tool !== 'string' || tool === '')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `A trusted value must be { value, tool, by } with non-empty strings; received value ${describeValue(value)} and tool ${describeValue(tool)}. Pass a number as text.`,
      );
    const until = this.#expiryOf(approval);
    this.#values.set(digestOfValue(tool, value), until);
    this.#onEvent({ type: 'endorsed', what: 'value', by: approval.by, until, tool, callId: undefined });
  }

  /** The arguments of a call, with those marked as vouched that a person vouches for now. */
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
