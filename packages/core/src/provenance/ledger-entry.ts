import { layerSpans, mergeSpans, type Span } from '../base/span.ts';
import type { ClassifiedPart, Verdict } from '../classify/classifier.ts';
import { viewOfPart } from '../classify/part-view.ts';
import type { Framed } from '../frame/frame.ts';
import { findFields, findWrittenBy, type JsonLeaf } from '../json/leaf-positions.ts';
import type { Shape } from '../json/shape.ts';
import { vouches } from '../label/label.ts';
import { Prompt } from '../prompt/prompt.ts';
import { surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import type { Layer, LayerKind } from '../text/view/layer.ts';
import { readView, type TextView } from '../text/view/view.ts';
import {
  FIELD,
  FLAGGED,
  OPEN,
  POINTED,
  REQUESTED,
  SUSPECT,
  type TrustClass,
  VOUCHED,
  type VouchedBy,
  worstBit,
} from './trust.ts';
import type { LedgerText, TrustRange } from './word-columns.ts';

/** Under which id the developer's own words stand. No record has it: ids have at least one character. */
export const POLICY_ID = '';

/** The tag of a span in which something is asked for, which by itself is nothing to suspect. */
const REQUEST = 'request';

function stretchesWith(spans: readonly Span[], trust: number): TrustRange[] {
  return mergeSpans(spans).map(({ start, end }) => ({ start, end, trust }));
}

/** The stretches of a text by what was found in it: instructions over plain requests, and what the user pointed at between. */
function stretchesOf(verdict: Verdict, pointed: readonly Span[]): TrustRange[] {
  if (verdict.type !== 'checked') return [];
  const { spans } = verdict;
  const requests = spans.filter(({ likelihood, tag }) => likelihood === 'none' && tag === REQUEST);
  const suspect = spans.filter(({ likelihood }) => likelihood !== 'none');
  const flagged = suspect.filter(({ likelihood }) => likelihood !== 'low');
  const worse = layerSpans(stretchesWith(suspect, SUSPECT), stretchesWith(flagged, FLAGGED));
  return layerSpans(layerSpans(stretchesWith(requests, REQUESTED), stretchesWith(pointed, POINTED)), worse);
}

/** How data is written for transport. What trusted parties say in any other disguise vouches for nothing. */
const TRANSPORT: ReadonlySet<LayerKind> = new Set(['plain', 'base64', 'hex', 'percent']);

/** The readings of a text beside the text itself. */
function layersOf(view: TextView, { text, trust }: LedgerText): Layer[] {
  const layers = [...view.layers.filter((layer) => layer.text !== text), ...view.values];
  return trust === VOUCHED ? layers.filter(({ kind }) => TRANSPORT.has(kind)) : layers;
}

/** An entry of which not everything was decoded is worth no more than content that was not checked. */
function withDoubt(entry: LedgerText): LedgerText {
  const doubted = (trust: number): number => worstBit(trust | SUSPECT);
  const ranges = entry.ranges.map((each) => ({ ...each, trust: doubted(each.trust) }));
  return { ...entry, trust: doubted(entry.trust), ranges };
}

/** All readings of a text. Text that holds escapes is read in both ways: JSON always has them, and tools print strings. */
function readings(given: LedgerText, view: TextView, isJson: boolean): LedgerText[] {
  const entry = view.isComplete || given.trust === VOUCHED ? given : withDoubt(given);
  const decoded = layersOf(view, entry).map((layer) => ({ ...entry, text: layer.text, layer }));
  if (!entry.text.includes('\\')) return [entry, ...decoded];
  const escaped = { ...entry, isEscaped: true };
  return isJson ? [escaped, ...decoded] : [entry, escaped, ...decoded];
}

/** How the call came about that brought a record, by the worst of its values; undefined when no model had proposed it. */
type Chosen = TrustClass | undefined;

/** What a model reads of a record, and what is known of it beside its label. */
export interface Shown {
  readonly framed: Framed;
  readonly chosen: Chosen;
  /** Who stands for all values of that call. */
  readonly vouchedBy: VouchedBy | undefined;
  /** The fields that its tool's service writes by itself. */
  readonly fields: ReadonlyMap<string, Shape>;
  /** Whom the user has named, in lower case. */
  readonly named: ReadonlySet<string>;
  /** The user named this very document: no other words but his chose the call that brought it. */
  readonly isNamed: boolean;
}

/**
 * What stands behind a part. Who chose the call chose what it brought: the result of a call that a flagged span directed is
 * that span's words, a trusted tool repeats what it was asked. The user's own words are his whatever a call was for.
 */
function trustOfPart({ chosen, vouchedBy }: Shown, recorded: Recorded, { limited, verdict }: ClassifiedPart): number {
  const origin = recorded.originOf(limited.part);
  if (origin === 'user') return VOUCHED;
  if (vouches(origin) && vouchedBy === 'words') return VOUCHED;
  if (chosen === 'flagged') return FLAGGED;
  if (chosen === 'suspect' || verdict.type === 'unchecked') return SUSPECT;
  return chosen === 'requested' ? REQUESTED : OPEN;
}

/** What the user pointed at: the whole of a document that he named, the mails of somebody he named. */
function pointedIn({ named, isNamed }: Shown, text: string, isJson: boolean): readonly Span[] {
  if (isNamed) return [{ start: 0, end: text.length }];
  return isJson && named.size > 0 ? findWrittenBy(text, named) : [];
}

function enterPart(shown: Shown, classified: ClassifiedPart, part: number): LedgerText[] {
  const { recorded } = shown.framed.quoted.classified.limited;
  const { limited, verdict } = classified;
  const { text } = limited;
  const trust = trustOfPart(shown, recorded, classified);
  // What was cut is not JSON any more.
  const isJson = limited.part.type === 'json' && limited.cut === undefined;
  const isOpen = trust === OPEN;
  const leaves = isJson && shown.fields.size > 0 ? findFields(text, shown.fields) : [];
  // What a script or a model made says of itself whose words it is.
  const isMade = recorded.derivation.length > 0;
  const found = stretchesOf(verdict, isOpen && !isMade ? pointedIn(shown, text, isJson) : []);
  // Nothing in what a flagged call brought is better than the call; and the service wrote its fields, whatever is beside them.
  const worse = isOpen ? found : found.map((each) => ({ ...each, trust: worstBit(each.trust | trust) }));
  // Fields stand for themselves only where somebody stands for the call.
  const fields = shown.vouchedBy === undefined ? [] : leaves.map(({ start, end }) => ({ start, end, trust: OPEN }));
  const entry = { recordId: recorded.id, part, text, trust, ranges: isOpen ? layerSpans(worse, fields) : worse };
  const entered = readings(entry, viewOfPart(limited), limited.part.type === 'json');
  if (shown.vouchedBy === undefined) return entered;
  // A trusted tool that was asked for a service's own values repeats them at best.
  const repeats = vouches(recorded.originOf(limited.part)) && trust !== VOUCHED;
  if (repeats) entered.push({ ...entry, trust: FIELD, ranges: [] });
  for (const leaf of leaves) entered.push(fieldOf(entry, leaf));
  return entered;
}

function fieldOf({ recordId, part }: LedgerText, { start, end, text }: JsonLeaf): LedgerText {
  return { recordId, part, text, at: { start, end }, trust: FIELD, ranges: [] };
}

/** What a model reads of a record, as it was shown. */
export function enterFramed(shown: Shown): LedgerText[] {
  return shown.framed.quoted.classified.parts.flatMap((part, index) => enterPart(shown, part, index));
}

/** The developer's own words, and the values that stand in his sections without a frame. */
export function enterPolicy(policy: Prompt): LedgerText[] {
  const literals = Prompt.segmentsOf(policy).flatMap((segment) => ('literal' in segment ? [segment.literal] : []));
  const free = new Set(policy.free);
  const placed = policy.values.filter((value) => !free.has(value));
  return [
    { recordId: POLICY_ID, part: 0, text: literals.join('\n'), trust: VOUCHED, ranges: [] },
    ...placed.flatMap((value) =>
      value.parts.flatMap((part, index) => {
        // Nobody has classified what stands in a section.
        const trust = vouches(value.originOf(part)) ? VOUCHED : SUSPECT;
        const entry = { recordId: value.id, part: index, text: surfaceOf(part), trust, ranges: [] };
        return readings(entry, readView(entry.text), part.type === 'json');
      }),
    ),
  ];
}
