import { mentions, type ScriptOrigin, saysLiterally } from '../call/script.ts';
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

/** Nothing of anybody else's is in view: whatever the model does, it does on the word of those who may ask. */
function isAmongTrusted({ context }: GateQuestion): boolean {
  return vouches(context.integrity);
}

const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** Names arguments for a person: a few, and not at any length, since a model chooses both. */
function namesOf(about: readonly Argument[]): string {
  const paths = new Set(about.slice(0, MAX_NAMED).map(({ path }) => path.slice(1, MAX_NAME_LENGTH)));
  const names = [...paths].map((path) => (path === '' ? 'the arguments' : `"${path}"`));
  return about.length > MAX_NAMED ? `${names.join(', ')} and others` : names.join(', ');
}

const reads: Rule = (question) =>
  isEffect(question)
    ? undefined
    : { outcome: 'allow', reason: 'The tool only reads. What it brings is content of others.' };

const blind: Rule = (question) =>
  isEffect(question) && !question.hasRendered
    ? {
        outcome: 'deny',
        reason:
          'No request of this conversation was made yet, so nobody knows what the model has read. Call request() first, also after restore().',
      }
    : undefined;

const undeclared: Rule = (question) =>
  question.tool === undefined
    ? { outcome: 'ask', reason: 'Nobody declared this tool. Declare it with its effect, or reject the call.' }
    : undefined;

/** Holds an effect with values of one standing. `who` supplied them; `next` says what a person can do about it. */
function supplied(trust: TrustClass, outcome: 'ask' | 'deny', who: string, next: string): Rule {
  return (question) => {
    const about = withTrust(question, trust);
    if (!isEffect(question) || about.length === 0) return undefined;
    return { outcome, reason: `${who} supplied ${namesOf(about)}. ${next}`, about };
  };
}

const instructed: Rule = supplied(
  'flagged',
  'deny',
  'Content that tries to instruct the model, or what it led to,',
  'If that is wanted, let the user say so in his own words.',
);

const suspected: Rule = supplied(
  'suspect',
  'ask',
  'Content that reads a little like an instruction to the model, or that nobody has checked,',
  'Look at the place, then approve or reject the call.',
);

const requested: Rule = supplied(
  'requested',
  'ask',
  'Somebody who asks in the content for something to be done',
  'Approve the call if the user wants it.',
);

/** An instruction that names no value names the deed all the same: `delete one of the repositories`. */
const named: Rule = (question) => {
  if (!isEffect(question) || question.instruction === undefined) return undefined;
  const about = question.arguments.filter((argument) => !argument.isFree && !isVouched(argument));
  if (about.length === 0 && question.arguments.length > 0) return undefined;
  const reason = 'Something in the content that reads like an instruction to the model speaks of what this tool does';
  const names = about.length === 0 ? '' : `, and nobody vouches for ${namesOf(about)}`;
  return { outcome: 'ask', reason: `${reason}${names}. Approve the call if the user wants it.`, about };
};

/** What the user says to the agent is said to be used; all else that is not public is told to nobody by itself. */
function isPrivate({ labelOf }: GateQuestion, { recordId }: Occurrence): boolean {
  const { integrity, confidentiality } = labelOf(recordId) ?? LOWEST;
  return confidentiality !== 'public' && integrity !== 'user';
}

// A mail, a review, a message: what stands farther off in a list of them is somebody else's.
const SAME_MESSAGE = 300;

function isBeside(one: Place, other: Place): boolean {
  const isSame = one.recordId === other.recordId && one.part === other.part;
  return isSame && Math.abs(one.start - other.start) < SAME_MESSAGE;
}

/** Whether something private is among pieces. Whoever chose a destination is told no secret by his own words. */
function isTelling(question: GateQuestion, pieces: readonly Piece[], chosenBy: readonly Place[]): boolean {
  return pieces.some(
    ({ occurrences }) =>
      occurrences.some((each) => isPrivate(question, each)) &&
      !occurrences.some((each) => chosenBy.some((place) => isBeside(each, place))),
  );
}

function isChosenByOthers(trust: TrustClass): boolean {
  return TRUST_CLASSES.indexOf(trust) >= TRUST_CLASSES.indexOf('open');
}

const TELLING: ReadonlySet<string> = new Set(['send', 'execute']);

/** Private data towards a destination that content of others chose. */
const confidential: Rule = (question) => {
  if (!TELLING.has(question.effect)) return undefined;
  const chosen = destinationsIn(question, question.arguments).filter(({ trust }) => isChosenByOthers(trust));
  if (chosen.length === 0) return undefined;
  const chosenBy = chosen.flatMap(({ places }) => places);
  // An address in a text is told nothing by the rest of that text; what rides in the address itself is.
  const targets = new Set(chosen.filter(({ argument }) => !argument.isFree).map(({ argument }) => argument));
  const others = question.arguments.filter((each) => targets.size > 0 && !targets.has(each));
  const loads = others.filter(({ provenance }) => isTelling(question, provenance.pieces, chosenBy));
  const smuggling = chosen.filter(({ carried }) =>
    carried.some((text) => isTelling(question, question.trace(text).pieces, chosenBy)),
  );
  if (loads.length === 0 && smuggling.length === 0) return undefined;
  const towards = new Set([...(loads.length > 0 ? targets : []), ...smuggling.map(({ argument }) => argument)]);
  const about = [...towards, ...loads];
  const reason = `Content of others supplied the address in ${namesOf([...towards])}, and the call would tell it what stands elsewhere.`;
  return { outcome: 'ask', reason: `${reason} Approve it if the receiver may know that.`, about };
};

const HELD_IN_TEXT: ReadonlySet<TrustClass> = new Set(['flagged', 'suspect', 'requested']);

/** The model may word a text as it likes; the addresses in it are somebody's. */
const addressed: Rule = (question) => {
  if (!isEffect(question)) return undefined;
  const about = destinationsIn(question, freeOf(question))
    .filter(({ trust }) => HELD_IN_TEXT.has(trust))
    .map(({ argument }) => argument);
  if (about.length === 0) return undefined;
  return {
    outcome: 'ask',
    reason: `The text of ${namesOf(about)} holds an address that content of others asks to be used. Approve the call if the user wants it there.`,
    about,
  };
};

/** Names that a program made up as it ran: a value may hide in one. */
function hasMadeName(question: GateQuestion, script: ScriptOrigin): boolean {
  const given: unknown = JSON.parse(question.call.argumentsJson);
  const isMap = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isMap && Object.keys(given).some((name) => !mentions(script, name));
}

/**
 * A program that has read content of others can turn it into anything, and no word of it would be found again. So a value has to be
 * vouched for, or stand in the program itself; and where content of others chose the receiver, all that is told is held.
 */
const computed: Rule = (question) => {
  const { script } = question.call;
  if (!isEffect(question) || script === undefined) return undefined;
  const hasReadOthers = !vouches(script.label.integrity);
  const values = question.arguments.filter(
    (each) => hasReadOthers && !each.isFree && !isVouched(each) && !saysLiterally(script, each.text),
  );
  const addresses = destinationsIn(question, question.arguments);
  const made = addresses.filter(
    ({ address, vouchedBy }) => hasReadOthers && vouchedBy === undefined && !mentions(script, address),
  );
  // A program can write what its author has read in any form, whatever it has read itself.
  const tells = TELLING.has(question.effect) && question.context.confidentiality !== 'public';
  const chosen = tells ? addresses.filter(({ trust }) => isChosenByOthers(trust)) : [];
  const about = [...new Set([...values, ...[...made, ...chosen].map(({ argument }) => argument)])];
  if (about.length === 0 && !(hasReadOthers && hasMadeName(question, script))) return undefined;
  const what = about.length === 0 ? 'the names of its arguments' : namesOf(about);
  const reason = `A script that has read content of others put together or chose ${what}.`;
  return { outcome: 'ask', reason: `${reason} Look at the value, then approve or reject the call.`, about };
};

function allowed(reason: string): Rule {
  return (question): RuleResult | undefined => (isEffect(question) ? { outcome: 'allow', reason } : undefined);
}

function isVouched({ provenance }: Argument): boolean {
  return provenance.vouchedBy !== undefined;
}

/** The same whatever others wrote: it asks only for vouchers, and those are given by trusted parties alone. */
const unvouched: Rule = (question) => {
  if (!isEffect(question) || isAmongTrusted(question)) return undefined;
  // What runs, and what is gone for good, is only what was said in one piece; and something must have been said.
  const isGrave = question.effect === 'execute' || question.effect === 'destroy';
  const isSaid = ({ provenance }: Argument): boolean => !isGrave || provenance.isTrustedWhole;
  const saysNothing = isGrave && !question.arguments.some(({ text, isFree }) => !isFree && text.trim() !== '');
  const values = question.arguments.filter(
    (argument) => !argument.isFree && !(isVouched(argument) && isSaid(argument)),
  );
  const addresses = destinationsIn(question, freeOf(question)).filter(({ vouchedBy }) => vouchedBy === undefined);
  const about = [...values, ...addresses.map(({ argument }) => argument)];
  if (saysNothing)
    return { outcome: 'ask', reason: 'The call names nothing that anybody could vouch for. Approve or reject it.' };
  if (about.length === 0) return undefined;
  const reason = `Nobody vouches for ${namesOf(about)}: no words of developer, user or operator, and no field that a service writes itself.`;
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
  uninstructed: allowed(
    'No value comes from an instruction in the content, nor from a request that the user did not point at.',
  ),
});

export const STRICT: Rules = Object.freeze({
  reads,
  blind,
  undeclared,
  unvouched,
  vouched: allowed('Every value has a voucher, or only trusted parties have been read.'),
});
