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

/** Words that stand in several places are their best author's: the attacker may repeat what the user said. */
function standingOf({ standing }: Found): Standing {
  if ((standing & VOUCHED) !== 0) return 'vouched';
  if ((standing & OPEN) !== 0) return 'open';
  return (standing & FLAGGED) !== 0 ? 'flagged' : 'own';
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

function findForms(ledger: Ledger, value: string): Found {
  return best(formsOf(value).map((form) => ledger.find(readWords(form))));
}

const LONGEST_ID = 64;
const SHORTEST_ID = 6;

/** An id, an account or a telephone number, however its groups are divided. */
function findId(ledger: Ledger, { text, count, starts, ends }: Words): Found {
  if (text.length > LONGEST_ID || !/\d/.test(text)) return NOWHERE;
  let folded = '';
  for (let i = 0; i < count; i++) folded += foldedWord(text, starts[i] as number, ends[i] as number);
  return folded.length < SHORTEST_ID ? NOWHERE : ledger.findJoined(folded);
}

/** The value as it stands, or in another spelling, in one place. */
function findWhole(ledger: Ledger, value: string, words: Words, offset: number): Piece | undefined {
  const end = offset + value.length;
  const found = ledger.find(words);
  const reformatted = (found.standing & VOUCHED) === 0 ? findForms(ledger, value) : NOWHERE;
  const isBetter = reformatted.standing !== 0 && best([found, reformatted]) === reformatted;
  if (isBetter) return pieceOf(offset, end, 'reformatted', reformatted);
  if (found.standing !== 0) return pieceOf(offset, end, 'whole', found);
  const id = findId(ledger, words);
  return id.standing === 0 ? undefined : pieceOf(offset, end, 'reformatted', id);
}

/** What has a sign or a digit within it: an address, a path, an id, an amount. A word by itself says little. */
const ATOM = /[^\s"'<>()[\]{},;|`]+/g;
const ATOM_MARK = /\d|[\p{L}\p{N}][@./:_#=&?%+-][\p{L}\p{N}]/u;
const SHORTEST_RUN = 4;

function isAtom(text: string): boolean {
  return ATOM_MARK.test(text);
}

/** `www`, `com`, `id`: part of many addresses, and nobody's words. */
function isTrifle(text: string): boolean {
  return text.length <= 3 && !/\d/.test(text);
}

/** The longest runs of an atom that stand somewhere: host, path, query, one by one. */
function traceParts(ledger: Ledger, atom: string, offset: number): Piece[] {
  const words = readWords(atom);
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count; ) {
    const length = Math.max(1, ledger.reach(words, at));
    const start = offset + (words.starts[at] as number);
    const end = offset + (words.ends[at + length - 1] as number);
    const trifle = length === 1 && isTrifle(atom.slice(words.starts[at], words.ends[at]));
    pieces.push(pieceOf(start, end, 'part', trifle ? NOWHERE : ledger.find(words, at, at + length)));
    at += length;
  }
  return pieces;
}

function traceAtom(ledger: Ledger, atom: string, offset: number): Piece[] {
  const whole = findWhole(ledger, atom, readWords(atom), offset);
  return whole === undefined ? traceParts(ledger, atom, offset) : [whole];
}

/** A text of the model's own: what in it was taken over word for word, and every address, id and amount in it. */
function traceProse(ledger: Ledger, value: string, words: Words): Piece[] {
  const pieces: Piece[] = [];
  for (let at = 0; at < words.count; ) {
    const length = ledger.reach(words, at);
    if (length >= SHORTEST_RUN) {
      const [start, end] = [words.starts[at] as number, words.ends[at + length - 1] as number];
      pieces.push(pieceOf(start, end, 'part', ledger.find(words, at, at + length)));
    }
    at += Math.max(1, length);
  }
  for (const match of value.matchAll(ATOM)) {
    const atom = match[0].replace(/[.:!?]+$/, '');
    if (isAtom(atom)) pieces.push(...traceAtom(ledger, atom, match.index));
  }
  return pieces;
}

/** Says for a value of a call whose words it is made of. */
export function traceText(ledger: Ledger, value: string): Provenance {
  const words = readWords(value);
  if (words.count === 0) return provenanceOf([]);
  const whole = findWhole(ledger, value, words, 0);
  if (whole !== undefined) return provenanceOf([whole]);
  const stamp = partsOfStamp(value);
  if (stamp.length > 0) return provenanceOf(stamp.flatMap((part) => traceAtom(ledger, part, value.indexOf(part))));
  const isOneAtom = !/\s/.test(value.trim());
  return provenanceOf(isOneAtom ? traceAtom(ledger, value, 0) : traceProse(ledger, value, words));
}
