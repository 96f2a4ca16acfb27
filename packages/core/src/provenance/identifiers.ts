import { type TrustClass, worstTrust } from './trust.ts';

/** The id that a service gave one of its things, such as `f-12`, and how far it is trusted. */
export interface Identifier {
  readonly text: string;
  /** The tool that returned it. */
  readonly tool: string;
  /** The worst trust class among the values of the call that returned it: the id of a draft is trusted like its recipient. */
  readonly trust: TrustClass;
  /** The call made the thing, such as a draft, and did not only find it. */
  readonly isMade: boolean;
}

function keyOf(text: string): string {
  return text.trim().normalize('NFKC').toLowerCase().replace(/^#/, '');
}

/** The identifiers that the services of one conversation gave their own things. */
export class Identifiers {
  readonly #known = new Map<string, Identifier>();

  /** The same identifier of two services may stand for different things, so the worse trust counts. */
  add(identifier: Identifier): void {
    const key = keyOf(identifier.text);
    const known = this.#known.get(key);
    const trust = worstTrust([known?.trust, identifier.trust]) as TrustClass;
    this.#known.set(key, { ...(known ?? identifier), trust, isMade: identifier.isMade || known?.isMade === true });
  }

  of(text: string): Identifier | undefined {
    return this.#known.get(keyOf(text));
  }
}
