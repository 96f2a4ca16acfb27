import { isUrl, withoutScheme } from '../address/host.ts';
import { coreOf, isWholeNumber, namesHost, saysExactly } from '../text/exact-match.ts';
import { formsOf, partsOfStamp } from '../text/spellings.ts';
import { readWords } from '../text/words.ts';
import { idOf, type Question } from './find-value.ts';
import { type Found, NOWHERE, type Occurrence } from './occurrence.ts';
import { VOUCHED, type VouchedBy } from './trust.ts';
import type { Accepts } from './word-columns.ts';

/** Who vouches for all of some values: undefined if one of them is not vouched for, `field` if one has only that. */
export function weakestVouchedBy(vouchedBy: readonly (VouchedBy | undefined)[]): VouchedBy | undefined {
  if (vouchedBy.includes(undefined)) return undefined;
  return vouchedBy.includes('field') ? 'field' : 'words';
}

/** That a value is vouched for, and where. */
export interface Vouched {
  readonly by: VouchedBy;
  /** Whether the value occurs as one piece, rather than its parts in different places. */
  readonly isWhole: boolean;
  readonly occurrences: readonly Occurrence[];
}

// The components of an address or a path, which may come from different sources. A host is one component and is never split:
// the owner of `alice.example` is not the owner of `example.alice`.
const COMPONENT = /[^/?&=#;]+/g;
const ITEM = /[^,;|\n]+/g;
const NUMBER = /^[\d.,']+$/;
// A currency or a sign adds meaning: a source that contains only the number does not vouch for it.
const QUALIFIED = /[\p{Sc}%]|^[^\p{L}\p{N}]|\b[A-Z]{3}\b/u;
const BLANK = /\s/;
const STEPS_PER_VALUE = 64;

/** A page or a mailbox, which belongs to its owner under its exact name. */
function isAddress(value: string): boolean {
  return isUrl(value) || value.includes('@');
}

/** What must hold for an occurrence in addition to having the same words. */
function acceptsOf(value: string): Accepts {
  if (isAddress(value)) return namesHost(value);
  const isSame = saysExactly(value);
  if (!NUMBER.test(value)) return isSame;
  return (text, start, end) => isSame(text, start, end) && isWholeNumber(text, start, end);
}

/** Finds another spelling of the same number, date or time, or an id in other groups. */
function findReformatted({ ledger, budget }: Question, core: string): Found {
  if (!QUALIFIED.test(core))
    for (const form of formsOf(core)) {
      const found = ledger.findWhere(readWords(form), budget, isWholeNumber);
      if (found.trust !== 0) return found;
    }
  const id = core.replace(/[\s-]/g, '');
  const folded = /^[\p{L}\p{N}]+$/u.test(id) && /\p{L}/u.test(id) ? idOf(readWords(id)) : undefined;
  if (folded === undefined) return NOWHERE;
  const isSame = saysExactly(id);
  const accepts: Accepts = (text, start, end) => {
    const joined = text.slice(start, end).replace(/[\s-]/g, '');
    return isSame(joined, 0, joined.length);
  };
  return ledger.findJoined(folded, budget, accepts);
}

function vouchWhole(question: Question, value: string, accepts: Accepts): Vouched | undefined {
  const { ledger, budget } = question;
  const words = readWords(value);
  if (words.count === 0)
    return ledger.occursAlone(value.trim(), budget) ? { by: 'words', isWhole: true, occurrences: [] } : undefined;
  const found = ledger.findWhere(words, budget, accepts);
  const { trust, occurrences } = found.trust === 0 ? findReformatted(question, coreOf(value)) : found;
  if (trust === 0) return undefined;
  return { by: (trust & VOUCHED) === 0 ? 'field' : 'words', isWhole: true, occurrences };
}

interface Piece {
  readonly text: string;
  readonly accepts: Accepts;
}

/** The whole is vouched for only if every piece is. */
function vouchPieces(question: Question, pieces: readonly Piece[]): Vouched | undefined {
  const vouched: Vouched[] = [];
  for (const { text, accepts } of pieces) {
    const one = question.budget.isExhausted ? undefined : vouchWhole(question, text, accepts);
    if (one === undefined) return undefined;
    vouched.push(one);
  }
  const by = vouched.some((each) => each.by === 'field') ? 'field' : 'words';
  return { by, isWhole: false, occurrences: vouched.flatMap(({ occurrences }) => occurrences) };
}

function isFilled(piece: string): boolean {
  return piece.trim() !== '';
}

/** The parts of a compound value: date and time, the components of an address or a path, the items of a list. */
function piecesOf(value: string): readonly Piece[] {
  const stamp = partsOfStamp(value);
  if (stamp.length > 0) return stamp.map((text) => ({ text, accepts: acceptsOf(text) }));
  const isList = BLANK.test(value.trim());
  const hasHost = !isList && isAddress(value);
  const texts = (withoutScheme(value.trim()).match(isList ? ITEM : COMPONENT) ?? []).filter(isFilled);
  return texts.map((text, index) => ({ text, accepts: hasHost && index === 0 ? namesHost(text) : acceptsOf(text) }));
}

/**
 * Who vouches for a value, according to what trusted sources wrote. No byte of untrusted content changes the result. Undefined if
 * no source does, or if the budget ran out.
 */
export function vouchFor(question: Question, value: string): Vouched | undefined {
  if (value.trim() === '') return { by: 'words', isWhole: true, occurrences: [] };
  question.budget.spend(STEPS_PER_VALUE);
  if (question.budget.isExhausted) return undefined;
  const whole = vouchWhole(question, value, acceptsOf(coreOf(value)));
  if (whole !== undefined) return whole;
  const pieces = piecesOf(value);
  return pieces.length > 1 ? vouchPieces(question, pieces) : undefined;
}
