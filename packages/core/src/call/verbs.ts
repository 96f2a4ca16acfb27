import { EFFECTS, type Effect } from './effect.ts';
import { ACTS, type EffectWords, JOINING, OUTPUTS, PLAIN_READS, READS, THINGS, VERBS } from './effect-words.ts';

/** The words of a tool's name, in lower case: `sendMoney`, `send-money` and `send_money` have the same. */
export function wordsOfName(name: string): readonly string[] {
  return name
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The strongest of some effects. */
export function strongestOf(effects: readonly Effect[]): Effect | undefined {
  return EFFECTS.findLast((effect) => effects.includes(effect));
}

/** The effects of those words that a table has. */
export function effectsIn(table: EffectWords, all: readonly string[]): readonly Effect[] {
  return all.flatMap((word) => table.get(word) ?? []);
}

/** Each word, and without the ending of a plural. */
export function singular(all: readonly string[]): readonly string[] {
  return all.flatMap((word) => [word, word.replace(/s$/, '')]);
}

/** A name reads if its first known word is a verb that reads, or a thing right before one. */
function isReading(all: readonly string[]): boolean {
  if (all.some((word) => JOINING.has(word))) return false;
  const first = all.findIndex((word) => READS.has(word) || ACTS.has(word) || VERBS.has(word));
  const [verb = '', next = ''] = all.slice(Math.max(0, first));
  return READS.has(verb) || (VERBS.has(verb) && THINGS.has(verb) && PLAIN_READS.has(next));
}

/**
 * The effect that a tool's name suggests: the strongest of all its words. Of a name that reads, only the words count that cannot be
 * things. A name without a known verb may do anything, unless all its words say what it returns.
 *
 * @example
 * ```ts
 * effectOfName('list_events'); // 'read'
 * effectOfName('create_mail_rule'); // 'configure'
 * ```
 */
export function effectOfName(name: string): Effect {
  const all = wordsOfName(name);
  const known = [...effectsIn(READS, all), ...effectsIn(ACTS, all)];
  if (isReading(all)) return strongestOf(known) ?? 'execute';
  const verbs = [...known, ...effectsIn(VERBS, all)];
  const isOutput = all.length > 0 && all.every((word) => OUTPUTS.has(word));
  if (verbs.length === 0) return isOutput ? 'read' : 'execute';
  return strongestOf([...verbs, ...effectsIn(THINGS, singular(all))]) ?? 'execute';
}
