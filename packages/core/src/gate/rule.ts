import type { Outcome } from '../call/call.ts';
import type { Facts } from '../facts/facts.ts';
import type { Cell } from './table.ts';

/**
 * What decided about a call: provenance alone, the judge, the table that stands in for it, another rule, or a person.
 *
 * @example
 * ```ts
 * const settled = DECIDED_BY.map((by) => decisions.filter(({ decidedBy }) => decidedBy === by).length);
 * ```
 */
const DECIDED_BY = ['provenance', 'judge', 'table', 'rule', 'person'] as const;

/**
 * What decided about a call; see `DECIDED_BY`.
 *
 * @example
 * ```ts
 * const isJudged = decision.decidedBy === ('judge' satisfies DecidedBy);
 * ```
 */
export type DecidedBy = (typeof DECIDED_BY)[number];

/**
 * What a rule decides about a call.
 *
 * @example
 * ```ts
 * const result: RuleResult = { outcome: 'ask', reason: 'Payments need an approval.' };
 * ```
 */
export interface RuleResult {
  readonly outcome: Outcome;
  /** For a person: the cause, and what they can do. */
  readonly reason: string;
  /** The paths of the arguments that led to the result; the decision reports them as evidence. @default none */
  readonly about?: readonly string[];
  /** The cell of the policy's table. @default none: no table decided */
  readonly cell?: Cell;
  /** What the decision reports as its rule. @default who supplied the worst value of the cell, or the name of the rule */
  readonly name?: string;
  /** @default 'table' with a cell, else 'rule' */
  readonly decidedBy?: DecidedBy;
}

/**
 * Checks a call. Returns undefined if the rule does not apply to it. Rules are synchronous.
 *
 * @example
 * ```ts
 * const payments: Rule = ({ effect }) =>
 *   effect === 'spend' ? { outcome: 'ask', reason: 'Payments need an approval.' } : undefined;
 * ```
 */
export type Rule = (facts: Facts) => RuleResult | undefined;

/**
 * Rules by name. The strictest result counts; if no rule applies, the call is denied.
 *
 * @example
 * ```ts
 * const rules: Rules = { payments };
 * const boundary = createBoundary({ gate: { rules } });
 * ```
 */
export type Rules = Readonly<Record<string, Rule>>;
