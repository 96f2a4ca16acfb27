import { type Budget, type Layer, originalSpan } from '@sallyport/decode';
import { withoutScheme } from '../address/host.ts';
import { type Role, roleOfShape } from '../call/role.ts';
import { partsOfStamp } from '../text/spellings.ts';
import { readWords, type Words } from '../text/words.ts';
import type { Budgets, Views } from './effort.ts';
import { locate, type Question } from './find-value.ts';
import type { Identifiers } from './identifiers.ts';
import type { Ledger } from './ledger.ts';
import { type Found, NOWHERE, type Occurrence } from './occurrence.ts';
import { FLAGGED, nameOf, OPEN, type TrustClass, type VouchedBy, worstBit, worstTrust } from './trust.ts';
import { type Vouched, vouchFor } from './vouch.ts';

/** A range of a value and where its words occur. */
export interface Piece {
  /** UTF-16 offsets in the value; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly how: 'whole' | 'reformatted' | 'decoded' | 'part';
  readonly trust: TrustClass;
  readonly occurrences: readonly Occurrence[];
  /** The search ended at its limit: `trust` is `suspect` for that reason alone, not because of an occurrence. @default false */
  readonly isIncomplete?: boolean;
}

/** True if the search for a value ended at its limit, and nothing worse was found before. */
export function isUnfinished({ trust, pieces }: Provenance): boolean {
  let hasUnfinished = false;
  for (const piece of pieces)
    if (piece.trust === trust) {
      if (piece.isIncomplete !== true) return false;
      hasUnfinished = true;
    }
  return hasUnfinished;
}

/** Where a value comes from. */
export interface Provenance {
  /** `vouched`, or the worst trust class of its pieces. */
  readonly trust: TrustClass;
  /** Who vouches for the value. It depends only on what trusted sources wrote: other content with the same value does not change it. */
  readonly vouchedBy: VouchedBy | undefined;
  readonly pieces: readonly Piece[];
  /** The tool whose service gave the value to one of its things. Absent if the value is not such an identifier. */
  readonly mintedBy?: string;
  /** The call that returned the identifier made the thing, such as a draft. @default false */
  readonly isMade?: true;
}

/**
 * Words that occur several times have the trust class of the worst occurrence: an attacker names what they want used, and it
 * often occurs elsewhere too. If the search ended before all occurrences were read, the worst is assumed. Insignificant words
 * occur everywhere and say nothing about who chose them.
 */
function trustOf({ trust, exhausted }: Found, isInsignificant: boolean): TrustClass {
  if (isInsignificant && (trust & OPEN) !== 0) return 'open';
  if (exhausted) return (trust & FLAGGED) === 0 ? 'suspect' : 'flagged';
  return nameOf(worstBit(trust));
}

/** `1`, `all`, `en`: values that occur in most texts say little about who chose them. */
const INSIGNIFICANT = /^\s*(?:\p{L}{1,3}|\d{1,3})\s*$/u;

const STEPS_PER_ATOM = 48;
const STEPS_PER_VALUE = 64;
const STEPS_PER_WORD = 4;
/** In a longer value, the words that occur nowhere are not listed one by one. */
const MAX_DETAILED = 1000;

/** The ledgers that are searched: one of what trusted sources wrote, one of all other content. */
export interface Ledgers {
  readonly trusted: Ledger;
  readonly others: Ledger;
  /** Identifiers that services gave their own things. */
  readonly identifiers: Identifiers;
  /** What the developer wrote. It vouches for no value of a call. */
  readonly developer: Ledger;
}

interface Search extends Question {
  readonly trusted: Question;
  readonly decoding: Budget;
  readonly views: Views;
}

/** The worst trust class of the pieces; words that were found nowhere are the model's own. */
function worstOf(pieces: readonly Piece[]): TrustClass {
  return worstTrust(['own', ...pieces.map(({ trust }) => trust)]) as TrustClass;
}

/** Requests and instructions choose among values, whoever wrote the values. */
export const CHOOSING: ReadonlySet<TrustClass> = new Set(['requested', 'suspect', 'flagged']);

/** What is known of a value that a service may vouch for. It does not vouch for the choice of it, if a text asks for this value. */
export function withService(known: Provenance, value: string, vouched: Vouched | undefined): Provenance {
  if (vouched === undefined) return known;
  const field = vouchedPiece(value, 0, vouched);
  const { trust, pieces } = known;
  if (CHOOSING.has(trust)) return { trust, vouchedBy: 'field', pieces: [field, ...pieces] };
  return { trust: 'vouched', vouchedBy: 'field', pieces: [field] };
}

export function vouchedPiece(value: string, offset: number, { occurrences }: Vouched): Piece {
  return { start: offset, end: offset + value.length, how: 'whole', trust: 'vouched', occurrences };
}

function pieceOf(value: string, start: number, how: Piece['how'], found: Found): Piece {
  const trust = trustOf(found, INSIGNIFICANT.test(value));
  const piece = { start, end: start + value.length, how, trust, occurrences: found.occurrences };
  const isIncomplete = found.exhausted && trust === 'suspect';
  return isIncomplete ? { ...piece, isIncomplete } : piece;
}

export function incompletePiece(value: string): Piece {
  return { start: 0, end: value.length, how: 'part', trust: 'suspect', occurrences: [], isIncomplete: true };
}

function findWhole(search: Search, value: string, words: Words, offset: number): Piece | undefined {
  const located = locate(search, value, words);
  return located === undefined ? undefined : pieceOf(value, offset, located.how, located.found);
}

/** A token with a sign or a digit in it: an address, a path, an id, an amount. A single word says little. */
const ATOM = /[^\s"'<>()[\]{},;|`]+/g;
const ATOM_MARK = /\d|[\p{L}\p{N}][@./:_#=&?%+-][\p{L}\p{N}]/u;
const MIN_RUN_LENGTH = 4;

/** Without the punctuation that ends a sentence. A loop, since a pattern would search for the end from every character. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.:!?'.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

function isAtom(text: string): boolean {
  return ATOM_MARK.test(text);
}

/** The last label of a host, or the extension of a file. */
const LAST_LABEL = /^\p{L}+(?=$|[/:?#])/u;

/** `www`, `com`, `id`, the `example` of `mail.example`: part of many addresses, so they have no author. */
function isInsignificant(atom: string, from: number, to: number): boolean {
  const text = atom.slice(from, to);
  if (text.length <= 3 && !/\d/.test(text)) return true;
  return atom[from - 1] === '.' && LAST_LABEL.exec(atom.slice(from))?.[0] === text;
}

interface Run {
  readonly length: number;
  readonly isTrusted: boolean;
}

/** The longest run of words from a position on that occurs in a ledger. Of two runs of the same length, the trusted one counts. */
function longestRun({ ledger, budget, trusted }: Search, words: Words, at: number): Run {
  const trustedLength = trusted.ledger.reach(words, budget, at);
  const untrustedLength = ledger.reach(words, budget, at);
  const isTrusted = trustedLength > 0 && trustedLength >= untrustedLength;
  return { length: Math.max(trustedLength, untrustedLength), isTrusted };
}

function pieceOfRun(search: Search, words: Words, at: number, { length, isTrusted }: Run, offset: number): Piece {
  const to = at + length;
  const start = words.starts[at] as number;
  const text = words.text.slice(start, words.ends[to - 1] as number);
  if (isTrusted) {
    const { occurrences } = search.trusted.ledger.find(words, search.budget, at, to);
    return { start: offset + start, end: offset + start + text.length, how: 'part', trust: 'vouched', occurrences };
  }
  return pieceOf(text, offset + start, 'part', search.ledger.find(words, search.budget, at, to));
}

/** The longest runs of an atom that occur in a ledger: host, path and query one by one. */
function traceParts(search: Search, atom: string, offset: number): Piece[] {
  const words = readWords(atom);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count && !search.budget.isExhausted; ) {
    search.budget.spend(STEPS_PER_WORD);
    const run = longestRun(search, words, at);
    const [from, to] = [words.starts[at] as number, words.ends[at] as number];
    if (run.length === 0 || (run.length === 1 && !run.isTrusted && isInsignificant(atom, from, to))) {
      if (atom.length <= MAX_DETAILED) pieces.push(pieceOf(atom.slice(from, to), offset + from, 'part', NOWHERE));
      at++;
      continue;
    }
    pieces.push(pieceOfRun(search, words, at, run, offset));
    at += run.length;
  }
  return pieces;
}

function traceAtom(search: Search, value: string, start: number): Piece[] {
  search.budget.spend(STEPS_PER_ATOM);
  const atom = withoutScheme(value);
  const offset = start + value.length - atom.length;
  const vouched = vouchFor(search.trusted, atom, roleOfShape(value) ?? 'id');
  if (vouched !== undefined && vouched.by === 'words') return [vouchedPiece(atom, offset, vouched)];
  const whole = findWhole(search, atom, readWords(atom), offset);
  return whole === undefined ? traceParts(search, atom, offset) : [whole];
}

/** A text that the model wrote: the runs it copied word for word, and every address, id and amount in it. */
function traceProse(search: Search, value: string, words: Words): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count && !search.budget.isExhausted; ) {
    search.budget.spend(STEPS_PER_WORD);
    const run = longestRun(search, words, at);
    if (run.length >= MIN_RUN_LENGTH) pieces.push(pieceOfRun(search, words, at, run, 0));
    at += Math.max(1, run.length);
  }
  for (const match of value.matchAll(ATOM)) {
    if (search.budget.isExhausted) break;
    const atom = withoutEnd(match[0]);
    if (isAtom(atom)) pieces.push(...traceAtom(search, atom, match.index));
  }
  return pieces;
}

function tracePieces(search: Search, value: string): Piece[] {
  const words = readWords(value);
  if (words.count === 0) return [];
  const whole = findWhole(search, value, words, 0);
  if (whole !== undefined) return [whole];
  const stamp = partsOfStamp(value);
  if (stamp.length > 0) return stamp.flatMap((part) => traceAtom(search, part, value.indexOf(part)));
  const isOneAtom = !/\s/.test(value.trim());
  return isOneAtom ? traceAtom(search, value, 0) : traceProse(search, value, words);
}

/** Traces a decoded layer of a value as a whole and line by line, since each line may be a separate value. */
function traceLayer(search: Search, layer: Layer): Piece[] {
  const lines = layer.text.includes('\n') ? Array.from(layer.text.matchAll(/[^\n]+/g)) : [];
  const found = [
    ...tracePieces(search, layer.text),
    ...lines.flatMap(({ index, 0: line }) =>
      search.budget.isExhausted
        ? []
        : tracePieces(search, line).map((piece) => ({ ...piece, start: piece.start + index, end: piece.end + index })),
    ),
  ];
  return found
    .filter(({ trust }) => trust !== 'own')
    .map((piece) => ({ ...piece, ...originalSpan(layer, piece.start, piece.end), how: 'decoded' }));
}

/** Traces encoded and disguised text in the value: data sent as base64 is still that data. */
export function traceDecoded(search: Search, value: string): Piece[] {
  const view = search.views.read(value, search.decoding);
  if (view === undefined) return [incompletePiece(value)];
  const pieces: Piece[] = [];
  for (const layer of [...view.layers, ...view.values]) {
    if (search.budget.isExhausted) break;
    if (layer.text !== value) pieces.push(...traceLayer(search, layer));
  }
  return pieces;
}

/** Finds where a value of a call comes from. If the budget runs out, the value counts as suspect. */
export function traceText(
  { trusted, others }: Ledgers,
  value: string,
  { vouching, budget, decoding, views }: Budgets,
  vouchedAs: Role = 'text',
): Provenance {
  const search: Search = { ledger: others, budget, trusted: { ledger: trusted, budget }, decoding, views };
  const vouched = vouchFor({ ledger: trusted, budget: vouching }, value, vouchedAs);
  if (vouched?.by === 'words') {
    const pieces = value.trim() === '' ? [] : [vouchedPiece(value, 0, vouched)];
    return { trust: 'vouched', vouchedBy: 'words', pieces };
  }
  budget.spend(STEPS_PER_VALUE);
  const pieces = budget.isExhausted ? [] : [...tracePieces(search, value), ...traceDecoded(search, value)];
  if (budget.isExhausted) pieces.push(incompletePiece(value));
  const trust = worstOf(pieces);
  return withService({ trust, vouchedBy: undefined, pieces }, value, vouched);
}
