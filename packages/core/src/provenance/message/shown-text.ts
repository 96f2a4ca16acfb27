import { digestText } from '../../base/digest.ts';
import { type Identifier, Identifiers } from '../identifiers.ts';
import { Ledger } from '../ledger.ts';
import { POLICY_ID } from '../ledger-entry.ts';
import type { Ledgers } from '../trace.ts';
import { FIELD, VOUCHED } from '../trust.ts';
import type { LedgerText } from '../word-columns.ts';

function isTrusted({ trust }: LedgerText): boolean {
  return trust === VOUCHED || trust === FIELD;
}

/** A text with what is known about it. The same text that was classified otherwise is another one. */
function keyOf({ recordId, part, text, trust, ranges, isEscaped, at, layer }: LedgerText): string {
  const reading = layer && [layer.kind, layer.startOf(0), layer.endOf(text.length - 1)];
  return digestText(JSON.stringify([recordId, part, text, trust, ranges, isEscaped, at, reading]));
}

/** The texts that the models of one conversation were shown: each once, in the ledger of those who wrote it. */
export class ShownText {
  readonly #vouched: readonly string[];
  readonly #entered = new Set<string>();
  #ledgers: Ledgers = {
    trusted: new Ledger(),
    others: new Ledger(),
    identifiers: new Identifiers(),
    developer: new Ledger(),
  };

  /** The developer vouches for the values. */
  constructor(vouched: readonly string[]) {
    this.#vouched = vouched;
    this.vouch(vouched);
  }

  get ledgers(): Ledgers {
    return this.#ledgers;
  }

  /** Enters values that the developer or the application vouches for. */
  vouch(values: readonly string[]): void {
    for (const text of values)
      this.#ledgers.trusted.add({ recordId: POLICY_ID, part: 0, text, trust: VOUCHED, ranges: [] });
  }

  #isNew(key: string): boolean {
    if (this.#entered.has(key)) return false;
    this.#entered.add(key);
    return true;
  }

  addDeveloper(entry: LedgerText): void {
    if (this.#isNew(digestText(entry.text))) this.#ledgers.developer.add(entry);
  }

  add(texts: readonly LedgerText[]): void {
    for (const each of texts)
      if (this.#isNew(keyOf(each))) (isTrusted(each) ? this.#ledgers.trusted : this.#ledgers.others).add(each);
  }

  /** Enters identifiers that a service gave its own things. */
  addIdentifiers(identifiers: readonly Identifier[]): void {
    for (const each of identifiers) this.#ledgers.identifiers.add(each);
  }

  /** Another user's history follows: nothing that was said until now vouches for a value. */
  forgetUser(): void {
    this.#ledgers = { ...this.#ledgers, trusted: new Ledger(), identifiers: new Identifiers() };
    // What the developer says is entered again with the next request.
    this.#entered.clear();
    this.vouch(this.#vouched);
  }
}
