import { Budget } from '@sallyport/decode';
import { readWords } from '../../text/words.ts';
import { locate } from '../find-value.ts';
import { Ledger } from '../ledger.ts';
import { MAX_SHOWN, type Occurrence } from '../occurrence.ts';
import type { Argument } from '../trace-call.ts';
import { OPEN } from '../trust.ts';

/** The budget to find the texts of one record. */
const MAX_STEPS = 2_000_000;

/**
 * What others, or the model in a call, said before it occurred in a tool's result. Only what a result says first can be an identifier
 * that the tool's service made.
 */
export class Echoes {
  readonly #others: Ledger;
  readonly #given = new Ledger();
  readonly #users = new Set<string>();

  constructor(others: Ledger) {
    this.#others = others;
  }

  /** Notes a message of the user: a service that repeats the user's words confirms them. */
  hear(recordId: string): void {
    this.#users.add(recordId);
  }

  /** Notes the values of a call. What is trusted, or the user's, stays so when a service repeats it. */
  recordCall(id: string, traced: readonly Argument[]): void {
    for (const { role, text, provenance } of traced) {
      const occurrences = provenance.pieces.flatMap((piece) => piece.occurrences);
      const isUsers = occurrences.length > 0 && this.#isUsersAlone(occurrences);
      // An amount that occurs nowhere is the model's own, even if a result repeats it.
      const isSum = role === 'amount' && provenance.trust === 'own';
      if (provenance.trust !== 'vouched' && !isUsers && !isSum)
        this.#given.add({ recordId: id, part: 0, text, trust: OPEN, ranges: [] });
    }
  }

  /** Finds whether texts of one record were said before, in any spelling. At the end of the budget, all were. */
  finder(): (text: string) => boolean {
    const budget = new Budget(MAX_STEPS);
    return (text) => {
      const words = readWords(text);
      const isIn = (ledger: Ledger): boolean => {
        const found = locate({ ledger, budget }, text, words)?.found;
        return found !== undefined && (found.exhausted || !this.#isUsersAlone(found.occurrences));
      };
      return [this.#given, this.#others].some(isIn) || budget.isExhausted;
    };
  }

  /** True if only the user says a text, and does not quote it. Of many places only some are listed: then it is not known. */
  #isUsersAlone(occurrences: readonly Occurrence[]): boolean {
    const isUsers = ({ recordId, trust }: Occurrence): boolean => trust === 'open' && this.#users.has(recordId);
    return occurrences.length < MAX_SHOWN && occurrences.every(isUsers);
  }
}
