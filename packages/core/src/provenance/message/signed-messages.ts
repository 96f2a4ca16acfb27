import type { Effect } from '../../call/effect.ts';
import { isDeciding } from '../../call/role.ts';
import type { ClassifiedPart } from '../../classify/classifier.ts';
import type { Framed } from '../../frame/frame.ts';
import { findSaidBy } from '../../task/said-by.ts';
import type { Occurrence } from '../occurrence.ts';
import type { Piece } from '../trace.ts';
import type { Argument } from '../trace-call.ts';

interface Signed {
  readonly parts: readonly ClassifiedPart[];
  readonly sender: string;
}

/** The results that name an authenticated sender, to find who asks for what a call does. */
export class SignedMessages {
  readonly #byId = new Map<string, Signed>();

  add(framed: Framed, sender: string): void {
    const { limited, parts } = framed.quoted.classified;
    this.#byId.set(limited.recorded.id, { parts, sender });
  }

  /** Whether every value that decides is trusted or comes from a message of these people, and at least one does. */
  ask(people: ReadonlySet<string>, effect: Effect, traced: readonly Argument[]): boolean {
    const deciding = traced.filter(({ isFree, role }) => !isFree && isDeciding(effect, role));
    const others = deciding.filter(({ provenance }) => provenance.trust !== 'vouched');
    const isSaid = (piece: Piece): boolean => piece.occurrences.some((each) => this.#isBy(people, each));
    return (
      others.length > 0 &&
      others.every(
        ({ provenance: { trust, pieces } }) =>
          trust === 'pointed' && pieces.filter((piece) => piece.trust === 'pointed').every(isSaid),
      )
    );
  }

  #isBy(people: ReadonlySet<string>, { recordId, part, trust, start, end }: Occurrence): boolean {
    const signed = this.#byId.get(recordId);
    const text = signed?.parts[part]?.limited.text;
    if (signed === undefined || text === undefined || trust !== 'pointed') return false;
    return findSaidBy(text, signed.sender, people).some((range) => range.start <= start && end <= range.end);
  }
}
