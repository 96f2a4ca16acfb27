import { meets, type Span } from '../../base/span.ts';
import { type Span as ClassifiedSpan, requestsAmong } from '../../classify/classifier.ts';
import { viewOfPart } from '../../classify/part-view.ts';
import type { Framed } from '../../frame/frame.ts';
import { objectFinder } from '../../json/leaf-positions.ts';
import type { LimitedPart } from '../../record/limit.ts';
import type { Act } from '../../task/acts.ts';
import { actsIn } from '../../task/requests.ts';
import { type Layer, type LayerKind, originalSpan, textWithin } from '../../text/view/layer.ts';
import type { Place } from '../occurrence.ts';

/** The acts that the messages of a part ask for, by where a message begins. */
interface MessageActs {
  readonly startOf: (at: number) => number;
  readonly acts: Map<number, Set<Act>>;
}

const NO_ACTS: ReadonlySet<Act> = new Set();

/** A part, and where it asks for something. */
interface Asking {
  readonly limited: LimitedPart;
  readonly requests: readonly Span[];
}

/** Readings that a person who looks at a text does not see. */
const UNSEEN: ReadonlySet<LayerKind> = new Set(['tags', 'selectors', 'base64', 'hex', 'percent', 'rot13']);

/** Whether a layer decodes a place. What is percent-encoded only in part, such as a link, can be read as it is. */
function decodes(layer: Layer, { start, end }: Span): boolean {
  const { length } = textWithin(layer, start, end).trim();
  return UNSEEN.has(layer.kind) && length > 0 && (layer.kind !== 'percent' || length * 2 <= end - start);
}

/** Whether a place is encoded, or in a part of a page that its readers do not see. */
function isUnseen(part: LimitedPart, place: Span): boolean {
  const { layers, values, hidden } = viewOfPart(part);
  const [plain] = layers as [Layer];
  const isHidden = hidden.some(({ start, end }) => meets(originalSpan(plain, start, end), place));
  return isHidden || [...layers, ...values].some((layer) => decodes(layer, place));
}

function keyOf({ recordId, part }: Pick<Place, 'recordId' | 'part'>): string {
  return `${part} ${recordId}`;
}

/** The acts that messages of others ask for. A request and its value can be in two sentences or two fields of one message. */
export class RequestedActs {
  readonly #messages = new Map<string, MessageActs>();
  readonly #acts = new Set<Act>();
  readonly #asking = new Map<string, Asking>();
  #isAnyRead = false;

  record(framed: Framed): void {
    const { limited: all, parts } = framed.quoted.classified;
    for (const [part, { limited, verdict }] of parts.entries())
      if (verdict.type === 'unchecked') this.#isAnyRead = true;
      else if (verdict.type === 'checked')
        this.#recordPart(keyOf({ recordId: all.recorded.id, part }), limited, verdict.spans);
  }

  #recordPart(key: string, limited: LimitedPart, spans: readonly ClassifiedSpan[]): void {
    const requests = requestsAmong(spans);
    this.#isAnyRead ||= requests.length > 0 || spans.some(({ likelihood }) => likelihood !== 'none');
    if (requests.length > 0) this.#asking.set(key, { limited, requests });
    const withActs = spans
      .map(({ start, end }) => ({ start, acts: actsIn(limited.text.slice(start, end)) }))
      .filter(({ acts }) => acts.size > 0);
    if (withActs.length === 0) return;
    // After a cut the text is not valid JSON.
    const isJson = limited.part.type === 'json' && limited.cut === undefined;
    const find = isJson ? objectFinder(limited.text, 'outermost') : () => undefined;
    const startOf = (at: number): number => find(at)?.start ?? 0;
    const acts = new Map<number, Set<Act>>();
    for (const each of withActs) {
      for (const act of each.acts) this.#acts.add(act);
      const start = startOf(each.start);
      acts.set(start, new Set([...(acts.get(start) ?? []), ...each.acts]));
    }
    this.#messages.set(key, { startOf, acts });
  }

  /** Whether anything that was read asks for something, or may: an instruction, or what was not checked. */
  get isAny(): boolean {
    return this.#isAnyRead;
  }

  /** Whether anything that was read asks for one of these acts. */
  hasAny(acts: ReadonlySet<Act>): boolean {
    return [...acts].some((act) => this.#acts.has(act));
  }

  /** Whether a place is in a request: one that a reader sees, or one that is encoded or hidden. */
  at(place: Place): 'seen' | 'unseen' | undefined {
    const asking = this.#asking.get(keyOf(place));
    if (asking === undefined || !asking.requests.some((span) => meets(span, place))) return undefined;
    return isUnseen(asking.limited, place) ? 'unseen' : 'seen';
  }

  /** What the message around a place asks for: the outermost JSON object, or the part. */
  beside(place: Place): ReadonlySet<Act> {
    const messages = this.#messages.get(keyOf(place));
    return messages?.acts.get(messages.startOf(place.start)) ?? NO_ACTS;
  }
}
