import { partsOfStamp } from './form.ts';
import type { Occurrence } from './found.ts';
import { locate, type Question } from './locate.ts';
import { VOUCHED, type Voucher } from './standing.ts';
import { readWords } from './word.ts';

/** Who stands for all of some values: nobody when one of them has no voucher, a field when one has no better. */
export function weakestVoucher(vouchers: readonly (Voucher | undefined)[]): Voucher | undefined {
  if (vouchers.includes(undefined)) return undefined;
  return vouchers.includes('field') ? 'field' : 'words';
}

export interface Vouched {
  readonly by: Voucher;
  readonly occurrences: readonly Occurrence[];
}

// Between these, an address or a path has parts that may stem from different places. A host is one of them and never taken
// apart: whoever owns `alice.example` is not who owns `example.alice`.
const COMPONENT = /[^/?&=#;]+/g;
const ITEM = /[^,;|\n]+/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const BLANK = /\s/;
const STEPS_PER_VALUE = 64;

function vouchWhole(question: Question, value: string): Vouched | undefined {
  const words = readWords(value);
  if (words.count === 0)
    return question.ledger.standsAlone(value.trim()) ? { by: 'words', occurrences: [] } : undefined;
  const located = locate(question, value, words);
  if (located === undefined || located.found.standing === 0) return undefined;
  const { standing, occurrences } = located.found;
  return { by: (standing & VOUCHED) === 0 ? 'field' : 'words', occurrences };
}

/** Every piece has to be vouched for, or the whole is not. */
function vouchPieces(question: Question, pieces: readonly string[]): Vouched | undefined {
  const vouched: Vouched[] = [];
  for (const piece of pieces) {
    const one = question.effort.isSpent ? undefined : vouchWhole(question, piece);
    if (one === undefined) return undefined;
    vouched.push(one);
  }
  const by = vouched.some((each) => each.by === 'field') ? 'field' : 'words';
  return { by, occurrences: vouched.flatMap(({ occurrences }) => occurrences) };
}

function hasWords(piece: string): boolean {
  return readWords(piece).count > 0;
}

/** The parts of a value that is put together: date and time, the components of an address or a path, the items of a list. */
function piecesOf(value: string): readonly string[] {
  const stamp = partsOfStamp(value);
  if (stamp.length > 0) return stamp;
  const pattern = BLANK.test(value.trim()) ? ITEM : COMPONENT;
  return (value.trim().replace(SCHEME, '').match(pattern) ?? []).filter(hasWords);
}

/**
 * Who stands for a value, by what trusted parties wrote and nothing else: no byte of anybody else's changes the answer.
 * Undefined when nobody does, or when it would take too long to find out.
 */
export function vouchFor(question: Question, value: string): Vouched | undefined {
  if (value.trim() === '') return { by: 'words', occurrences: [] };
  question.effort.spend(STEPS_PER_VALUE);
  if (question.effort.isSpent) return undefined;
  const whole = vouchWhole(question, value);
  if (whole !== undefined) return whole;
  const pieces = piecesOf(value);
  return pieces.length > 1 ? vouchPieces(question, pieces) : undefined;
}
