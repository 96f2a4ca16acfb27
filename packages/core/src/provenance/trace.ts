import { withoutScheme } from '../address/host.ts';
import { Budget } from '../base/budget.ts';
import { partsOfStamp } from '../text/spellings.ts';
import { type Layer, originalSpan } from '../text/view/layer.ts';
import { readView } from '../text/view/view.ts';
import { readWords, type Words } from '../text/words.ts';
import { locate, type Question } from './find-value.ts';
import type { Ledger } from './ledger.ts';
import { type Found, NOWHERE, type Occurrence } from './occurrence.ts';
import {
  nameOf,
  OPEN,
  POINTED,
  REQUESTED,
  TRUST_CLASSES,
  type TrustClass,
  type VouchedBy,
  worstBit,
  worstTrust,
} from './trust.ts';
import { type Vouched, vouchFor } from './vouch.ts';

/** A stretch of a value and where its words stand. */
export interface Piece {
  /** UTF-16 offsets in the value; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly how: 'whole' | 'reformatted' | 'decoded' | 'part';
  readonly trust: TrustClass;
  readonly occurrences: readonly Occurrence[];
}

export interface Provenance {
  /** `vouched`, or the worst of its pieces. */
  readonly trust: TrustClass;
  /** Who stands for the value. It depends on what trusted parties wrote alone, whatever others say of the same value. */
  readonly vouchedBy: VouchedBy | undefined;
  /** The voucher said it in one piece, and it was not put together of what he said. */
  readonly isTrustedWhole: boolean;
  readonly pieces: readonly Piece[];
}

/**
 * Words that stand in several places are their worst author's: the attacker names what he wants taken, and it often stands
 * elsewhere too. Where there are more places than were looked at, nobody knows who else said it. A trifle stands everywhere.
 */
function trustOf({ trust, exhausted }: Found, isInsignificant: boolean): TrustClass {
  if (isInsignificant && (trust & OPEN) !== 0) return 'open';
  if (exhausted) return 'flagged';
  // It is enough that the user pointed at one of the places, where the others are merely somebody's words.
  return nameOf(worstBit((trust & POINTED) === 0 ? trust : trust & ~(OPEN | REQUESTED)));
}

/** `1`, `all`, `en`: what stands in every text says little about who chose it. */
const TRIFLE = /^\s*(?:\p{L}{1,3}|\d{1,3})\s*$/u;

const STEPS_PER_ATOM = 16;
const STEPS_PER_VALUE = 64;

/** What is asked, of whom: what trusted parties wrote, and what all others did. */
export interface Books {
  readonly trusted: Ledger;
  readonly others: Ledger;
}

/** What a question may cost. Vouching has its own: no flood of other people's words may use it up. */
export interface Budgets {
  readonly vouching: Budget;
  readonly budget: Budget;
}

export function budgetsOf(steps: number): Budgets {
  return { vouching: new Budget(steps), budget: new Budget(steps) };
}

interface Search extends Question {
  readonly trusted: Question;
}

/** The worst of the pieces that are not vouched; where all that was found is vouched, the rest is the model's own. */
function worstOf(pieces: readonly Piece[]): TrustClass {
  return worstTrust(['own', ...pieces.map(({ trust }) => trust)]) as TrustClass;
}

function vouchedPiece(value: string, offset: number, { occurrences }: Vouched): Piece {
  return { start: offset, end: offset + value.length, how: 'whole', trust: 'vouched', occurrences };
}

function pieceOf(value: string, start: number, how: Piece['how'], found: Found): Piece {
  const trust = trustOf(found, TRIFLE.test(value));
  return { start, end: start + value.length, how, trust, occurrences: found.occurrences };
}

function findWhole(search: Search, value: string, words: Words, offset: number): Piece | undefined {
  const located = locate(search, value, words);
  return located === undefined ? undefined : pieceOf(value, offset, located.how, located.found);
}

/** What has a sign or a digit within it: an address, a path, an id, an amount. A word by itself says little. */
const ATOM = /[^\s"'<>()[\]{},;|`]+/g;
const ATOM_MARK = /\d|[\p{L}\p{N}][@./:_#=&?%+-][\p{L}\p{N}]/u;
const MIN_RUN_LENGTH = 4;

/** Without the full stop of its sentence. A pattern would look for the end from every sign. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.:!?'.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

function isAtom(text: string): boolean {
  return ATOM_MARK.test(text);
}

/** The last label of a host, or the ending of a file. */
const LAST_LABEL = /^\p{L}+(?=$|[/:?#])/u;

/** `www`, `com`, `id`, the `example` of `mail.example`: part of many addresses, and nobody's words. */
function isInsignificant(atom: string, from: number, to: number): boolean {
  const text = atom.slice(from, to);
  if (text.length <= 3 && !/\d/.test(text)) return true;
  return atom[from - 1] === '.' && LAST_LABEL.exec(atom.slice(from))?.[0] === text;
}

interface Taken {
  readonly length: number;
  readonly isTrusted: boolean;
}

/** The longest run from a place on that stands somewhere; a trusted place goes before another of the same length. */
function takeRun({ ledger, budget, trusted }: Search, words: Words, at: number): Taken {
  const mine = trusted.ledger.reach(words, budget, at);
  const theirs = ledger.reach(words, budget, at);
  return { length: Math.max(mine, theirs), isTrusted: mine > 0 && mine >= theirs };
}

function pieceOfRun(search: Search, words: Words, at: number, { length, isTrusted }: Taken, offset: number): Piece {
  const to = at + length;
  const start = words.starts[at] as number;
  const text = words.text.slice(start, words.ends[to - 1] as number);
  if (isTrusted) {
    const { occurrences } = search.trusted.ledger.find(words, search.budget, at, to);
    return { start: offset + start, end: offset + start + text.length, how: 'part', trust: 'vouched', occurrences };
  }
  return pieceOf(text, offset + start, 'part', search.ledger.find(words, search.budget, at, to));
}

/** The longest runs of an atom that stand somewhere: host, path, query, one by one. */
function traceParts(search: Search, atom: string, offset: number): Piece[] {
  const words = readWords(atom);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count && !search.budget.isExhausted; ) {
    const run = takeRun(search, words, at);
    const [from, to] = [words.starts[at] as number, words.ends[at] as number];
    if (run.length === 0 || (run.length === 1 && !run.isTrusted && isInsignificant(atom, from, to))) {
      pieces.push(pieceOf(atom.slice(from, to), offset + from, 'part', NOWHERE));
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
  const vouched = vouchFor(search.trusted, atom);
  if (vouched !== undefined && vouched.by === 'words') return [vouchedPiece(atom, offset, vouched)];
  const whole = findWhole(search, atom, readWords(atom), offset);
  return whole === undefined ? traceParts(search, atom, offset) : [whole];
}

/** A text of the model's own: what in it was taken over word for word, and every address, id and amount in it. */
function traceProse(search: Search, value: string, words: Words): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count && !search.budget.isExhausted; ) {
    const run = takeRun(search, words, at);
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

/** What a layer of a value says, as a whole and line by line: each line may be a value of its own. */
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

/** What is encoded or disguised in the value: data that leaves in base64 is still the data. */
function traceDecoded(search: Search, value: string): Piece[] {
  const { layers, values } = readView(value);
  const pieces: Piece[] = [];
  for (const layer of [...layers, ...values]) {
    if (search.budget.isExhausted) break;
    if (layer.text !== value) pieces.push(...traceLayer(search, layer));
  }
  return pieces;
}

/** Says for a value of a call whose words it is made of. What could not be looked at in time counts as flagged. */
export function traceText({ trusted, others }: Books, value: string, { vouching, budget }: Budgets): Provenance {
  const search: Search = { ledger: others, budget, trusted: { ledger: trusted, budget } };
  const vouched = vouchFor({ ledger: trusted, budget: vouching }, value);
  if (vouched?.by === 'words') {
    const pieces = value.trim() === '' ? [] : [vouchedPiece(value, 0, vouched)];
    return { trust: 'vouched', vouchedBy: 'words', isTrustedWhole: vouched.isWhole, pieces };
  }
  budget.spend(STEPS_PER_VALUE);
  const pieces = budget.isExhausted ? [] : [...tracePieces(search, value), ...traceDecoded(search, value)];
  if (budget.isExhausted) pieces.push({ start: 0, end: value.length, how: 'part', trust: 'flagged', occurrences: [] });
  const trust = worstOf(pieces);
  if (vouched === undefined) return { trust, vouchedBy: undefined, isTrustedWhole: false, pieces };
  // A service stands for the value, but nobody can stand for what an instruction in the content chose among its values.
  const isChosen = TRUST_CLASSES.indexOf(trust) > TRUST_CLASSES.indexOf('open');
  const field = vouchedPiece(value, 0, vouched);
  return {
    trust: isChosen ? trust : 'vouched',
    vouchedBy: 'field',
    isTrustedWhole: vouched.isWhole,
    pieces: isChosen ? [field, ...pieces] : [field],
  };
}
