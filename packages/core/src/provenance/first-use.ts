import type { Piece } from './trace.ts';
import type { Argument } from './trace-call.ts';
import { type TrustClass, worstTrust } from './trust.ts';

const MIN_LENGTH = 3;
const MAX_LENGTH = 400;
/** Maximum number of characters of values that are remembered. */
const MAX_KEPT = 200_000;
const MAX_PLACES = 100;

const WORD = /[\p{L}\p{N}]/u;
const GOOD: ReadonlySet<TrustClass> = new Set(['vouched', 'own']);

function isOneWord(text: string): boolean {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).length <= 1;
}

/** A path, an address, an id or a command of which at most single words occur in the content that the model has read. */
function isOwnAtom({ text, isFree, role, provenance }: Argument): boolean {
  if (isFree || (role === 'command' ? /\n/ : /\s/).test(text) || text.length < MIN_LENGTH || text.length > MAX_LENGTH)
    return false;
  return provenance.pieces.every(
    ({ start, end, how, trust }) =>
      trust === 'own' || (how !== 'whole' && trust === 'open' && isOneWord(text.slice(start, end))),
  );
}

/**
 * Values that the model used before they occurred in any content it has read. Content that repeats one later did not choose it:
 * a tool that returns `wrote to notes.txt` does not turn the file name into untrusted content.
 */
export class FirstUses {
  #kept = '\n';

  recordCall(traced: readonly Argument[]): void {
    for (const argument of traced)
      if (isOwnAtom(argument) && this.#kept.length < MAX_KEPT && !this.#holds(argument.text))
        this.#kept += `${argument.text}\n`;
  }

  /** True if a text occurs in a remembered value, on word boundaries. */
  #holds(text: string): boolean {
    let at = this.#kept.indexOf(text);
    for (let tries = 0; at >= 0 && tries < MAX_PLACES; tries++) {
      const isWhole = !WORD.test(this.#kept[at - 1] ?? '') && !WORD.test(this.#kept[at + text.length] ?? '');
      if (isWhole) return true;
      at = this.#kept.indexOf(text, at + 1);
    }
    return false;
  }

  /** The argument with remembered values counted as the model's own again. That does not vouch for it. */
  restore(argument: Argument): Argument {
    const { text, provenance } = argument;
    if (this.#kept.length === 1 || GOOD.has(provenance.trust)) return argument;
    const isOwn = ({ start, end }: Piece): boolean => this.#holds(text.slice(start, end));
    const trustClasses = provenance.pieces.map((piece) => (isOwn(piece) ? 'own' : piece.trust));
    const trust = worstTrust(trustClasses) ?? provenance.trust;
    return trust === provenance.trust ? argument : { ...argument, provenance: { ...provenance, trust } };
  }
}
