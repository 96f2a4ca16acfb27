import type { Outcome, ProposedCall } from '../call/call.ts';
import type { Effect } from '../call/effect.ts';
import type { Excerpt } from '../facts/excerpt.ts';
import type { Facts, JudgeAnswer } from '../facts/facts.ts';
import type { Place } from '../provenance/occurrence.ts';
import type { Argument } from '../provenance/trace-call.ts';
import type { TrustClass } from '../provenance/trust.ts';
import type { DecidedBy } from './rule.ts';
import type { ApprovalScope } from './scope.ts';
import { hideEvidence, hideSecrets } from './secrets.ts';

/**
 * A value of the call that led to the decision, and where it comes from in what the model has read.
 *
 * @example
 * ```ts
 * for (const { path, value, source, excerpt } of decision.evidence satisfies readonly Evidence[])
 *   show(`${path}: ${value}, from ${source}`, excerpt?.before, excerpt?.match, excerpt?.after);
 * ```
 */
export interface Evidence {
  /** A JSON pointer into the arguments. */
  readonly path: string;
  readonly value: string;
  readonly trust: TrustClass;
  /** True if the value, or what is in it, was too much to check in one call: `trust` is what was found until then. Absent otherwise. */
  readonly isOverBudget?: true;
  /** Where the value occurs, in UTF-16 offsets of the part as it was shown. Absent if it occurs nowhere. */
  readonly place?: Place;
  /** The name of the source that the text comes from, such as the tool that returned it. Absent if it has none. */
  readonly source?: string;
  /** The text around the value, for a person to read. Absent if the value occurs nowhere. */
  readonly excerpt?: Excerpt;
}

/** Maximum number of values that a decision reports as evidence. */
export const MAX_EVIDENCE = 16;

type DecisionFields = Omit<Decision, 'type' | 'judge' | 'toJSON'>;

/**
 * A decision as plain JSON.
 *
 * @example
 * ```ts
 * const waiting: StoredDecision[] = conversation.pending().map((decision) => decision.toJSON());
 * ```
 */
export interface StoredDecision
  extends Pick<Decision, 'outcome' | 'judged' | 'rule' | 'reason' | 'evidence' | 'scopes' | 'decidedBy'> {
  readonly call: Pick<ProposedCall, 'id' | 'tool' | 'argumentsJson'>;
  readonly cell?: string;
  readonly judge?: JudgeAnswer;
}

/**
 * What the gate decided about a call, and why. `Conversation.check()` returns it.
 *
 * @example
 * ```ts
 * const decision: Decision = await conversation.check(toolCall);
 * if (decision.outcome !== 'allow') return decision.result;
 * ```
 */
export class Decision {
  readonly #made = true;
  readonly type = 'decision';
  readonly call: ProposedCall;
  /** The effect that was judged: the tool's, or what the values of the call say, such as `configure` for a file that acts later. */
  readonly effect: Effect;
  readonly outcome: Outcome;
  /** What the rules decided. It differs from `outcome` if the gate only observes, a person approved or rejected the call, or may have rejected it. */
  readonly judged: Outcome;
  /** The name of the rule that decided; for the policy's table, who supplied the worst value, such as `requested`. */
  readonly rule: string;
  /** The names of all rules that came to the same result; `rule` is the first of them. */
  readonly rules: readonly string[];
  /** The cell of the policy's table that decided, such as `send, content`; undefined if another rule did. */
  readonly cell: string | undefined;
  /** For a person: the cause, and what they can do. */
  readonly reason: string;
  /** The values that led to the decision. */
  readonly evidence: readonly Evidence[];
  /** Every value of the call with its provenance. */
  readonly arguments: readonly Argument[];
  /** The scopes in which a person may approve the call. Empty if it is allowed, or if no person can override its denial. */
  readonly scopes: readonly ApprovalScope[];
  /** What to give the model in place of the tool's result. A constant text, without anything of the call or of any content. */
  readonly result: string;
  /** What decided: provenance alone, the judge, the table that stands in for it, another rule, or a person. */
  readonly decidedBy: DecidedBy;
  /** Everything that the decision depended on, as plain JSON. */
  readonly facts: Facts;

  constructor(fields: DecisionFields) {
    this.call = fields.call;
    this.effect = fields.effect;
    this.outcome = fields.outcome;
    this.judged = fields.judged;
    this.rule = fields.rule;
    this.rules = Object.freeze([...fields.rules]);
    this.cell = fields.cell;
    this.reason = fields.reason;
    this.evidence = Object.freeze([...fields.evidence]);
    this.arguments = fields.arguments;
    this.scopes = fields.scopes;
    this.result = fields.result;
    this.decidedBy = fields.decidedBy;
    this.facts = fields.facts;
    Object.freeze(this);
  }

  /** What the judge said about the call; undefined if it was not asked, or failed. */
  get judge(): JudgeAnswer | undefined {
    const { judge } = this.facts;
    return judge === undefined || 'failed' in judge ? undefined : judge;
  }

  static is(value: unknown): value is Decision {
    return typeof value === 'object' && value !== null && #made in value;
  }

  /**
   * The decision as plain JSON, for a queue or a page where a person decides. Its evidence holds untrusted content. Values with the
   * role `secret` are not in it.
   */
  toJSON(): StoredDecision {
    const { call, outcome, judged, rule, cell, reason, scopes, decidedBy, judge, arguments: all } = this;
    return {
      call: { id: call.id, tool: call.tool, argumentsJson: hideSecrets(call.argumentsJson, all) },
      ...{ outcome, judged, rule, ...(cell && { cell }), reason },
      ...{ evidence: hideEvidence(this.evidence, all), scopes, decidedBy, ...(judge && { judge }) },
    };
  }
}
