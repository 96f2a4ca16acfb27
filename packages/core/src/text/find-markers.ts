import {
  firstReadings,
  isMarked,
  pointAt,
  readEntity,
  type Scanned,
  spellsName,
  viewOf,
  WILD,
} from '@sallyport/decode';
import type { NameNode, Vocabulary } from './reserved-names.ts';

const AMPERSAND = 38;
const SLASH = 47;
const COLON = 58;
const LESS = 60;
const BRACKET = 91;
const BACKSLASH = 92;
const BAR = 124;
const TILDE = 126;
const SPACE = 32;
const NEWLINE = 10;
const TAB = 9;

const PLAIN = 0;
const NOT_PLAIN = 1;
const NOTABLE = 2;

/** The kind of each ASCII character for the scan. */
const KINDS = new Uint8Array(128).fill(PLAIN, 32, 127).fill(NOT_PLAIN, 0, 32).fill(NOT_PLAIN, 127);
KINDS.fill(PLAIN, 9, 10);
for (const code of [NEWLINE, 13, AMPERSAND, LESS, BRACKET, BACKSLASH, TILDE]) KINDS[code] = NOTABLE;

function lowerAt(view: string, at: number): number {
  const code = view.charCodeAt(at);
  return code >= 65 && code <= 90 ? code | 32 : code;
}

function isSpace(code: number): boolean {
  return code === SPACE || code === NEWLINE || code === TAB || code === 13;
}

function isLetter(code: number): boolean {
  return code >= 97 && code <= 122;
}

function isNameCode(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 95 || code === 45;
}

function isFiller(code: number): boolean {
  return isSpace(code) || code === SLASH || code === BAR || code === BACKSLASH;
}

/**
 * Checks that a name ends after its unit `last` for at least one kind of reader. The next character is looked up in the
 * original text: for a reader that does not fold, a name also ends before a character that folds to a letter or to
 * nothing, or that a combining mark changes. The tags of the frame end a name too.
 */
function endsAfter({ text, starts, original = text, breaks }: Scanned, last: number): boolean {
  const start = starts === undefined ? last : (starts[last] as number);
  const point = pointAt(original, start);
  if (point > 127) return true;
  const next = start + 1;
  if (breaks?.has(next) || !isNameCode(lowerAt(original, next))) return true;
  return isMarked({ text: original, isOpen: false }, next);
}

/**
 * Recognises a code point that a reader can take for a letter other than the one it folds to, if that letter continues
 * a name.
 */
function hasOtherReading({ text, starts, original }: Scanned, at: number, node: NameNode): boolean {
  if (starts === undefined || original === undefined) return false;
  const point = pointAt(original, starts[at] as number);
  if (point < 128) return false;
  const folded = text.charCodeAt(at);
  return firstReadings(point).some((each) => each.charCodeAt(0) !== folded && node.next.has(each.charCodeAt(0)));
}

/** Looks for one of the names under `root` at `at`. A character reference in the text can match any letter. */
function nameAt(view: Scanned, at: number, root: NameNode): boolean {
  let node = root;
  for (let index = at; ; index++) {
    if (node.ends === 'prefix' || (node.ends === 'whole' && endsAfter(view, index - 1))) return true;
    if (index >= view.text.length) return view.isOpen;
    const code = lowerAt(view.text, index);
    if (code === AMPERSAND && spellsName(view, index)) return true;
    if (hasOtherReading(view, index, node)) return true;
    const next = node.next.get(code);
    if (next === undefined) return false;
    node = next;
  }
}

/** Checks for a reserved tag or token after a `<`. `from` is the offset after the `<`. */
function angleAt(view: Scanned, from: number, vocabulary: Vocabulary): boolean {
  const { text } = view;
  let at = from;
  let hasBar = false;
  for (let code = lowerAt(text, at); isFiller(code); code = lowerAt(text, ++at)) hasBar ||= code === BAR;
  if (!hasBar) return nameAt(view, at, vocabulary.angle);
  return (text.charCodeAt(at - 1) === BAR && isLetter(lowerAt(text, at))) || nameAt(view, at, vocabulary.bar);
}

function squareAt(view: Scanned, from: number, vocabulary: Vocabulary): boolean {
  let at = from;
  while (isFiller(lowerAt(view.text, at))) at++;
  const hasBar = at > from && view.text.charCodeAt(at - 1) === BAR;
  return (hasBar && isLetter(lowerAt(view.text, at))) || nameAt(view, at, vocabulary.square);
}

const ANYTHING = -1;
const NOTHING = -2;

interface Character {
  readonly code: number;
  readonly end: number;
  readonly isReference: boolean;
}

/** The character at `at`; a character reference is decoded. Undefined if it cannot be part of a turn marker. */
function characterAt(view: Scanned, at: number): Character | undefined {
  const code = lowerAt(view.text, at);
  if (code === BACKSLASH && view.text[at + 1] === 't') return { code: TAB, end: at + 2, isReference: false };
  if (code !== AMPERSAND) return { code, end: at + 1, isReference: false };
  const read = readEntity(view, at);
  if (read === undefined) return undefined;
  if (read.value === WILD || read.value.length > 1) return { code: ANYTHING, end: read.end, isReference: true };
  return { code: read.value === '' ? NOTHING : read.value.charCodeAt(0), end: read.end, isReference: true };
}

/**
 * Blanks are skipped before a name and before its colon. Line breaks are not: skipping them would take quadratic time.
 */
function isSkipped(code: number, isBorder: boolean): boolean {
  return code === NOTHING || (isBorder && (code === SPACE || code === TAB));
}

/** Reads one more character of a turn marker: 'found' if it must be escaped here, else the next node, if any. */
function stepTurn(node: NameNode, root: NameNode, { code, isReference }: Character): 'found' | NameNode | undefined {
  if (code === ANYTHING || (code === COLON && node.ends !== undefined)) return 'found';
  if (isSkipped(code, node === root || node.ends !== undefined)) return node;
  // Inside a name, a reference to another letter may still be read as the right one.
  return node.next.get(code) ?? (isReference && node !== root ? 'found' : undefined);
}

function foundByOtherReading(view: Scanned, at: number, node: NameNode): 'found' | undefined {
  return hasOtherReading(view, at, node) ? 'found' : undefined;
}

/**
 * The offset at which to escape a turn marker such as `Human:` that begins at `from`: its colon, or a reference in it.
 */
function turnAt(view: Scanned, from: number, root: NameNode): number | undefined {
  let node = root;
  for (let at = from; at < view.text.length; ) {
    const character = characterAt(view, at);
    const next = character && (foundByOtherReading(view, at, node) ?? stepTurn(node, root, character));
    if (next === undefined || next === 'found') return next && at;
    node = next;
    at = (character as Character).end;
  }
  return undefined;
}

function visitEntity(view: Scanned, at: number, vocabulary: Vocabulary, found: number[]): void {
  const read = readEntity(view, at);
  if (read === undefined) return;
  const first = read.value.charCodeAt(0);
  const opens =
    read.value === WILD ||
    (first === LESS && angleAt(view, read.end, vocabulary)) ||
    (first === BRACKET && squareAt(view, read.end, vocabulary));
  if (opens) found.push(at);
  if (first === NEWLINE) visitTurn(view, read.end, vocabulary, found);
}

function visitTurn(view: Scanned, from: number, vocabulary: Vocabulary, found: number[]): void {
  const at = turnAt(view, from, vocabulary.turn);
  if (at !== undefined) found.push(at);
}

function visit(view: Scanned, at: number, vocabulary: Vocabulary, found: number[]): void {
  switch (view.text.charCodeAt(at)) {
    case LESS:
      if (angleAt(view, at + 1, vocabulary)) found.push(at);
      break;
    case BRACKET:
      if (squareAt(view, at + 1, vocabulary)) found.push(at);
      break;
    case AMPERSAND:
      visitEntity(view, at, vocabulary, found);
      break;
    case BACKSLASH:
      // In JSON text a line break is written as \n or \r.
      if (isBreakLetter(view.text.charCodeAt(at + 1))) visitTurn(view, at + 2, vocabulary, found);
      break;
    case TILDE:
      break;
    default:
      visitTurn(view, at + 1, vocabulary, found);
  }
}

function isBreakLetter(code: number): boolean {
  return code === 110 || code === 114;
}

/**
 * Recognises a `~x` and a digit that `recover()` would read as an escape. The tilde is escaped, so that escapes are
 * reversible.
 */
function looksEscaped(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== TILDE || text.charCodeAt(at + 1) !== 120) return false;
  const digit = text.charCodeAt(at + 2);
  return (digit >= 48 && digit <= 57) || (digit >= 97 && digit <= 102);
}

/** Scans printable ASCII in one pass. Returns false if the text contains other characters; `found` is then invalid. */
function scanPlain(view: Scanned, vocabulary: Vocabulary, found: number[]): boolean {
  const { text } = view;
  visitTurn(view, 0, vocabulary, found);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? KINDS[code] : NOT_PLAIN;
    if (kind === PLAIN) continue;
    if (kind === NOT_PLAIN) return false;
    visit(view, at, vocabulary, found);
    if (looksEscaped(text, at)) found.push(at);
  }
  return true;
}

function scanFolded({ text, isOpen, breaks }: Scanned, vocabulary: Vocabulary): number[] {
  const view = { ...viewOf(text), isOpen, breaks };
  const inView: number[] = [];
  visitTurn(view, 0, vocabulary, inView);
  for (let at = 0; at < view.text.length; at++) {
    const code = view.text.charCodeAt(at);
    if (code < 128 && KINDS[code] === NOTABLE) visit(view, at, vocabulary, inView);
  }
  const found = inView.map((at) => view.starts[at] as number);
  for (let at = 0; at < text.length; at++) {
    const code = pointAt(text, at);
    if (code > 0xffff) at++;
    else if ((code & 0xf800) === 0xd800 || looksEscaped(text, at)) found.push(at);
  }
  return found;
}

export interface ScanOptions {
  /** Set it if more text may follow, as in a stream. @default false */
  readonly isOpen?: boolean;
  /** Offsets at which a tag of the frame will be inserted. @default none */
  readonly breaks?: ReadonlySet<number> | undefined;
}

/**
 * The offsets, in ascending order, of the code points that must be escaped: the beginnings of reserved markers, lone
 * surrogates, and texts that look like an escape. Case, compatibility forms, invisible characters, look-alikes and
 * character references do not hide a marker. With `isOpen`, an incomplete marker at the end of the text counts too.
 */
export function findMarkers(text: string, vocabulary: Vocabulary, options: ScanOptions = {}): readonly number[] {
  const plain: number[] = [];
  const scanned = { text, isOpen: options.isOpen ?? false, breaks: options.breaks };
  const found = scanPlain(scanned, vocabulary, plain) ? plain : scanFolded(scanned, vocabulary);
  return found.length < 2 ? found : [...new Set(found)].sort((one, other) => one - other);
}
