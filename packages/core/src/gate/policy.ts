import { parseJson } from '../base/parse-json.ts';
import { hasLiteral, mentions, type ScriptOrigin } from '../call/script.ts';
import { LOWEST, vouches } from '../label/label.ts';
import type { Occurrence, Place } from '../provenance/occurrence.ts';
import type { Piece } from '../provenance/trace.ts';
import type { Argument } from '../provenance/trace-call.ts';
import { TRUST_CLASSES, type TrustClass } from '../provenance/trust.ts';
import type { GateQuestion, Rule, RuleResult, Rules } from './decision.ts';
import { destinationsIn } from './destination.ts';

function withTrust({ arguments: all }: GateQuestion, trust: TrustClass): Argument[] {
  return all.filter(({ isFree, provenance }) => !isFree && provenance.trust === trust);
}

function freeOf({ arguments: all }: GateQuestion): Argument[] {
  return all.filter(({ isFree }) => isFree);
}

function isEffect({ effect }: GateQuestion): boolean {
  return effect !== 'read';
}

/** The model has read trusted content only, so no one else can have influenced the call. */
function isAmongTrusted({ context }: GateQuestion): boolean {
  return vouches(context.integrity);
}

const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** The names of arguments for a person to read. Their number and length are limited, since a model chooses both. */
export function namesOf(about: readonly Argument[]): string {
  const paths = new Set(about.slice(0, MAX_NAMED).map(({ path }) => path.slice(1, MAX_NAME_LENGTH)));
  const names = [...paths].map((path) => (path === '' ? 'the arguments' : `"${path}"`));
  if (about.length > MAX_NAMED) return `${names.join(', ')} and others`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** `"to" comes from`, `"to" and "amount" come from`, `The arguments come from`. */
function subjectOf(about: readonly Argument[], singular: string, plural: string): string {
  const names = namesOf(about);
  const isOne = about[0]?.path !== '' && about.every(({ path }) => path === about[0]?.path);
  return `${names.replace(/^the/, 'The')} ${isOne ? singular : plural}`;
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
        reason: 'This tool is not declared, so its effect is unknown. Declare it with its effect, or reject the call.',
      }
    : undefined;

/** Holds an effect with values of one trust class. `from` is where they come from; `next` is what a person can do about it. */
function holdValues(trust: TrustClass, outcome: 'ask' | 'deny', from: string, next: string): Rule {
  return (question) => {
    const about = withTrust(question, trust);
    if (!isEffect(question) || about.length === 0) return undefined;
    return { outcome, reason: `${subjectOf(about, 'comes', 'come')} from ${from}. ${next}`, about };
  };
}

const CONFIRM = 'If the user wants this, ask them to say so in their own words.';

const flagged: Rule = holdValues(
  'flagged',
  'deny',
  'an instruction to the model in untrusted content, not from the user',
  CONFIRM,
);

/** Whether a value counts as flagged only because the search for its origin ended early. */
function isUnfinished({ provenance }: Argument): boolean {
  const pieces = provenance.pieces.filter(({ trust }) => trust === 'flagged');
  return pieces.length > 0 && pieces.every(({ isIncomplete }) => isIncomplete === true);
}

const instructed: Rule = (question) => {
  const result = flagged(question);
  const about = result?.about ?? [];
  if (result === undefined || !about.every(isUnfinished)) return result;
  const reason = `The origin of ${namesOf(about)} could not be determined within the search limit. No instruction was found, but the call is denied to be safe.`;
  return { ...result, reason: `${reason} ${CONFIRM}` };
};

const suspected: Rule = holdValues(
  'suspect',
  'ask',
  'untrusted content that may be an instruction to the model or was not checked',
  'Review it, then approve or reject the call.',
);

const requested: Rule = holdValues(
  'requested',
  'ask',
  'a request in untrusted content, not from the user',
  'Approve the call only if the user wants it.',
);

/** An instruction can name the action without a value: `delete one of the repositories`. */
const named: Rule = (question) => {
  if (!isEffect(question) || question.instruction === undefined) return undefined;
  const about = question.arguments.filter((argument) => !argument.isFree && !isVouched(argument));
  if (about.length === 0 && question.arguments.length > 0) return undefined;
  const reason = 'An instruction to the model in untrusted content asks for this kind of action';
  const names = about.length === 0 ? '' : `, and no trusted source supplied ${namesOf(about)}`;
  return { outcome: 'ask', reason: `${reason}${names}. Approve the call only if the user wants it.`, about };
};

/** Everything that is not public, except the user's own messages: those are meant to be used. */
function isPrivate({ labelOf }: GateQuestion, { recordId }: Occurrence): boolean {
  const { integrity, confidentiality } = labelOf(recordId) ?? LOWEST;
  return confidentiality !== 'public' && integrity !== 'user';
}

// In a list of mails or reviews, text that is farther away belongs to another author.
const SAME_MESSAGE_LENGTH = 300;

function isSameMessage(one: Place, other: Place): boolean {
  const isSame = one.recordId === other.recordId && one.part === other.part;
  return isSame && Math.abs(one.start - other.start) < SAME_MESSAGE_LENGTH;
}

/** Whether pieces hold private data. An author learns nothing from their own words, so text next to the chosen destination does not count. */
function holdsPrivateData(question: GateQuestion, pieces: readonly Piece[], chosenBy: readonly Place[]): boolean {
  return pieces.some(
    ({ occurrences }) =>
      occurrences.some((each) => isPrivate(question, each)) &&
      !occurrences.some((each) => chosenBy.some((place) => isSameMessage(each, place))),
  );
}

function isChosenByOthers(trust: TrustClass): boolean {
  return TRUST_CLASSES.indexOf(trust) >= TRUST_CLASSES.indexOf('open');
}

const SENDING: ReadonlySet<string> = new Set(['fetch', 'send', 'execute']);

/** Private data for a destination that untrusted content chose. */
const confidential: Rule = (question) => {
  if (!SENDING.has(question.effect)) return undefined;
  const chosen = destinationsIn(question, question.arguments).filter(({ trust }) => isChosenByOthers(trust));
  if (chosen.length === 0) return undefined;
  const chosenBy = chosen.flatMap(({ places }) => places);
  // The rest of a text is not sent to an address within it; data in the address itself is.
  const targets = new Set(chosen.filter(({ argument }) => !argument.isFree).map(({ argument }) => argument));
  const others = question.arguments.filter((each) => targets.size > 0 && !targets.has(each));
  const payloads = others.filter(({ provenance }) => holdsPrivateData(question, provenance.pieces, chosenBy));
  const exfiltrating = chosen.filter(({ carried }) =>
    carried.some((text) => holdsPrivateData(question, question.trace(text).pieces, chosenBy)),
  );
  if (payloads.length === 0 && exfiltrating.length === 0) return undefined;
  const receivers = new Set([...(payloads.length > 0 ? targets : []), ...exfiltrating.map(({ argument }) => argument)]);
  const about = [...receivers, ...payloads];
  const reason = `The address in ${namesOf([...receivers])} comes from untrusted content, and the call would send private data from another source to it.`;
  return { outcome: 'ask', reason: `${reason} Approve the call only if the recipient may see that data.`, about };
};

const HELD_IN_TEXT: ReadonlySet<TrustClass> = new Set(['flagged', 'suspect', 'requested']);

/** The wording of a text is the model's own; the addresses in it may come from untrusted content. */
const addressed: Rule = (question) => {
  if (!isEffect(question)) return undefined;
  const about = destinationsIn(question, freeOf(question))
    .filter(({ trust }) => HELD_IN_TEXT.has(trust))
    .map(({ argument }) => argument);
  if (about.length === 0) return undefined;
  return {
    outcome: 'ask',
    reason: `The text of ${namesOf(about)} contains an address from an instruction or a request in untrusted content, or from unchecked content. Approve the call only if the user wants this address in it.`,
    about,
  };
};

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
    ({ address, vouchedBy }) => hasReadOthers && vouchedBy === undefined && !mentions(script, address),
  );
  // The model that wrote the script can have put what it had read into it in any form, whatever the script itself has read.
  const sendsPrivate = SENDING.has(question.effect) && question.context.confidentiality !== 'public';
  const chosen = sendsPrivate ? addresses.filter(({ trust }) => isChosenByOthers(trust)) : [];
  const about = [...new Set([...values, ...[...computedAddresses, ...chosen].map(({ argument }) => argument)])];
  if (about.length === 0 && !(hasReadOthers && hasComputedName(question, script))) return undefined;
  const what = about.length === 0 ? 'the names of the arguments' : namesOf(about);
  const reason = `A script computed or chose ${what} after untrusted content was read.`;
  return { outcome: 'ask', reason: `${reason} Review the value, then approve or reject the call.`, about };
};

function allowed(reason: string): Rule {
  return (question): RuleResult | undefined => (isEffect(question) ? { outcome: 'allow', reason } : undefined);
}

function isVouched({ provenance }: Argument): boolean {
  return provenance.vouchedBy !== undefined;
}

/** Requires a trusted source for every value. Untrusted content cannot change the result, since it never vouches. */
const unvouched: Rule = (question) => {
  if (!isEffect(question) || isAmongTrusted(question)) return undefined;
  // Code that runs and data that is destroyed must be named by a trusted source, as one value.
  const isGrave = question.effect === 'execute' || question.effect === 'destroy';
  const isWhole = ({ provenance }: Argument): boolean => !isGrave || provenance.isTrustedWhole;
  const hasNoValue = isGrave && !question.arguments.some(({ text, isFree }) => !isFree && text.trim() !== '');
  const values = question.arguments.filter(
    (argument) => !argument.isFree && !(isVouched(argument) && isWhole(argument)),
  );
  const addresses = destinationsIn(question, freeOf(question)).filter(({ vouchedBy }) => vouchedBy === undefined);
  const about = [...values, ...addresses.map(({ argument }) => argument)];
  if (hasNoValue)
    return {
      outcome: 'ask',
      reason: 'The call has no value that a trusted source could have supplied. Approve or reject the call.',
    };
  if (about.length === 0) return undefined;
  const isAssembled = addresses.length === 0 && values.every(isVouched);
  const reason = isAssembled
    ? `No trusted source supplied ${namesOf(about)} as one value; the parts come from different places.`
    : `No trusted source (developer, user, operator or service field) supplied ${namesOf(about)}.`;
  return { outcome: 'ask', reason: `${reason} Approve or reject the call.`, about };
};

export const BALANCED: Rules = Object.freeze({
  reads,
  blind,
  undeclared,
  instructed,
  suspected,
  requested,
  named,
  confidential,
  addressed,
  computed,
  uninstructed: allowed('No value comes from an instruction or an unexpected request in untrusted content.'),
});

export const STRICT: Rules = Object.freeze({
  reads,
  blind,
  undeclared,
  unvouched,
  vouched: allowed('Every value comes from a trusted source, or the model has read trusted content only.'),
});
