import { withoutScheme } from '../address/host.ts';
import type { Role } from '../call/role.ts';
import { formsOf, partsOfStamp } from '../text/spellings.ts';
import { isWholeNumber } from '../text/whole-number.ts';
import { readWords } from '../text/words.ts';
import { idOf, type Question } from './find-value.ts';
import { type Found, NOWHERE, type Occurrence } from './occurrence.ts';
import { isCommand, isGrouped, isNumber, isToken, numberOf, unquoted } from './token.ts';
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
  readonly occurrences: readonly Occurrence[];
}

const STEPS_PER_VALUE = 64;
const STEPS_PER_ITEM = 32;
const NOTHING: Vouched = { by: 'words', occurrences: [] };

/** The amount that a text says: a number, alone. */
function amountOf(text: string): number | undefined {
  return /^\d[\d.,'\u2019]*$/.test(text) ? numberOf(text) : undefined;
}

/** Where a number, a day or an hour occurs in any of its spellings. */
function findForm({ ledger, budget }: Question, text: string, accepts: Accepts): Found {
  for (const form of formsOf(text)) {
    const found = ledger.findWhere(readWords(form), budget, accepts);
    if (found.trust !== 0) return found;
  }
  return NOWHERE;
}

function findGrouped({ ledger, budget }: Question, text: string): Found {
  const id = /^[\p{L}\p{N}+ -]+$/u.test(text) ? idOf(readWords(text.replace(/[\s+-]/g, ''))) : undefined;
  return id === undefined ? NOWHERE : ledger.findJoined(id, budget, isGrouped(text.replace(/^\+/, '')));
}

/** Where a trusted source says a value, as the role of the value compares it. */
function findSaid(question: Question, text: string, role: Role): Found {
  const { ledger, budget } = question;
  const words = readWords(role === 'url' ? withoutScheme(text).replace(/^www\./i, '') : text);
  // A value of signs alone, such as `*` or `/`, occurs in every text.
  if (words.count === 0) return NOWHERE;
  if (role === 'command') return ledger.findWhere(words, budget, isCommand(text));
  const found = ledger.findWhere(words, budget, isToken(role, text));
  if (found.trust !== 0 && role !== 'amount') return found;
  if (role === 'amount') {
    const amount = amountOf(text);
    return amount === undefined ? found : findForm(question, text, isNumber(amount));
  }
  if (role === 'time') return findForm(question, text, isWholeNumber);
  return role === 'id' || role === 'recipient' ? findGrouped(question, text) : NOWHERE;
}

/** `Bob <bob@home.example>` reaches the address, whatever the name says. */
function itemsOf(text: string, role: Role): readonly string[] {
  if (role === 'time') return partsOfStamp(text);
  if (role !== 'recipient') return [];
  const items = text.split(/[,;\n]/).map((item) => /<([^<>\s]+@[^<>\s]+)>\s*$/.exec(item)?.[1] ?? item.trim());
  const isList = items.length > 1 || items[0] !== text.trim();
  return isList ? items.filter((item) => item !== '') : [];
}

function vouchedIn({ trust, occurrences }: Found): Vouched | undefined {
  return trust === 0 ? undefined : { by: (trust & VOUCHED) === 0 ? 'field' : 'words', occurrences };
}

/** Who vouches for all items of a list. */
function vouchForItems(question: Question, items: readonly string[], role: Role): Vouched | undefined {
  const all: Vouched[] = [];
  for (const item of items) {
    question.budget.spend(STEPS_PER_ITEM);
    const vouched = question.budget.isExhausted ? undefined : vouchedIn(findSaid(question, item, role));
    if (vouched === undefined) return undefined;
    all.push(vouched);
  }
  const by = all.length === 0 ? undefined : weakestVouchedBy(all.map((each) => each.by));
  return by === undefined ? undefined : { by, occurrences: all.flatMap((each) => each.occurrences) };
}

/**
 * Who vouches for a value, according to what trusted sources wrote. No byte of untrusted content changes the result. Undefined if
 * no source does, or if the budget ran out.
 */
export function vouchFor(question: Question, value: string, role: Role): Vouched | undefined {
  const text = unquoted(value);
  if (text === '') return value.trim() === '' ? NOTHING : undefined;
  question.budget.spend(STEPS_PER_VALUE);
  if (question.budget.isExhausted) return undefined;
  const whole = vouchedIn(findSaid(question, text, role));
  if (whole !== undefined) return whole;
  return vouchForItems(question, itemsOf(text, role), role);
}
