/** What a stretch of a text says once an everyday encoding is taken off: models read base64 as easily as plain words. */
export interface Decoded {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const RUN = /[^\s"'<>]{4,}/g;
// Shorter runs hold nothing in base64 or hex: most words of a text need no second look.
const SHORTEST = 12;
const BASE64 = /[A-Za-z0-9+/_-]{12,}={0,2}/g;
const HEX = /(?:[0-9a-f]{2}){6,}/gi;
const PERCENT = /(?:%[0-9a-f]{2})+/gi;
const REFERENCE = /&#(?:x([0-9a-f]{1,6})|(\d{1,7}));/gi;
// Letters and signs that people read; a run of random bytes has others.
const READABLE = /^[\t\n\r -~\u00a0-\ud7ff\uf900-\ufffc]+$/;
const WORD = /[\p{L}\p{N}]{2}/u;

const DEEPEST = 3;

const SIXES: Int8Array = new Int8Array(128).fill(-1);
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'].entries())
  SIXES[letter.charCodeAt(0)] = value;
for (const letter of '+-') SIXES[letter.charCodeAt(0)] = 62;
for (const letter of '/_') SIXES[letter.charCodeAt(0)] = 63;

/** Bytes as UTF-8; undefined when they are none. */
function readUtf8(bytes: readonly number[]): string | undefined {
  try {
    return decodeURIComponent(bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return undefined;
  }
}

function fromBase64(run: string): string | undefined {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const letter of run.replace(/=+$/, '')) {
    bits = ((bits << 6) | (SIXES[letter.charCodeAt(0)] as number)) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes.push((bits >> held) & 0xff);
  }
  return readUtf8(bytes);
}

function fromHex(run: string): string | undefined {
  return readUtf8((run.match(/../g) as string[]).map((pair) => Number.parseInt(pair, 16)));
}

function fromPercent(run: string): string {
  const bytes = (escapes: string): number[] =>
    (escapes.match(/[^%]{2}/g) as string[]).map((pair) => Number.parseInt(pair, 16));
  return run.replace(PERCENT, (escapes) => readUtf8(bytes(escapes)) ?? escapes);
}

function fromReferences(run: string): string {
  return run.replace(REFERENCE, (whole, hex?: string, decimal?: string) => {
    const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return point > 0x10ffff ? whole : String.fromCodePoint(point);
  });
}

function isReadable(text: string): boolean {
  return READABLE.test(text) && WORD.test(text);
}

/** All readings of one run without blanks, at its offset. */
function* readingsOf(run: string, offset: number): Generator<Decoded> {
  const whole = { start: offset, end: offset + run.length };
  if (run.includes('%')) yield { ...whole, text: fromPercent(run) };
  if (run.includes('&#')) yield { ...whole, text: fromReferences(run) };
  for (const [pattern, decode] of [
    [BASE64, fromBase64],
    [HEX, fromHex],
  ] as const)
    for (const { index, 0: found } of run.matchAll(pattern)) {
      const start = offset + index;
      yield { start, end: start + found.length, text: decode(found) ?? '' };
    }
}

/** A reading, and what stands encoded in it again: at the place of the outermost. */
function deeper(reading: Decoded, depth: number): Decoded[] {
  if (depth >= DEEPEST) return [reading];
  return [reading, ...decodeRuns(reading.text, depth + 1).map(({ text }) => ({ ...reading, text }))];
}

/**
 * Everything readable that stands encoded in a text, at its offsets, up to three encodings deep. Linear without a limit: the
 * readings of a run are together some times its length, and what is not readable is not read again.
 */
export function decodeRuns(text: string, depth = 1): Decoded[] {
  const decoded: Decoded[] = [];
  for (const { index, 0: run } of text.matchAll(RUN)) {
    if (run.length < SHORTEST && !run.includes('%') && !run.includes('&#')) continue;
    for (const reading of readingsOf(run, index)) {
      if (reading.text === run || !isReadable(reading.text)) continue;
      for (const each of deeper(reading, depth)) decoded.push(each);
    }
  }
  return decoded;
}
