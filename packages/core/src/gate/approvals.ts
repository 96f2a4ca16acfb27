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
 * How a held call is approved.
 *
 * @example
 * ```ts
 * conversation.approve(decision, { by: session.userId, scope: 'conversation' });
 * ```
 */
export interface CallApproval extends Approval {
  /**
   * What is approved: this call, `once`; or every call of this tool with the values that the decision was about, in this
   * `conversation`, until the approval expires. @default 'once'
   */
  readonly scope?: 'once' | 'conversation';
  /** Whether the person has seen the evidence and overrides a denial by the policy's table. @default false */
  readonly acknowledge?: boolean;
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

/**
 * What a person was asked: may this tool use these values? All of them, not only those in the evidence: otherwise another value
 * could be exchanged later. Only the model's text, choices and times may differ.
 */
function digestOfQuestion({ call, rule, arguments: all }: Decision): string {
  const values = all.filter(({ isFree, role }) => !isFree && role !== 'choice' && role !== 'time');
  return digestText(canonicalJson([call.tool, rule, values.map(({ path, text }) => [path, text])]));
}

/** Only the policy's table gives way to a person: what another rule denies stays denied. */
function canOverride({ outcome, cell }: Decision): boolean {
  return outcome === 'deny' && cell !== undefined;
}

/** The calls and values that people have approved in one conversation. Kept in memory: after a restart they are asked again. */
export class Approvals {
  readonly #clock: Clock;
  readonly #onEvent: EventListener;
  readonly #calls = new Map<string, { readonly until: number; readonly overrides: boolean }>();
  readonly #values = new Map<string, number>();
  readonly #questions = new Map<string, number>();

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

  /** Allows one held call, once: this tool with these arguments. Or its values for the conversation. */
  approve(decision: Decision, approval: CallApproval): void {
    const isHeld = Decision.is(decision) && (decision.outcome === 'ask' || canOverride(decision));
    if (!isHeld || decision.outcome === 'allow')
      throw new SallyportError(
        'ERR_STAGE_SKIPPED',
        'approve() needs a decision of check() whose outcome is ask, or a denial by the policy. No person can override what a rule denies.',
      );
    const overrides = decision.outcome === 'deny';
    const { scope = 'once', acknowledge } = approval ?? {};
    if (overrides && acknowledge !== true)
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        'This call was denied. Show the person the evidence, and pass `acknowledge: true` if they want it all the same.',
      );
    if (scope !== 'once' && scope !== 'conversation')
      throw new SallyportError(
        'ERR_INVALID_OPTION',
        `\`scope\` must be 'once' or 'conversation'; received ${describeValue(scope)}.`,
      );
    const until = this.#expiryOf(approval);
    const { id: callId, tool } = decision.call;
    this.#calls.set(digestOfCall(decision.call), { until, overrides });
    if (scope === 'conversation') this.#questions.set(digestOfQuestion(decision), until);
    this.#onEvent({ type: 'endorsed', what: 'call', by: approval.by, until, tool, callId });
  }

  /** Whether this call was approved, and the denial overridden if it is one. The first check uses the approval up. */
  take(decision: Decision): boolean {
    const { call, outcome } = decision;
    const lasting = this.#questions.get(digestOfQuestion(decision));
    if (outcome === 'ask' && lasting !== undefined && this.#clock() < lasting) return true;
    const digest = digestOfCall(call);
    const approval = this.#calls.get(digest);
    this.#calls.delete(digest);
    if (approval === undefined || this.#clock() >= approval.until) return false;
    return outcome === 'ask' || approval.overrides;
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
        provenance: { ...argument.provenance, trust: 'vouched', vouchedBy: 'person' },
      };
    });
  }
}
