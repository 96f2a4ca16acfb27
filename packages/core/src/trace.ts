import { decodeRuns } from './decode.ts';
import { Effort } from './effort.ts';
import { formsOf, partsOfStamp } from './form.ts';
import { FLAGGED, type Found, type Ledger, NOWHERE, type Occurrence, OPEN, VOUCHED } from './ledger.ts';
import { foldedWord, readWords, type Words } from './word.ts';

/**
 * Whose words a value is. `vouched`: they stand in what the developer, the user or the operator wrote. `own`: they stand
 * nowhere, the model found them itself. `open`: others wrote them, in a place where nothing was flagged. `flagged`: they
 * stand only where somebody tries to instruct the model.
 */
export type Standing = 'vouched' | 'own' | 'open' | 'flagged';

/** A stretch of a value and where its words stand. */
export interface Piece {
  /** UTF-16 offsets in the value; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly how: 'whole' | 'reformatted' | 'decoded' | 'part';
  readonly standing: Standing;
  readonly occurrences: readonly Occurrence[];
}

export interface Provenance {
  /** The worst of its pieces. */
  readonly standing: Standing;
  readonly pieces: readonly Piece[];
}

const WORST_FIRST: readonly Standing[] = ['flagged', 'open', 'own', 'vouched'];

/**
 * Words that stand in several places are their best author's: the attacker may repeat what the user said. Where there are
 * more places than were looked at, nobody knows who else said it.
 */
function standingOf({ standing, exhausted }: Found): Standing {
  if ((standing & VOUCHED) !== 0) return 'vouched';
  if (exhausted) return 'flagged';
  if ((standing & OPEN) !== 0) return 'open';
  return (standing & FLAGGED) !== 0 ? 'flagged' : 'own';
}

/** Steps for one value. */
const MOST_STEPS = 1_000_000;
const STEPS_PER_FORM = 8;
const STEPS_PER_ATOM = 16;

interface Question {
  readonly ledger: Ledger;
  readonly effort: Effort;
}

function provenanceOf(pieces: readonly Piece[]): Provenance {
  const standing = WORST_FIRST.find((each) => pieces.some((piece) => piece.standing === each)) ?? 'own';
  return { standing, pieces };
}

function pieceOf(start: number, end: number, how: Piece['how'], found: Found): Piece {
  return { start, end, how, standing: standingOf(found), occurrences: found.occurrences };
}

function best(founds: readonly Found[]): Found {
  let chosen = NOWHERE;
  for (const found of founds)
    if (found.standing !== 0 && WORST_FIRST.indexOf(standingOf(found)) > WORST_FIRST.indexOf(standingOf(chosen)))
      chosen = found;
    else if (chosen === NOWHERE && found.standing !== 0) chosen = found;
  return chosen;
}

function findForms({ ledger, effort }: Question, value: string): Found {
  const forms = formsOf(value);
  effort.spend(STEPS_PER_FORM * forms.length);
  return best(forms.map((form) => ledger.find(readWords(form), effort)));
}

const LONGEST_ID = 64;
const SHORTEST_ID = 6;

/** An id, an account or a telephone number, however its groups are divided. */
function findId({ ledger, effort }: Question, { text, count, starts, ends }: Words): Found {
  if (text.length > LONGEST_ID || !/\d/.test(text)) return NOWHERE;
  let folded = '';
  for (let i = 0; i < count; i++) folded += foldedWord(text, starts[i] as number, ends[i] as number);
  return folded.length < SHORTEST_ID ? NOWHERE : ledger.findJoined(folded, effort);
}

/** The value as it stands, or in another spelling, in one place. */
function findWhole(question: Question, value: string, words: Words, offset: number): Piece | undefined {
  const end = offset + value.length;
  const found = question.ledger.find(words, question.effort);
  const reformatted = (found.standing & VOUCHED) === 0 ? findForms(question, value) : NOWHERE;
  const isBetter = reformatted.standing !== 0 && best([found, reformatted]) === reformatted;
  if (isBetter) return pieceOf(offset, end, 'reformatted', reformatted);
  if (found.standing !== 0 || found.exhausted) return pieceOf(offset, end, 'whole', found);
  const id = findId(question, words);
  return id.standing === 0 ? undefined : pieceOf(offset, end, 'reformatted', id);
}

/** What has a sign or a digit within it: an address, a path, an id, an amount. A word by itself says little. */
const ATOM = /[^\s"'<>()[\]{},;|`]+/g;
const ATOM_MARK = /\d|[\p{L}\p{N}][@./:_#=&?%+-][\p{L}\p{N}]/u;
const SHORTEST_RUN = 4;

/** Without the full stop of its sentence. A pattern would look for the end from every sign. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.:!?'.includes(text[end - 1] as string)) end--;
  return text.slice(0, end);
}

function isAtom(text: string): boolean {
  return ATOM_MARK.test(text);
}

/** `www`, `com`, `id`: part of many addresses, and nobody's words. */
function isTrifle(text: string): boolean {
  return text.length <= 3 && !/\d/.test(text);
}

/** The longest runs of an atom that stand somewhere: host, path, query, one by one. */
function traceParts({ ledger, effort }: Question, atom: string, offset: number): Piece[] {
  const words = readWords(atom);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count && !effort.isSpent; ) {
    const length = Math.max(1, ledger.reach(words, effort, at));
    const start = offset + (words.starts[at] as number);
    const end = offset + (words.ends[at + length - 1] as number);
    const trifle = length === 1 && isTrifle(atom.slice(words.starts[at], words.ends[at]));
    pieces.push(pieceOf(start, end, 'part', trifle ? NOWHERE : ledger.find(words, effort, at, at + length)));
    at += length;
  }
  return pieces;
}

function traceAtom(question: Question, atom: string, offset: number): Piece[] {
  question.effort.spend(STEPS_PER_ATOM);
  const whole = findWhole(question, atom, readWords(atom), offset);
  return whole === undefined ? traceParts(question, atom, offset) : [whole];
}

/** A text of the model's own: what in it was taken over word for word, and every address, id and amount in it. */
function traceProse(question: Question, value: string, words: Words): Piece[] {
  const { ledger, effort } = question;
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count && !effort.isSpent; ) {
    const length = ledger.reach(words, effort, at);
    if (length >= SHORTEST_RUN) {
      const [start, end] = [words.starts[at] as number, words.ends[at + length - 1] as number];
      pieces.push(pieceOf(start, end, 'part', ledger.find(words, effort, at, at + length)));
    }
    at += Math.max(1, length);
  }
  for (const match of value.matchAll(ATOM)) {
    if (effort.isSpent) break;
    const atom = withoutEnd(match[0]);
    if (isAtom(atom)) pieces.push(...traceAtom(question, atom, match.index));
  }
  return pieces;
}

function tracePieces(question: Question, value: string): Piece[] {
  const words = readWords(value);
  if (words.count === 0) return [];
  const whole = findWhole(question, value, words, 0);
  if (whole !== undefined) return [whole];
  const stamp = partsOfStamp(value);
  if (stamp.length > 0) return stamp.flatMap((part) => traceAtom(question, part, value.indexOf(part)));
  const isOneAtom = !/\s/.test(value.trim());
  return isOneAtom ? traceAtom(question, value, 0) : traceProse(question, value, words);
}

/** What stands encoded in the value: data that leaves in base64 is still the data. */
function traceDecoded(question: Question, value: string): Piece[] {
  const pieces: Piece[] = [];
  for (const { start, end, text } of decodeRuns(value)) {
    if (question.effort.isSpent) break;
    const inner = tracePieces(question, text);
    const { standing } = provenanceOf(inner);
    const occurrences = inner.flatMap((piece) => piece.occurrences);
    if (standing !== 'own') pieces.push({ start, end, how: 'decoded', standing, occurrences });
  }
  return pieces;
}

/** Says for a value of a call whose words it is made of. What could not be looked at in time counts as flagged. */
export function traceText(ledger: Ledger, value: string): Provenance {
  const question = { ledger, effort: new Effort(MOST_STEPS) };
  const pieces = [...tracePieces(question, value), ...traceDecoded(question, value)];
  if (question.effort.isSpent)
    pieces.push({ start: 0, end: value.length, how: 'part', standing: 'flagged', occurrences: [] });
  return provenanceOf(pieces);
}
