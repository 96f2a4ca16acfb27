import {
  type Layer,
  type LayerKind,
  layerSpans,
  mergeSpans,
  readView,
  type Span,
  subtractSpans,
  type TextView,
} from '@sallyport/decode';
import { isAccountName } from '../call/role.ts';
import type { Tool } from '../call/tool.ts';
import { type ClassifiedPart, requestsAmong, type Verdict } from '../classify/classifier.ts';
import { viewOfPart } from '../classify/part-view.ts';
import type { Framed } from '../frame/frame.ts';
import { findFields, findIdentifiers, type JsonLeaf } from '../json/leaf-positions.ts';
import type { Shape } from '../json/shape.ts';
import { isAtMost, vouches } from '../label/label.ts';
import { labelOf } from '../label/source.ts';
import { Prompt } from '../prompt/prompt.ts';
import { type Part, surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import { wordsOfPart } from '../task/quotations.ts';
import type { Identifier } from './identifiers.ts';
import {
  FIELD,
  FLAGGED,
  OPEN,
  REQUESTED,
  SUSPECT,
  type TrustClass,
  VOUCHED,
  type VouchedBy,
  worstBit,
} from './trust.ts';
import type { LedgerText, TrustRange } from './word-columns.ts';

/** The record id of the developer's own words. No record has it, since ids have at least one character. */
export const POLICY_ID = '';

function rangesWith(spans: readonly Span[], trust: number): TrustRange[] {
  return mergeSpans(spans).map(({ start, end }) => ({ start, end, trust }));
}

/** The ranges of a text by what was found in them, the worst last. */
function rangesOf(verdict: Verdict): TrustRange[] {
  if (verdict.type !== 'checked') return [];
  const { spans } = verdict;
  // A request alone is not suspect.
  const requests = requestsAmong(spans).filter(({ likelihood }) => likelihood === 'none');
  const suspect = spans.filter(({ likelihood }) => likelihood !== 'none');
  const flagged = suspect.filter(({ likelihood }) => likelihood !== 'low');
  const worse = layerSpans(rangesWith(suspect, SUSPECT), rangesWith(flagged, FLAGGED));
  return layerSpans(rangesWith(requests, REQUESTED), worse);
}

/** Encodings that transport data. Text of a trusted source in any other disguise vouches for nothing. */
const TRANSPORT: ReadonlySet<LayerKind> = new Set(['plain', 'base64', 'hex', 'percent']);

/** The decoded readings of a text, without the text itself. */
function layersOf(view: TextView, { text, trust }: LedgerText): Layer[] {
  const layers = [...view.layers.filter((layer) => layer.text !== text), ...view.values];
  return trust === VOUCHED ? layers.filter(({ kind }) => TRANSPORT.has(kind)) : layers;
}

/** An entry that was not decoded completely counts as content that was not checked. */
function withDoubt(entry: LedgerText): LedgerText {
  const doubted = (trust: number): number => worstBit(trust | SUSPECT);
  const ranges = entry.ranges.map((each) => ({ ...each, trust: doubted(each.trust) }));
  return { ...entry, trust: doubted(entry.trust), ranges };
}

/** All readings of a text. Text with backslashes is also read with its escapes decoded: JSON has them, and tools print strings. */
function readings(given: LedgerText, view: TextView, isJson: boolean): LedgerText[] {
  const entry = view.isComplete || given.trust === VOUCHED ? given : withDoubt(given);
  const decoded = layersOf(view, entry).map((layer) => ({ ...entry, text: layer.text, layer }));
  if (!entry.text.includes('\\')) return [entry, ...decoded];
  const escaped = { ...entry, isEscaped: true };
  return isJson ? [escaped, ...decoded] : [entry, escaped, ...decoded];
}

/** A record as a model reads it, and what is known about it in addition to its label. */
export interface Shown {
  readonly framed: Framed;
  /** The worst trust class among the values of the call that returned the record; undefined if no model proposed the call. */
  readonly callTrust: TrustClass | undefined;
  /** Who vouches for all values of that call. */
  readonly vouchedBy: VouchedBy | undefined;
  /** The fields that the tool's service writes itself. */
  readonly fields: ReadonlyMap<string, Shape>;
  /** The tool, and how far identifiers in its result are trusted. Undefined if they are not, such as those of a page from elsewhere. */
  readonly minted: Omit<Identifier, 'text'> | undefined;
}

/**
 * The trust of a part. The author of a call's values also chose its result: the result of a call that a flagged span directed is
 * suspect, even from a trusted tool, which may repeat what it was asked. The user's own words stay trusted.
 */
function trustOfPart(
  { callTrust, vouchedBy }: Shown,
  recorded: Recorded,
  { limited, verdict }: ClassifiedPart,
): number {
  const origin = recorded.originOf(limited.part);
  if (origin === 'user') return VOUCHED;
  if (vouches(origin) && vouchedBy === 'words') return VOUCHED;
  if (callTrust === 'flagged' || callTrust === 'suspect' || verdict.type === 'unchecked') return SUSPECT;
  return callTrust === 'requested' ? REQUESTED : OPEN;
}

/** The user's own words vouch. What they quote was written by others and not checked. */
function enterUserWords(entry: LedgerText, written: Part): LedgerText[] {
  const { own, quoted } = wordsOfPart(written, entry.text);
  return [
    { ...entry, text: own },
    { ...entry, text: quoted, trust: SUSPECT },
  ].filter(({ text }) => text.trim() !== '');
}

function enterPart(shown: Shown, classified: ClassifiedPart, part: number): LedgerText[] {
  const { recorded } = shown.framed.quoted.classified.limited;
  const { limited, verdict } = classified;
  const { text } = limited;
  const trust = trustOfPart(shown, recorded, classified);
  // After a cut the text is not valid JSON.
  const isJson = limited.part.type === 'json' && limited.cut === undefined;
  const isOpen = trust === OPEN;
  const leaves = isJson && shown.fields.size > 0 ? findFields(text, shown.fields) : [];
  const found = rangesOf(verdict);
  // No range of a flagged call's result is better than the call. Service fields keep their trust whatever the text around them says.
  const worse = isOpen ? found : found.map((each) => ({ ...each, trust: worstBit(each.trust | trust) }));
  // Service fields count only if a trusted source vouches for the call.
  const fields = shown.vouchedBy === undefined ? [] : leaves.map(({ start, end }) => ({ start, end, trust: OPEN }));
  const entry = { recordId: recorded.id, part, text, trust, ranges: isOpen ? layerSpans(worse, fields) : worse };
  const isUsers = recorded.originOf(limited.part) === 'user';
  const entered = isUsers
    ? enterUserWords(entry, limited.part).flatMap((each) =>
        readings(each, readView(each.text), limited.part.type === 'json'),
      )
    : readings(entry, viewOfPart(limited), limited.part.type === 'json');
  if (shown.vouchedBy === undefined) return entered;
  // A trusted tool that was called with service fields may repeat them, so its result vouches no more than a field does.
  const repeats = vouches(recorded.originOf(limited.part)) && trust !== VOUCHED;
  if (repeats) entered.push({ ...entry, trust: FIELD, ranges: [] });
  for (const leaf of leaves) entered.push(fieldOf(entry, leaf));
  return entered;
}

function fieldOf({ recordId, part }: LedgerText, { start, end, text }: JsonLeaf): LedgerText {
  return { recordId, part, text, at: { start, end }, trust: FIELD, ranges: [] };
}

/** The leaves that no span meets. */
function outside(spans: readonly Span[], leaves: readonly JsonLeaf[]): JsonLeaf[] {
  const ends = new Map(leaves.map(({ start, end }) => [start, end]));
  return subtractSpans(leaves, mergeSpans(spans)).filter(({ start, end }) => ends.get(start) === end);
}

/** The identifiers in a result that the tool's service made: they were not said before, and are in no instruction to the model. */
export function identifiersIn(shown: Shown, wasSaid: (text: string) => boolean): Identifier[] {
  const { framed, minted } = shown;
  if (minted === undefined) return [];
  return framed.quoted.classified.parts.flatMap((classified) => {
    const { recorded } = framed.quoted.classified.limited;
    const { limited, verdict } = classified;
    const isJson = limited.part.type === 'json' && limited.cut === undefined;
    if (!isJson || trustOfPart(shown, recorded, classified) === VOUCHED) return [];
    const spans = verdict.type === 'checked' ? verdict.spans.filter(({ likelihood }) => likelihood !== 'none') : [];
    return outside(spans, findIdentifiers(limited.text, isAccountName))
      .filter(({ text }) => !wasSaid(text))
      .map(({ text }) => ({ text, ...minted }));
  });
}

/** The entries for a record as it was shown to the model. */
export function enterFramed(shown: Shown): LedgerText[] {
  return shown.framed.quoted.classified.parts.flatMap((part, index) => enterPart(shown, part, index));
}

/** The entry for the developer's own words. They vouch for nothing: a prompt also says what not to do. */
export function enterDeveloper(policy: Prompt): LedgerText {
  const literals = Prompt.segmentsOf(policy).flatMap((segment) => ('literal' in segment ? [segment.literal] : []));
  return { recordId: POLICY_ID, part: 0, text: literals.join('\n'), trust: VOUCHED, ranges: [] };
}

/** The entries for the values in sections of the prompt without a frame. */
export function enterPlaced(policy: Prompt): LedgerText[] {
  const free = new Set(policy.free);
  const placed = policy.values.filter((value) => !free.has(value));
  return placed.flatMap((value) =>
    value.parts.flatMap((part, index) => {
      // Values in sections are not classified.
      const trust = vouches(value.originOf(part)) ? VOUCHED : SUSPECT;
      const entry = { recordId: value.id, part: index, text: surfaceOf(part), trust, ranges: [] };
      const isUsers = value.originOf(part) === 'user';
      const entries = isUsers ? enterUserWords(entry, part) : [entry];
      return entries.flatMap((each) => readings(each, readView(each.text), part.type === 'json'));
    }),
  );
}

/** The texts that the user wrote in a message. An image or a file next to them is not the user's words. */
export function wordsOfUser(framed: Framed): readonly string[] {
  const { limited, parts } = framed.quoted.classified;
  const written = parts.filter((part) => limited.recorded.originOf(part.limited.part) === 'user');
  return written.map((part) => (viewOfPart(part.limited).layers[0] as Layer).text);
}

/** True for the tool's own result: not derived from it, and without a lower label. */
export function isFrom({ source, label, derivation }: Recorded, tool: Tool): boolean {
  const isSame = source.origin === tool.source.origin && derivation.length === 0;
  return isSame && isAtMost(labelOf(tool.source), label);
}

export function hasInstruction(framed: Framed): boolean {
  return framed.quoted.classified.parts.some(
    ({ verdict }) => verdict.type === 'checked' && verdict.spans.some(({ likelihood }) => likelihood !== 'none'),
  );
}
