import type { Decision, ValueFacts } from '@sallyport/core';

/** The rules whose questions need a person each time: names of others, an unknown past, keys and sallyport's own files. */
const NEVER: ReadonlySet<string> = new Set([
  'forgotten',
  'secretFiles',
  'ownFiles',
  'judge-failed',
  'origin',
  'refused',
]);

/** A value of the user or the agent. */
function isOwn({ supplier, isRequested, isUnchecked }: ValueFacts): boolean {
  return (supplier === 'trusted' || supplier === 'model') && isRequested !== true && isUnchecked !== true;
}

/**
 * Checks that a rule of the user may answer what was decided. A rule never lifts a denial, and no question about a value that others
 * chose, a secret, private data, a script, or a conversation of which a part is not known or gives instructions to the agent.
 */
export function isLiftable({ judged, rules, facts }: Decision): boolean {
  const { values, addresses, secrets, disclosure, computed, isOversized, isAlarmed } = facts;
  return (
    judged === 'ask' &&
    !rules.some((rule) => NEVER.has(rule)) &&
    [...values, ...addresses].every(isOwn) &&
    secrets.length === 0 &&
    disclosure === undefined &&
    computed === undefined &&
    !isOversized &&
    !isAlarmed
  );
}
