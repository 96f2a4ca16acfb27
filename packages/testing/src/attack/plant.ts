import type { Attack } from './attack.ts';

function withText(carrier: unknown, text: string, path: string): string {
  if (typeof carrier === 'string') return carrier === '' ? text : `${carrier}\n\n${text}`;
  throw new TypeError(`An attack can only be planted in a string; ${path || 'the carrier'} is ${typeof carrier}.`);
}

/** A copy of a JSON value with the text at the end of the string that the keys lead to. */
function withTextAt(carrier: unknown, keys: readonly string[], text: string, path: string): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return withText(carrier, text, path);
  if (typeof carrier !== 'object' || carrier === null || !Object.hasOwn(carrier, key))
    throw new TypeError(`\`at\` must be a JSON pointer to a string of the carrier; ${path} does not exist.`);
  const changed = withTextAt((carrier as Record<string, unknown>)[key], rest, text, path);
  if (Array.isArray(carrier)) return carrier.with(Number(key), changed);
  return { ...carrier, [key]: changed };
}

/**
 * Puts an attack at the end of harmless content: of a text, or of one string in a JSON value. The carrier itself is not
 * changed.
 *
 * @param at a JSON pointer to the string; the default is the carrier itself, which is then a string
 * @example
 * ```ts
 * plant(attack, 'Lunch on Friday?');
 * plant(attack, [{ from: 'bob', body: 'Lunch on Friday?' }], '/0/body');
 * ```
 */
export function plant<Carrier>(attack: Pick<Attack, 'text'>, carrier: Carrier, at = ''): Carrier {
  if (at !== '' && !at.startsWith('/'))
    throw new TypeError(`\`at\` must be a JSON pointer such as '/0/body'; received "${at}".`);
  const keys = at
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  return withTextAt(carrier, keys, attack.text, at) as Carrier;
}
