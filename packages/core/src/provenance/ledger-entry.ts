import { addressTokensIn } from '../address/address-token.ts';
import { layerSpans, mergeSpans, type Span, subtractSpans } from '../base/span.ts';
import { isAccountName } from '../call/role.ts';
import type { Tool } from '../call/tool.ts';
import { type ClassifiedPart, requestsAmong, type Verdict } from '../classify/classifier.ts';
import { viewOfPart } from '../classify/part-view.ts';
import type { Framed } from '../frame/frame.ts';
import { findFields, findHandles, findNamed, type JsonLeaf } from '../json/leaf-positions.ts';
import type { Shape } from '../json/shape.ts';
import { isAtMost, vouches } from '../label/label.ts';
import { labelOf } from '../label/source.ts';
import { Prompt } from '../prompt/prompt.ts';
import { surfaceOf } from '../record/part.ts';
import type { Recorded } from '../record/record.ts';
import type { Mentions } from '../task/mentions.ts';
import { ownWordsOf } from '../task/own-words.ts';
import { findSaidBy } from '../task/said-by.ts';
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

/** The record id of the developer's own words. No record has it, since ids have at least one character. */
export const POLICY_ID = '';

function rangesWith(spans: readonly Span[], trust: number): TrustRange[] {
  return mergeSpans(spans).map(({ start, end }) => ({ start, end, trust }));
}

/** What the user pointed at in a text. */
interface Pointed {
  /** A document or an author. That covers what the text asks for. */
  readonly whole: readonly Span[];
  /** A place or a field, where the user expects a value. That does not cover what the text asks for. */
  readonly values: readonly Span[];
}

const NOTHING: Pointed = { whole: [], values: [] };

/** The ranges of a text by what was found in them, the worst last. */
function rangesOf(verdict: Verdict, pointed: Pointed): TrustRange[] {
  if (verdict.type !== 'checked') return [];
  const { spans } = verdict;
  // A request alone is not suspect.
  const requests = requestsAmong(spans).filter(({ likelihood }) => likelihood === 'none');
  const suspect = spans.filter(({ likelihood }) => likelihood !== 'none');
  const flagged = suspect.filter(({ likelihood }) => likelihood !== 'low');
  const worse = layerSpans(rangesWith(suspect, SUSPECT), rangesWith(flagged, FLAGGED));
  return [rangesWith(requests, REQUESTED), rangesWith(pointed.whole, POINTED), worse].reduce(
    layerSpans<TrustRange>,
    rangesWith(pointed.values, POINTED),
  );
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
  /** What the user named. */
  readonly mentions: Mentions;
  /** Whether the tool reads from its own service. What it fetches from elsewhere has no identifiers of the service. */
  readonly isRead: boolean;
  /** Whether the tool changes something: then its result is a receipt. */
  readonly isChange: boolean;
  /** Where the tool's results hold an authenticated sender. */
  readonly sender: string | undefined;
  /** Whether the user named this document: only the user's words chose the call that returned it. */
  readonly isNamed: boolean;
  /** Whether it is a file at a place that the user typed. */
  readonly isInPlace: boolean;
}

/**
 * The trust of a part. The author of a call's values also chose its result: the result of a call that a flagged span directed
 * counts as flagged, even from a trusted tool, which may repeat what it was asked. The user's own words stay trusted.
 */
function trustOfPart(
  { callTrust, vouchedBy }: Shown,
  recorded: Recorded,
  { limited, verdict }: ClassifiedPart,
): number {
  const origin = recorded.originOf(limited.part);
  if (origin === 'user') return VOUCHED;
  if (vouches(origin) && vouchedBy === 'words') return VOUCHED;
  if (callTrust === 'flagged') return FLAGGED;
  if (callTrust === 'suspect' || verdict.type === 'unchecked') return SUSPECT;
  return callTrust === 'requested' ? REQUESTED : OPEN;
}

/** What the user pointed at: a document or a person they named, a file at a place they typed, a field of a thing they named. */
function pointedIn(shown: Shown, text: string, isJson: boolean): Pointed {
  const { framed, mentions, sender, isNamed, isInPlace } = shown;
  const { integrity } = framed.quoted.classified.limited.recorded.label;
  const all = [{ start: 0, end: text.length }];
  // Only workspace documents: a public page is not trusted because the user asked what it says.
  if (isNamed && integrity === 'workspace') return { whole: all, values: [] };
  const isAuthored = isJson && sender !== undefined && mentions.people.size > 0;
  const whole = isAuthored ? findSaidBy(text, sender, mentions.people) : [];
  if (isInPlace) return { whole, values: all };
  return { whole, values: isJson && isNamed ? findNamed(text, (name) => mentions.isField(name)) : [] };
}

/** A text in which all but its addresses is blank. */
function addressesOnly(text: string): string {
  const pieces: string[] = [];
  let length = 0;
  for (const { text: address, index } of addressTokensIn(text)) {
    pieces.push(' '.repeat(index - length), address);
    length = index + address.length;
  }
  return [...pieces, ' '.repeat(text.length - length)].join('');
}

/**
 * The user's own words vouch. What they ask about is content, an address that they forbid needs a question, and what they quote
 * was written by others and not checked.
 */
function enterUserWords(entry: LedgerText): LedgerText[] {
  const { own, mentioned, forbidden, quoted } = ownWordsOf(entry.text);
  return [
    { ...entry, text: own },
    { ...entry, text: mentioned, trust: OPEN },
    { ...entry, text: addressesOnly(forbidden), trust: REQUESTED },
    { ...entry, text: forbidden, trust: OPEN },
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
  // A derived record could claim any author for itself.
  const isDerived = recorded.derivation.length > 0;
  const found = rangesOf(verdict, isOpen && !isDerived ? pointedIn(shown, text, isJson) : NOTHING);
  // No range of a flagged call's result is better than the call. Service fields keep their trust whatever the text around them says.
  const worse = isOpen ? found : found.map((each) => ({ ...each, trust: worstBit(each.trust | trust) }));
  // Service fields count only if a trusted source vouches for the call.
  const fields = shown.vouchedBy === undefined ? [] : leaves.map(({ start, end }) => ({ start, end, trust: OPEN }));
  const entry = { recordId: recorded.id, part, text, trust, ranges: isOpen ? layerSpans(worse, fields) : worse };
  const isUsers = recorded.originOf(limited.part) === 'user';
  const entered = isUsers
    ? enterUserWords(entry).flatMap((each) => readings(each, readView(each.text), limited.part.type === 'json'))
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

// A receipt, such as "The total is 305": a longer text may quote other people.
const MAX_RECEIPT_LENGTH = 300;
const NUMBER = /(?<![\p{L}\p{N}.,-])\d+(?:\.\d{1,2})?(?![\p{L}\p{N}]|[.,-]\d)/gu;

// `acme/site`, `T-991`, `evt_12`: no address, no host, no file name.
const IDENTIFIER = /(?<![^\s"'`(])[\p{L}\p{N}]+(?:[_#:/-]+[\p{L}\p{N}]+)+(?=[.,;:!?)"'`]*(?:\s|$))/gu;

function leavesOf(text: string, pattern: RegExp): JsonLeaf[] {
  return Array.from(text.matchAll(pattern), ({ 0: leaf, index }) => ({
    start: index,
    end: index + leaf.length,
    text: leaf,
  }));
}

/** The numbers in a short answer of the user's own service; if it answers a change, also the identifiers. */
function findInReceipt(text: string, { isChange }: Shown): JsonLeaf[] {
  if (text.length > MAX_RECEIPT_LENGTH) return [];
  return [...leavesOf(text, NUMBER), ...(isChange ? leavesOf(text, IDENTIFIER) : [])];
}

/** What a part asks for: people word requests, services do not. */
function requestsIn({ verdict }: ClassifiedPart): readonly Span[] {
  return verdict.type === 'checked' ? requestsAmong(verdict.spans) : [];
}

/** The leaves that no span meets. */
function outside(spans: readonly Span[], leaves: readonly JsonLeaf[]): JsonLeaf[] {
  const ends = new Map(leaves.map(({ start, end }) => [start, end]));
  return subtractSpans(leaves, mergeSpans(spans)).filter(({ start, end }) => ends.get(start) === end);
}

/**
 * What services mint in a record: only what was not said before. A flagged span does not make one, and the result of a directed
 * call has none.
 */
export function handlesIn(shown: Shown, wasSaid: (text: string) => boolean): LedgerText[] {
  return shown.framed.quoted.classified.parts.flatMap((classified, part) => {
    const { recorded } = shown.framed.quoted.classified.limited;
    const { limited } = classified;
    const isOwn = recorded.label.integrity === 'workspace';
    const isJson = limited.part.type === 'json' && limited.cut === undefined;
    if (!shown.isRead || trustOfPart(shown, recorded, classified) !== OPEN || !(isJson || isOwn)) return [];
    const entry = { recordId: recorded.id, part, text: limited.text, trust: OPEN, ranges: [] };
    const leaves = isJson ? findHandles(limited.text, isOwn, isAccountName) : findInReceipt(limited.text, shown);
    return (
      outside(requestsIn(classified), leaves)
        .filter(({ text }) => !wasSaid(text))
        // Only what is in a workspace of the user's own says more than which thing is meant.
        .map((leaf) => ({ ...fieldOf(entry, leaf), ...(isOwn && { trust: VOUCHED }) }))
    );
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
      const entries = isUsers ? enterUserWords(entry) : [entry];
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

/** Whether a record is the tool's own result: not derived from it, and without a lower label. */
export function isFrom({ source, label, derivation }: Recorded, tool: Tool): boolean {
  const isSame = source.origin === tool.source.origin && derivation.length === 0;
  return isSame && isAtMost(labelOf(tool.source), label);
}

export function hasInstruction(framed: Framed): boolean {
  return framed.quoted.classified.parts.some(
    ({ verdict }) => verdict.type === 'checked' && verdict.spans.some(({ likelihood }) => likelihood !== 'none'),
  );
}
