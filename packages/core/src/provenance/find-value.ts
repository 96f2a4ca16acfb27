import type { Budget } from '@sallyport/decode';
import { formsOf } from '../text/spellings.ts';
import { foldedWord, readWords, type Words } from '../text/words.ts';
import type { Ledger } from './ledger.ts';
import { type Found, NOWHERE } from './occurrence.ts';

/** A ledger to search, and what the search may still cost. */
export interface Question {
  readonly ledger: Ledger;
  readonly budget: Budget;
}

export interface Located {
  readonly how: 'whole' | 'reformatted';
  readonly found: Found;
}

const STEPS_PER_FORM = 24;
const MAX_ID_LENGTH = 64;
// Letters and digits, with the separators that people put between groups of them.
const GROUPS = /^[\p{L}\p{N}\s()+.-]+$/u;
const MIN_ID_LENGTH = 6;

/** The occurrences of all spellings of one value. */
function joinFound(founds: readonly Found[]): Found {
  let trust = 0;
  let exhausted = false;
  for (const found of founds) {
    trust |= found.trust;
    exhausted ||= found.exhausted;
  }
  return { trust, exhausted, occurrences: founds.flatMap(({ occurrences }) => occurrences) };
}

function findForms({ ledger, budget }: Question, value: string): Found {
  const forms = formsOf(value);
  if (forms.length === 0) return NOWHERE;
  budget.spend(STEPS_PER_FORM * forms.length);
  return joinFound(forms.map((form) => ledger.find(readWords(form), budget)));
}

/** The words of an id, an account or a telephone number joined and folded; undefined if they are not one. */
export function idOf({ text, count, starts, ends }: Words): string | undefined {
  if (text.length > MAX_ID_LENGTH || !/\d/.test(text) || !GROUPS.test(text)) return undefined;
  let folded = '';
  for (let i = 0; i < count; i++) folded += foldedWord(text, starts[i] as number, ends[i] as number);
  return folded.length < MIN_ID_LENGTH ? undefined : folded;
}

function isAnswer({ trust, exhausted }: Found): boolean {
  return trust !== 0 || exhausted;
}

/** Where a value occurs as it is, or in another spelling, as one piece. */
export function locate(question: Question, value: string, words: Words): Located | undefined {
  const found = question.ledger.find(words, question.budget);
  const reformatted = findForms(question, value);
  const all = reformatted === NOWHERE ? found : joinFound([found, reformatted]);
  if (isAnswer(all)) return { how: isAnswer(found) ? 'whole' : 'reformatted', found: all };
  const folded = idOf(words);
  const id = folded === undefined ? NOWHERE : question.ledger.findJoined(folded, question.budget);
  return isAnswer(id) ? { how: 'reformatted', found: id } : undefined;
}
