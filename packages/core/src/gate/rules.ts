import { parseJson } from '../base/parse-json.ts';
import { hasLiteral, mentions, type ScriptOrigin } from '../call/script.ts';
import { vouches } from '../label/label.ts';
import { type Argument, MAX_MEMBERS } from '../provenance/trace-call.ts';
import type { GateQuestion, Rule } from './decision.ts';
import { destinationsIn, isChosenByOthers, TELLS_OTHERS } from './destination.ts';

function isEffect({ effect }: GateQuestion): boolean {
  return effect !== 'read';
}

const MAX_NAMED = 5;
const PLAIN_PATH = /^[\w./-]{1,60}$/;

/** The names of arguments for a person to read. A model chooses names too: an unusual one is not repeated. */
export function namesOf(about: readonly Argument[]): string {
  const paths = new Set(about.slice(0, MAX_NAMED).map(({ path }) => path.slice(1)));
  const names = [...paths].map((path) =>
    path === '' ? 'the arguments' : PLAIN_PATH.test(path) ? `"${path}"` : 'an argument with an unusual name',
  );
  if (about.length > MAX_NAMED) return `${names.join(', ')} and others`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** The rule that a decision names if a call was too much to check. It says nothing about who supplied a value. */
export const OVER_BUDGET = 'over-budget';

/** The rule that a decision names if it cannot be read whether a person has rejected the call. */
export const STORE_FAILED = 'store-failed';

/** Why a call is held that was too much to check. */
export function overBudget(about: readonly Argument[]): string {
  const names = namesOf(about).replace(/^the /, 'The ').replace(/^an /, 'An ');
  const isOne = new Set(about.map(({ path }) => path)).size === 1 && about[0]?.path !== '';
  return `${names} ${isOne ? 'is' : 'are'} over budget: too much to check in one call. Review the call, or divide it.`;
}

/** A call that was not read: a person cannot review that many values either. */
export const oversized: Rule = (question) =>
  isEffect(question) && question.call.memberCount > MAX_MEMBERS
    ? {
        outcome: 'deny',
        reason: `This call is over budget: it has more than ${MAX_MEMBERS.toLocaleString('en')} values, too many to check. Divide it into smaller calls.`,
        about: question.arguments,
        name: OVER_BUDGET,
      }
    : undefined;

export function isVouched({ provenance }: Argument): boolean {
  return provenance.vouchedBy !== undefined;
}

export const reads: Rule = (question) =>
  isEffect(question) ? undefined : { outcome: 'allow', reason: 'This tool only reads data and changes nothing.' };

export const blind: Rule = (question) =>
  isEffect(question) && !question.hasRendered
    ? {
        outcome: 'deny',
        reason:
          'No content of this conversation was shown to the model yet, so what it has read is unknown. Call request() or render() first, and again after restore().',
      }
    : undefined;

export const undeclared: Rule = (question) =>
  question.tool === undefined
    ? {
        outcome: 'ask',
        reason: `This tool is not declared, so its effect is unknown.${question.similarTool === undefined ? '' : ` Did you mean ${question.similarTool}?`} Declare it with its effect, or reject the call.`,
      }
    : undefined;

/** Whether the script computed an argument's name: a value may hide in one. */
function hasComputedName(question: GateQuestion, script: ScriptOrigin): boolean {
  const given: unknown = parseJson(question.call.argumentsJson);
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isMap && Object.keys(given).some((name) => !mentions(script, name));
}

/**
 * A script that has read untrusted content can transform it so that no word of it is found again. So a value must be vouched for,
 * or occur literally in the script; and where untrusted content chose the recipient, everything that the call sends is held.
 */
export const computed: Rule = (question) => {
  const { script } = question.call;
  if (!isEffect(question) || script === undefined) return undefined;
  const hasReadOthers = !vouches(script.label.integrity);
  const values = question.arguments.filter(
    (each) => hasReadOthers && !each.isFree && !isVouched(each) && !hasLiteral(script, each.text),
  );
  const addresses = destinationsIn(question, question.arguments);
  const computedAddresses = addresses.filter(
    ({ address, chosen }) => hasReadOthers && chosen.vouchedBy === undefined && !mentions(script, address),
  );
  // The model that wrote the script can have put what it had read into it in any form, whatever the script itself has read.
  const sendsPrivate = TELLS_OTHERS.has(question.effect) && question.context.confidentiality !== 'public';
  const chosen = sendsPrivate ? addresses.filter((each) => isChosenByOthers(each.chosen)) : [];
  const about = [...new Set([...values, ...[...computedAddresses, ...chosen].map(({ argument }) => argument)])];
  if (about.length === 0 && !(hasReadOthers && hasComputedName(question, script))) return undefined;
  const what = about.length === 0 ? 'the names of the arguments' : namesOf(about);
  const reason = `A script computed or chose ${what} after untrusted content was read.`;
  return { outcome: 'ask', reason: `${reason} Review the value, then approve or reject the call.`, about };
};
