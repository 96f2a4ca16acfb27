import type { Framed } from '../../frame/frame.ts';
import { objectFinder } from '../../json/leaf-positions.ts';
import type { Act } from '../../task/acts.ts';
import { actsIn } from '../../task/requests.ts';
import type { Place } from '../occurrence.ts';

/** The requests in a part, by where their message begins. */
interface PartRequests {
  readonly startOf: (at: number) => number;
  readonly acts: Map<number, Set<Act>>;
}

const NO_ACTS: ReadonlySet<Act> = new Set();

function keyOf({ recordId, part }: Pick<Place, 'recordId' | 'part'>): string {
  return `${part} ${recordId}`;
}

/** The acts that messages of others ask for. A request and its value can be in two sentences or two fields of one message. */
export class RequestedActs {
  readonly #parts = new Map<string, PartRequests>();
  readonly #all = new Set<Act>();

  record(framed: Framed): void {
    const { limited: all, parts } = framed.quoted.classified;
    for (const [part, { limited, verdict }] of parts.entries()) {
      const spans = verdict.type === 'checked' ? verdict.spans : [];
      const requests = spans.map(({ start, end }) => ({ start, acts: actsIn(limited.text.slice(start, end)) }));
      const asking = requests.filter(({ acts }) => acts.size > 0);
      if (asking.length === 0) continue;
      // After a cut the text is not valid JSON.
      const isJson = limited.part.type === 'json' && limited.cut === undefined;
      const find = isJson ? objectFinder(limited.text, 'outermost') : () => undefined;
      const startOf = (at: number): number => find(at)?.start ?? 0;
      const acts = new Map<number, Set<Act>>();
      for (const each of asking) {
        for (const act of each.acts) this.#all.add(act);
        const start = startOf(each.start);
        acts.set(start, new Set([...(acts.get(start) ?? []), ...each.acts]));
      }
      this.#parts.set(keyOf({ recordId: all.recorded.id, part }), { startOf, acts });
    }
  }

  /** Whether anything that was read asks for one of these acts. */
  hasAny(acts: ReadonlySet<Act>): boolean {
    return [...acts].some((act) => this.#all.has(act));
  }

  /** What the message around a place asks for: the outermost JSON object, or the part. */
  beside(place: Place): ReadonlySet<Act> {
    const requests = this.#parts.get(keyOf(place));
    return requests?.acts.get(requests.startOf(place.start)) ?? NO_ACTS;
  }
}
