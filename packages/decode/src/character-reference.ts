import { LEGACY_ENTITIES, NAMED_ENTITIES } from './entities.ts';
import { foldPoint, isBroken, isLiteral, isMarked, type Scanned } from './fold.ts';

/** A character reference in a scanned text: its folded value and its end. */
export interface ReferenceRead {
  /** The folded characters, or `WILD` if decoders disagree and one of them could read a marker. */
  readonly value: string;
  readonly end: number;
}

/**
 * The value of a reference that may become anything: decoders differ in strictness, and text may be decoded repeatedly.
 */
export const WILD = '\u0000';

const AMPERSAND = 38;
const HASH = 35;
const SEMICOLON = 59;
const MAX_NAME = 32;
const MAX_NESTING = 4;
const RELEVANT = /^[a-z0-9_.:|/\\#;& \n<>[\]-]*$/;
// The characters of a reference itself: a reference to one of these can complete another when text is decoded twice.
const NESTS = /^[a-z0-9#;]*$/;

// HTML reads numeric references to the C1 controls as Windows-1252. Only those that fold to a reserved letter are
// listed.
const WINDOWS_1252: ReadonlyMap<number, number> = new Map([
  [0x8b, 0x2039],
  [0x9b, 0x203a],
  [0x96, 0x2013],
  [0x97, 0x2014],
  [0x83, 0x0192],
  [0x8a, 0x0160],
  [0x9a, 0x0161],
  [0x8e, 0x017d],
  [0x9e, 0x017e],
  [0x9f, 0x0178],
]);

function isDigit(code: number, base: 10 | 16): boolean {
  if (code >= 48 && code <= 57) return true;
  return base === 16 && ((code >= 97 && code <= 102) || (code >= 65 && code <= 70));
}

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

function foldNumber(value: number): string {
  if (value > 0x10ffff || value === 0) return '\ufffd';
  return foldPoint(WINDOWS_1252.get(value) ?? value);
}

function nestsAt(view: Scanned, at: number, depth: number): boolean {
  if (view.text.charCodeAt(at) !== AMPERSAND) return false;
  // Nesting that is too deep to follow counts as a reference. A run of ampersands does not: its last one is read
  // separately.
  if (depth >= MAX_NESTING) return view.text.charCodeAt(at + 1) !== AMPERSAND;
  const inner = readReference(view, at + 1, depth + 1);
  return inner !== undefined && (inner.value === WILD || NESTS.test(inner.value));
}

function readNumber(view: Scanned, at: number, depth: number): ReferenceRead | undefined {
  const hexadecimal = (view.text.charCodeAt(at) | 32) === 120;
  const base = hexadecimal ? 16 : 10;
  const first = hexadecimal ? at + 1 : at;
  let end = first;
  let value = 0;
  for (; isDigit(view.text.charCodeAt(end), base); end++)
    value = Math.min(value * base + Number.parseInt(view.text[end] as string, base), 0x110000);
  if (nestsAt(view, end, depth) || (view.isOpen && end >= view.text.length)) return { value: WILD, end };
  if (end === first) return undefined;
  // A look-alike of a digit ends the number for one decoder and continues it for another. So does a digit with a
  // combining mark.
  if (!isLiteral(view, first, end) || isBroken(view, at, end) || isMarked(view, end - 1)) return { value: WILD, end };
  const next = view.text.charCodeAt(end) === SEMICOLON ? end + 1 : end;
  return followReference(view, { value: foldNumber(value), end: next }, depth);
}

const OPENERS = [...NAMED_ENTITIES].filter(([, value]) => /^[<[&\n]/.test(value)).map(([name]) => name);

/** Recognises an incomplete name of a reference whose character a marker can begin with. */
function beginsOpener(name: string): boolean {
  return OPENERS.some((opener) => opener.startsWith(name));
}

function legacyPrefix(name: string): string | undefined {
  for (let length = Math.min(name.length, 8); length >= 2; length--) {
    const prefix = name.slice(0, length);
    if (LEGACY_ENTITIES.has(prefix)) return prefix;
  }
  return undefined;
}

function readName(view: Scanned, at: number, depth: number): ReferenceRead | undefined {
  let end = at;
  while (end - at < MAX_NAME && isAlphanumeric(view.text.charCodeAt(end))) end++;
  if (nestsAt(view, end, depth)) return { value: WILD, end };
  const name = view.text.slice(at, end).toLowerCase();
  if (view.isOpen && end >= view.text.length && beginsOpener(name)) return { value: WILD, end };
  const isClosed = view.text.charCodeAt(end) === SEMICOLON;
  const exact = isClosed ? NAMED_ENTITIES.get(name) : undefined;
  const prefix = legacyPrefix(name);
  if (prefix !== undefined && (!isLiteral(view, at, end) || isBroken(view, at, end))) return { value: WILD, end };
  if (exact !== undefined) return followReference(view, { value: exact, end: end + 1 }, depth);
  if (prefix === undefined) return undefined;
  return followReference(view, { value: NAMED_ENTITIES.get(prefix) as string, end: at + prefix.length }, depth);
}

/** Follows a reference to an ampersand: `&amp;lt;` is `<` after decoding twice. */
function followReference(view: Scanned, read: ReferenceRead, depth: number): ReferenceRead {
  if (read.value !== '&') return read;
  if (depth >= MAX_NESTING) return { value: WILD, end: read.end };
  return readReference(view, read.end, depth + 1) ?? read;
}

function readReference(view: Scanned, at: number, depth: number): ReferenceRead | undefined {
  return view.text.charCodeAt(at) === HASH ? readNumber(view, at + 1, depth) : readName(view, at, depth);
}

/**
 * Reads the character reference whose `&` is at `at`. Undefined if it cannot be part of a marker. Each call does
 * bounded work, so that a text of ampersands takes linear time.
 */
export function readEntity(view: Scanned, at: number): ReferenceRead | undefined {
  const read = readReference(view, at + 1, 0);
  if (read === undefined || read.value === WILD) return read;
  return RELEVANT.test(read.value) ? read : undefined;
}

/** Checks that the reference at `at` could be letters of a name, or characters that may precede a name. */
export function spellsName(view: Scanned, at: number): boolean {
  const read = readEntity(view, at);
  return read !== undefined && (read.value === WILD || !/[<>[\]&#;]/.test(read.value));
}
