import type { Decision, ValueFacts } from '@sallyport/core';

/** Questions about a name that others brought, about what nobody knows, and about the files of keys and of sallyport itself. */
const NEVER: ReadonlySet<string> = new Set([
  'forgotten',
  'secretFiles',
  'ownFiles',
  'judge-failed',
  'origin',
  'refused',
]);

/** A value that nobody but the user or the agent supplied. */
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
