import type { Effect, Role, Rule, RuleResult, Rules, ValueFacts } from '@sallyport/core';
import { actsLater } from './lasting-path.ts';

interface Question {
  readonly name: string;
  readonly effect: Exclude<Effect, 'read'>;
  readonly reason: string;
}

/** A question about some values of a call, if there are any. A person can answer it for always, as one of the policy's table. */
function askAbout({ name, effect, reason }: Question, values: readonly ValueFacts[]): RuleResult | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  const cell = { effect, supplier: first.supplier };
  return { outcome: 'ask', reason, about: values.map(({ path }) => path), cell, name, decidedBy: 'rule' };
}

// A file can be named by a URL too; a page cannot begin like this.
const FILE = /^\s*(?:file:|[~.\\/]|[a-z]:[\\/])/i;

/** Recognizes a value that names a file. */
export function isPlace({ role, value }: ValueFacts): boolean {
  return role === 'path' || (role === 'url' && FILE.test(value));
}

/** The rule of hooks and wrappers about writing a file that is run or read later. */
export const ACTS_LATER = 'acts-later';
/** What a person reads about such a file. */
export const LASTING =
  'This writes a file that is run or read later, such as a hook or a setting, and you did not name it.';

const askAboutLasting: Rule = ({ effect, values }) => {
  if (effect !== 'write' && effect !== 'fetch') return undefined;
  const lasting = values.filter((each) => isPlace(each) && !each.isVouched && actsLater(each.value));
  return askAbout({ name: ACTS_LATER, effect, reason: LASTING }, lasting);
};

const SENT = 'This sends something where a text that was read asks for it.';
const POINTING: ReadonlySet<Role> = new Set(['recipient', 'url', 'id']);

/** Asks about sending to a recipient from a request in a text. No judge can say what the user wants. */
const askAboutRecipient: Rule = ({ effect, values, addresses, secrets }) => {
  // A person who is asked about a secret should read that.
  if (effect !== 'send' || secrets.length > 0) return undefined;
  const pointing = values.filter(({ role, isFree }) => POINTING.has(role) && !isFree);
  const asked = [...pointing, ...addresses].filter(({ isRequested, isVouched }) => isRequested && !isVouched);
  return askAbout({ name: 'requested', effect, reason: SENT }, asked);
};

/** The rules of wrappers in addition to those of their preset. */
export const WRAP_RULES: Rules = { [ACTS_LATER]: askAboutLasting, recipient: askAboutRecipient };
