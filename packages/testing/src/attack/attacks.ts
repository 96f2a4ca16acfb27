import { ANSWER } from './answer.ts';
import type { Attack } from './attack.ts';
import { INWARD } from './inward.ts';
import { OUTWARD } from './outward.ts';

/**
 * Short attacks, one for each goal in each place, with addresses that do not exist. Use them to test your wiring. They
 * do not measure the share of real attacks that a classifier finds.
 *
 * @example
 * ```ts
 * for (const attack of ATTACKS.filter(({ place }) => place === 'mail'))
 *   test(attack.title, () => runAgentOn(plant(attack, 'Lunch on Friday?')));
 * ```
 */
export const ATTACKS: readonly Attack[] = Object.freeze([...OUTWARD, ...INWARD, ...ANSWER]);

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}

/**
 * The attacks that an agent with this tool could carry out, found by the words of the tool's name. Throws if there are
 * none, because a loop over no attacks would be a test that always passes.
 *
 * @throws if no attack fits the name; then choose from {@link ATTACKS}, or write your own
 *
 * @example
 * ```ts
 * for (const attack of attacksOn('send_mail')) console.log(attack.title, attack.wants.value);
 * ```
 */
export function attacksOn(tool: string): readonly Attack[] {
  const words = wordsOf(tool);
  const found = ATTACKS.filter(({ wants }) => wants.tools.some((word) => words.includes(word)));
  if (found.length > 0) return found;
  const known = [...new Set(ATTACKS.flatMap(({ wants }) => wants.tools))].sort().join(', ');
  throw new Error(
    `No attack wants a tool named "${tool}". Attacks know these words: ${known}. Choose from ATTACKS instead.`,
  );
}
