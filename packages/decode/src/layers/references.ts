import { NAMED_ENTITIES } from '../entities.ts';

/** A character reference: its value and its end. */
export interface Reference {
  readonly value: string;
  readonly end: number;
}

const HASH = 35;
const SEMICOLON = 59;
const EQUALS = 61;
const MAX_NAME = 32;
const MAX_DIGITS = 16;
const MAX_NESTING = 3;

// NAMED_ENTITIES has the names whose value can be part of a marker, in lower case. These are others that prose and code
// use.
const ROWS: readonly (readonly [value: string, names: string])[] = [
  ['"', 'quot QUOT'],
  ["'", 'apos'],
  ['!', 'excl'],
  ['%', 'percnt'],
  ['$', 'dollar'],
  ['(', 'lpar'],
  [')', 'rpar'],
  ['*', 'ast midast'],
  ['+', 'plus'],
  [',', 'comma'],
  ['=', 'equals'],
  ['?', 'quest'],
  ['@', 'commat'],
  ['{', 'lbrace lcub'],
  ['}', 'rbrace rcub'],
  ['\n', 'NewLine'],
  ['\t', 'Tab'],
  ['\u00a9', 'copy COPY'],
  ['\u00ae', 'reg REG'],
  ['\u20ac', 'euro'],
  ['\u2013', 'ndash'],
  ['\u2014', 'mdash'],
  ['\u2018', 'lsquo'],
  ['\u2019', 'rsquo'],
  ['\u201c', 'ldquo'],
  ['\u201d', 'rdquo'],
  ['\u00ab', 'laquo'],
  ['\u00bb', 'raquo'],
  ['\u2022', 'bull bullet'],
  ['\u00b7', 'middot'],
];

const names = new Map(ROWS.flatMap(([value, row]) => row.split(' ').map((name): [string, string] => [name, value])));
const GREEK =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi omega';
for (const [index, name] of GREEK.split(' ').entries()) names.set(name, String.fromCharCode(0x3b1 + index));

const ACCENTS: ReadonlyMap<string, string> = new Map([
  ['grave', '\u0300'],
  ['acute', '\u0301'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['caron', '\u030c'],
  ['cedil', '\u0327'],
]);

/** The names that HTML decodes without a semicolon and that people write without one. */
const LEGACY = new Set(['lt', 'gt', 'amp', 'quot', 'nbsp']);

function isAlphanumeric(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);
}

/** The value of a hexadecimal digit, or -1. */
export function hexValue(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

function readNumber(text: string, at: number): Reference | undefined {
  const isHexadecimal = (text.charCodeAt(at) | 32) === 120;
  const base = isHexadecimal ? 16 : 10;
  const first = isHexadecimal ? at + 1 : at;
  let end = first;
  let value = 0;
  for (; end - first < MAX_DIGITS; end++) {
    const digit = hexValue(text.charCodeAt(end));
    if (digit < 0 || digit >= base) break;
    value = Math.min(value * base + digit, 0x110000);
  }
  if (end === first || value === 0 || value > 0x10ffff) return undefined;
  const next = text.charCodeAt(end) === SEMICOLON ? end + 1 : end;
  return { value: String.fromCodePoint(value), end: next };
}

function nameValue(name: string): string | undefined {
  const exact = names.get(name);
  if (exact !== undefined) return exact;
  const accent = ACCENTS.get(name.slice(1));
  if (accent !== undefined) return `${name[0]}${accent}`.normalize('NFC');
  const folded = NAMED_ENTITIES.get(name.toLowerCase());
  const isCapital = folded?.length === 1 && name.charCodeAt(0) < 97;
  return isCapital ? folded.toUpperCase() : folded;
}

function readName(text: string, at: number): Reference | undefined {
  let end = at;
  while (end - at < MAX_NAME && isAlphanumeric(text.charCodeAt(end))) end++;
  if (end - at < 2) return undefined;
  const isClosed = text.charCodeAt(end) === SEMICOLON;
  const name = text.slice(at, end);
  // `?a=1&lt=2` is part of a URL.
  if (!isClosed && (!LEGACY.has(name) || text.charCodeAt(end) === EQUALS)) return undefined;
  const value = nameValue(name);
  return value === undefined ? undefined : { value, end: isClosed ? end + 1 : end };
}

/**
 * Reads the character reference whose `&` is directly before `at`. `&amp;lt;` is read as `<`, because text may be
 * decoded more than once. Bounded work per call.
 */
export function readReference(text: string, at: number, depth = 0): Reference | undefined {
  const read = text.charCodeAt(at) === HASH ? readNumber(text, at + 1) : readName(text, at);
  if (read === undefined || read.value !== '&' || depth >= MAX_NESTING) return read;
  return readReference(text, read.end, depth + 1) ?? read;
}
