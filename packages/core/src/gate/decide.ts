import { isOutcome, OUTCOMES, type Outcome } from '../call/call.ts';
import { isPointing } from '../call/role.ts';
import type { Supplier, TableChanges } from '../call/table-changes.ts';
import type { Facts, JudgeAnswer, ValueFacts } from '../facts/facts.ts';
import { namesOf, overBudget, reasonOf } from './explain.ts';
import type { DecidedBy, Rule, RuleResult, Rules } from './rule.ts';
import { BALANCED, type Cell, changedIn, isGrave, outcomeIn, STRICT, worse } from './table.ts';

/** The rule that a decision names if a call was too much to check. It says nothing about who supplied a value. */
export const OVER_BUDGET = 'over-budget';

const reads: Rule = ({ effect }) =>
  effect === 'read'
    ? { outcome: 'allow', reason: 'This tool only reads data and changes nothing.', decidedBy: 'provenance' }
    : undefined;

const blind: Rule = ({ effect, hasRendered }) =>
  effect !== 'read' && !hasRendered
    ? {
        outcome: 'deny',
        reason:
          'No content of this conversation was shown to the model yet, so what it has read is unknown. Call request() or render() first, and again after restore().',
      }
    : undefined;

const undeclared: Rule = ({ isDeclared, similarTool }) =>
  isDeclared
    ? undefined
    : {
        outcome: 'ask',
        reason: `This tool is not declared, so its effect is unknown.${similarTool === undefined ? '' : ` Did you mean ${similarTool}?`} Declare it with its effect, or reject the call.`,
      };

/** A call that was not read: a person cannot review that many values either. */
const oversized: Rule = ({ effect, isOversized }) =>
  effect !== 'read' && isOversized
    ? {
        outcome: 'deny',
        reason: 'This call is over budget: it has too many values to check. Divide it into smaller calls.',
        about: [''],
        name: OVER_BUDGET,
      }
    : undefined;

/** A script that has read untrusted content can transform it so that no word of it is found again. */
const computed: Rule = ({ computed: about }) =>
  about === undefined
    ? undefined
    : {
        outcome: 'ask',
        reason: `A script computed or chose ${about.length === 0 ? 'the names of the arguments' : namesOf(about)} after untrusted content was read. Review the value, then approve or reject the call.`,
        about,
      };

const secrets: Rule = ({ secrets: found }) => {
  if (found.length === 0) return undefined;
  const kinds = [...new Set(found.map(({ kind }) => `${/^(?:[aeiou]|npm)/i.test(kind) ? 'an' : 'a'} ${kind}`))];
  const named = kinds.length < 3 ? kinds.join(' and ') : `${kinds.slice(0, 2).join(', ')} and other secrets`;
  // Without evidence: it would quote the secret.
  return { outcome: 'ask', reason: `This call carries ${named}. Allow it only if the recipient may have it.` };
};

/** Words of others are in the conversation: in what was read, or in what the user quotes. */
export function hasOthers({ hasReadOthers, values, addresses }: Facts): boolean {
  return (
    hasReadOthers ||
    [...values, ...addresses].some(({ supplier }) => supplier === 'content' || supplier === 'instructed')
  );
}

/** Private data towards an address that others chose. The judge sees that; a secret is for a person. */
const disclosure: Rule = ({ disclosure: found, judge }) => {
  if (found === undefined) return undefined;
  const { degree, paths: about } = found;
  if (degree === 'unchecked') return { outcome: 'ask', reason: overBudget(about), about, name: OVER_BUDGET };
  if (degree === 'private' && judge !== undefined) return undefined;
  const data = degree === 'secret' ? 'Secret data' : 'Private data';
  const reason = `${data} would go to an address that untrusted content chose. Allow it only if the recipient may see that data.`;
  return { outcome: 'ask', reason, about };
};

/** The values that no tool leaves to the model's wording (`modelText`). */
function ownValues({ values }: Facts): readonly ValueFacts[] {
  return values.filter(({ isFree }) => isFree !== true);
}

function pathsOf(values: readonly ValueFacts[]): readonly string[] {
  return values.map(({ path }) => path);
}

/** A value or an address in a text that was too much to search, once others were read: what it is cannot be said. */
const unchecked: Rule = (facts) => {
  if (facts.effect === 'read' || !hasOthers(facts)) return undefined;
  const about = pathsOf([...ownValues(facts), ...facts.addresses].filter((each) => each.isUnchecked));
  return about.length === 0 ? undefined : { outcome: 'ask', reason: overBudget(about), about, name: OVER_BUDGET };
};

/** What some values have in common, the worst supplier and the values of that supplier. */
interface Worst {
  readonly supplier: Supplier;
  readonly values: readonly ValueFacts[];
}

function worstOf(values: readonly ValueFacts[], otherwise: Supplier): Worst {
  const supplier = values.map((each) => each.supplier).reduce(worse, otherwise);
  return { supplier, values: values.filter((each) => each.supplier === supplier) };
}

/**
 * The values that say whom a call reaches, what it changes and what it runs; any other if a request or an instruction names it. Where
 * nothing does that in a grave call, its texts do: a pattern, a query.
 */
function decidingIn(facts: Facts): readonly ValueFacts[] {
  const { effect } = facts;
  const own = ownValues(facts);
  const deciding = own.filter(
    ({ role, supplier, isRequested }) =>
      isPointing(effect, role) || supplier === 'instructed' || (isRequested === true && isGrave(effect)),
  );
  return deciding.length === 0 && isGrave(effect) ? own.filter(({ role }) => role === 'text') : deciding;
}

/** The user or another trusted source gave every value of an ordinary call, and at least one. */
export function isTrustedCall(facts: Facts): boolean {
  const own = ownValues(facts);
  return !isGrave(facts.effect) && own.length > 0 && [...own, ...facts.addresses].every(({ isVouched }) => isVouched);
}

/** The judge's answer lets a call pass. */
export function fits({ act, target, careful }: JudgeAnswer): boolean {
  return act && target && !careful;
}

function objectionIn({ act, target }: JudgeAnswer): string {
  if (!act) return 'the user did not ask for this';
  return target ? 'you would want to be asked' : "the user's words do not lead to these values";
}

/** What a judge's answer means for a call. */
function byJudge(judge: NonNullable<Facts['judge']>, values: readonly ValueFacts[]): RuleResult {
  if ('failed' in judge) {
    const reason = `The judge did not answer (${judge.failed}), so a person decides. ${reasonOf(values)}`;
    return { outcome: 'ask', reason, name: 'judge-failed', decidedBy: 'judge' };
  }
  const says = fits(judge) ? 'this is what the user asked for' : objectionIn(judge);
  const reason = `The judge says that ${says}: ${judge.reason}`;
  return { outcome: fits(judge) ? 'allow' : 'ask', reason, name: 'judge', decidedBy: 'judge' };
}

/** What the table says without a judge, and two facts that hold a call that it would allow. */
function byTable(facts: Facts, deciding: readonly ValueFacts[], worst: Worst, listed: Outcome): RuleResult {
  const about = pathsOf(worst.values);
  const reason = reasonOf(worst.values);
  if (listed !== 'allow') return { outcome: listed, reason, about };
  const requested = isGrave(facts.effect) ? [...deciding, ...facts.addresses].filter((each) => each.isRequested) : [];
  if (requested.length > 0)
    return { outcome: 'ask', reason: reasonOf(requested), about: pathsOf(requested), name: 'requested' };
  if (!facts.isAlarmed || isTrustedCall(facts)) return { outcome: listed, reason, about };
  const alarm = `A text that was read gives instructions to the model. ${reason}`;
  return { outcome: 'ask', reason: alarm, about, name: 'alarm' };
}

/** Two keys: what provenance clears or denies, what the judge says, and the table where no judge does. */
function twoKeys(changes: TableChanges): Rule {
  return (facts) => {
    const { effect, judge, table } = facts;
    if (effect === 'read') return undefined;
    const isInDoubt = hasOthers(facts);
    const deciding = decidingIn(facts);
    const worst = worstOf(deciding, deciding.length > 0 || !isInDoubt ? 'trusted' : 'model');
    const cell: Cell = { effect, supplier: worst.supplier };
    const about = pathsOf(worst.values);
    const changed = changedIn(cell, [table, changes]);
    // What an application reserves for a person, no judge lets pass. An `allow` only replaces the table's outcome.
    if (changed === 'ask' || changed === 'deny')
      return { outcome: changed, reason: reasonOf(worst.values), about, cell };
    if (!isInDoubt) {
      const reason = 'Nothing that others wrote was read before this call.';
      return { outcome: 'allow', reason, cell, name: 'unread', decidedBy: 'provenance' };
    }
    if (worst.supplier === 'instructed')
      return { outcome: 'deny', reason: reasonOf(worst.values), about, cell, decidedBy: 'provenance' };
    if (judge !== undefined) return { ...byJudge(judge, worst.values), about, cell };
    return { ...byTable(facts, deciding, worst, changed ?? outcomeIn(BALANCED, cell)), cell };
  };
}

/** Provenance alone: every value decides, and so does every address in a text. Only what trusted sources wrote makes a value trusted. */
function provenanceAlone(changes: TableChanges): Rule {
  return (facts) => {
    const { effect, table } = facts;
    if (effect === 'read') return undefined;
    const isInDoubt = hasOthers(facts);
    const strict = [...ownValues(facts), ...facts.addresses].map((each): ValueFacts => {
      if (each.isVouched || !isInDoubt) return { ...each, supplier: 'trusted' };
      return each.supplier === 'trusted' || each.isInText ? { ...each, supplier: 'content' } : each;
    });
    const isClear = strict.length > 0 || !isInDoubt || !isGrave(effect);
    const { supplier, values } = worstOf(strict, isClear ? 'trusted' : 'model');
    const cell: Cell = { effect, supplier };
    const about = pathsOf(values);
    const outcome = changedIn(cell, [table, changes]) ?? outcomeIn(STRICT, cell);
    if (outcome !== 'allow' && values.length > 0 && values.every((each) => each.isUnchecked))
      return { outcome, reason: overBudget(about), about, name: OVER_BUDGET };
    return { outcome, reason: reasonOf(values), about, cell };
  };
}

/** The rules of a preset, under the changes that an application makes to its table. */
export const RULES_OF: Readonly<Record<'balanced' | 'strict' | 'none', (changes: TableChanges) => Rules>> = {
  balanced: (changes) => ({
    ...{ reads, blind, undeclared, oversized, secrets, computed, disclosure, unchecked },
    decided: twoKeys(changes),
  }),
  strict: (changes) => ({ reads, blind, undeclared, oversized, secrets, decided: provenanceAlone(changes) }),
  none: () => ({ secrets }),
};

/** What was decided about a call, and by which rules. */
export interface Verdict extends RuleResult {
  readonly rule: string;
  /** All rules that came to the same result; `rule` is the first of them. */
  readonly rules: readonly string[];
  readonly decidedBy: DecidedBy;
}

/** Called when a rule threw or returned an invalid result. */
export type OnFailed = (rule: string, cause?: unknown) => void;

const FAILED: RuleResult = {
  outcome: 'deny',
  reason:
    'A gate rule failed: it threw an error or returned an invalid result. A rule must return { outcome, reason } or undefined, synchronously. Fix the rule; until then its calls are denied.',
};
const NO_RULE: Verdict = {
  outcome: 'deny',
  reason: 'No gate rule allows this call, so it is denied.',
  rule: 'no-rule',
  rules: ['no-rule'],
  decidedBy: 'rule',
};

function resultOfRule(name: string, rule: Rule, facts: Facts, onFailed: OnFailed): RuleResult | undefined {
  try {
    const result = rule(facts);
    if (result === undefined) return undefined;
    const { outcome, reason } = result;
    if (isOutcome(outcome) && typeof reason === 'string') return result;
    onFailed(name);
  } catch (cause) {
    onFailed(name, cause);
  }
  return FAILED;
}

/**
 * Decides about a call. The strictest result of all rules counts. A pure function of the facts, as far as the application's own rules
 * are: the same facts are decided in the same way without their conversation.
 */
export function decide(facts: Facts, rules: Rules, onFailed: OnFailed = () => undefined): Verdict {
  const verdicts = Object.entries(rules).flatMap(([name, rule]): Verdict[] => {
    const result = resultOfRule(name, rule, facts, onFailed);
    if (result === undefined) return [];
    const named = result.name ?? result.cell?.supplier ?? name;
    const decidedBy = result.decidedBy ?? (result.cell === undefined ? 'rule' : 'table');
    return [{ ...result, rule: named, rules: [named], decidedBy }];
  });
  const outcome = OUTCOMES.findLast((each) => verdicts.some((verdict) => verdict.outcome === each));
  const strictest = verdicts.filter((verdict) => verdict.outcome === outcome);
  const [first = NO_RULE] = strictest;
  return strictest.length < 2 ? first : { ...first, rules: strictest.map(({ rule }) => rule) };
}
