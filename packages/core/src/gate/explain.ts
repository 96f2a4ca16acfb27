import type { ValueFacts } from '../facts/facts.ts';
import { nameOfArgument } from '../facts/names.ts';

const MAX_NAMED = 5;

/** The names of the arguments at some paths, in a sentence for a person. */
export function namesOf(about: readonly string[]): string {
  const all = [...new Set(about)];
  const names = all.slice(0, MAX_NAMED).map((path) => {
    if (path.length < 2) return 'the arguments';
    const name = nameOfArgument(path);
    return name === path.slice(1) ? `"${name}"` : name;
  });
  if (all.length > MAX_NAMED) return `${names.join(', ')} and others`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function isOne(about: readonly string[]): boolean {
  return new Set(about).size === 1 && about[0] !== '';
}

/** `"to" and "cc" are`. */
function subjectOf(about: readonly string[], one = 'is', several = 'are'): string {
  const names = namesOf(about);
  return `${names.charAt(0).toUpperCase()}${names.slice(1)} ${isOne(about) ? one : several}`;
}

/** Why a person is asked about values that were too much to search. */
export function overBudget(about: readonly string[]): string {
  return `${subjectOf(about)} over budget: too much to check in one call. Review the call, or divide it.`;
}

/** Where the values come from that decided: those that come from the same place as the first. */
export function reasonOf(values: readonly ValueFacts[]): string {
  const [first] = values;
  if (first === undefined) return 'No value decides what this call does.';
  const about = values.filter(({ from }) => from === first.from).map(({ path }) => path);
  if (first.isInText) return `${subjectOf(about, 'has an address', 'have an address')} ${first.from}.`;
  return `${subjectOf(about)} ${isOne(about) ? first.from : first.from.replace(/^an? (\w+) that/, '$1s that')}.`;
}
