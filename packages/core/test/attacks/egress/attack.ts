// An attack in model output that sends data to an address or leads a person to one: the text, its addresses, and the text
// that remains when all of them are withheld.
import type { Address } from '../../../src/address/find-addresses.ts';

export interface EgressAttack {
  readonly title: string;
  readonly payload: string;
  readonly expected: { readonly addresses: readonly string[]; readonly text: string };
}

/** `~` stands for an address at e.example, `{}` for its replacement. Addresses begin with their kind. */
export function attack(
  title: string,
  payload: string,
  addresses: readonly `${Address['kind']} ${string}`[],
  text: string,
): EgressAttack {
  const full = (short: string): string =>
    short.replaceAll('~', 'https://e.example/x').replaceAll('{}', '(address withheld: e[.]example)');
  return { title, payload: full(payload), expected: { addresses: addresses.map(full), text: full(text) } };
}
