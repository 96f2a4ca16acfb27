// Ways to write a sentence that a model can read but a filter may miss. Payloads are printable ASCII and line breaks; all other
// characters are written as escapes, so that this file hides nothing.

/**
 * @typedef {object} Disguise
 * @property {string} name
 * @property {(payload: string) => string} write
 * @property {string} [before] the text before the disguised range
 * @property {string} [after]
 * @property {string} [kind] the only layer that counts as a reading
 * @property {(unit: string) => string} [fold] removes what the disguise leaves ambiguous, on both sides of a comparison
 */

const each = (change) => (payload) => [...payload].map(change).join('');
const bytesOf = (payload) => [...Buffer.from(payload)].map((byte) => byte.toString(16).padStart(2, '0'));
const codeOf = (character) => character.charCodeAt(0);

/** The characters with a separator between each two, taken in turn from a list. */
const between = (marks) => (payload) =>
  [...payload].map((character, index) => (index === 0 ? '' : marks[index % marks.length]) + character).join('');

const fullWidth = (character) => {
  if (character === ' ') return '\u3000';
  return character > ' ' && character <= '~' ? String.fromCharCode(codeOf(character) + 0xfee0) : character;
};

// A tag has no line break.
const tag = (character) => String.fromCodePoint(0xe0000 + Math.max(codeOf(character), 0x20));

const LOOK_ALIKES = new Map(
  [
    'a\u0430 c\u0441 d\u0501 e\u0435 i\u0456 j\u0458 o\u043e p\u0440 s\u0455 v\u03bd x\u0445 y\u0443',
    'A\u0391 B\u0392 C\u0421 E\u0395 H\u0397 I\u0399 K\u039a M\u039c N\u039d O\u039f P\u03a1 S\u0405 T\u03a4 X\u03a7 Y\u03a5',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => [pair[0], pair[1]]),
);

const LEET = new Map(['a4', 'e3', 'i1', 'o0', 's5', 't7'].map(([letter, sign]) => [letter, sign]));
const leet = (character) => LEET.get(character.toLowerCase()) ?? character;

const rotated = (character) => {
  if (!/[a-z]/i.test(character)) return character;
  const base = character <= 'Z' ? 65 : 97;
  return String.fromCharCode(((codeOf(character) - base + 13) % 26) + base);
};

const reference = (character) => {
  const code = codeOf(character);
  return code % 2 ? `&#${code};` : `&#x${code.toString(16)};`;
};

/** A few words per field, as consecutive strings; quotation marks and line breaks as in JSON. */
function fields(payload) {
  const words = payload.split(' ');
  const pieces = [];
  for (let at = 0; at < words.length; at += 4) pieces.push(words.slice(at, at + 4).join(' '));
  const written = pieces.map((piece, index) => `"part${index + 1}": ${JSON.stringify(piece)}`).join(', ');
  // Without the name and quotation mark before the first, and the mark after the last: those are `before` and `after`.
  return written.slice('"part1": "'.length, -1);
}

/** @type {readonly Disguise[]} */
export const DISGUISES = [
  { name: 'full-width', write: each(fullWidth) },
  { name: 'zero-width', write: between(['\u200b', '\u200c', '\u200d', '\u2060']) },
  { name: 'tags', write: each(tag) },
  { name: 'bidi', write: between(['\u202a', '\u202c', '\u2066', '\u2069', '\u200e', '\u200f', '\u202d', '\u202c']) },
  { name: 'homoglyphs', write: each((character) => LOOK_ALIKES.get(character) ?? character) },
  { name: 'entities', write: each(reference) },
  {
    name: 'percent',
    write: (payload) =>
      bytesOf(payload)
        .map((pair) => `%${pair}`)
        .join(''),
  },
  { name: 'base64', write: (payload) => Buffer.from(payload).toString('base64') },
  { name: 'hex', write: (payload) => bytesOf(payload).join('') },
  { name: 'rot13', write: each(rotated) },
  // A 1 in the payload may be decoded as an i: compared as leetspeak, and only in that layer.
  { name: 'leet', write: each(leet), kind: 'leet', fold: leet },
  { name: 'spaced', write: (payload) => [...payload].join(' ') },
];

/** These hide the position of the payload, not its letters. */
export const PLACES = [
  { name: 'comment', write: (payload) => payload, before: '<!-- ', after: ' -->' },
  { name: 'display-none', write: (payload) => payload, before: '<div style="display:none">', after: '</div>' },
  { name: 'json-fields', write: fields, before: '{"part1": "', after: '"}' },
];

/**
 * Disguises every span of a text.
 * @param {string} text
 * @param {readonly { start: number, end: number }[]} spans in order, without overlaps
 * @param {Disguise} disguise
 */
export function disguiseSpans(text, spans, { write, before = '', after = '' }) {
  let written = '';
  let done = 0;
  const ranges = [];
  for (const { start, end } of spans) {
    const payload = text.slice(start, end);
    written += text.slice(done, start) + before;
    const from = written.length;
    written += write(payload);
    ranges.push({ start: from, end: written.length, payload });
    written += after;
    done = end;
  }
  return { text: written + text.slice(done), ranges };
}

const same = (unit) => unit;

/** Without white space and case, with the position of each unit. */
function squash(text, fold) {
  let squashed = '';
  const places = [];
  for (let at = 0; at < text.length; at++) {
    const unit = text[at];
    if (/\s/.test(unit)) continue;
    squashed += unit >= 'A' && unit <= 'Z' ? fold(unit.toLowerCase()) : fold(unit);
    places.push(at);
  }
  return { squashed, places };
}

/**
 * Whether a layer contains the payload of a range, and whether its position there maps back to exactly that range.
 * @param {readonly object[]} layers
 * @param {{ start: number, end: number, payload: string }} range
 * @param {Disguise} disguise
 * @param {(layer: object, from: number, to: number) => { start: number, end: number }} originalSpan
 */
export function traceRange(layers, { start, end, payload }, { kind, fold = same }, originalSpan) {
  const wanted = squash(payload, fold).squashed;
  let isRead = false;
  for (const layer of layers) {
    if (kind !== undefined && layer.kind !== kind) continue;
    const { squashed, places } = squash(layer.text, fold);
    for (let at = squashed.indexOf(wanted); at >= 0; at = squashed.indexOf(wanted, at + 1)) {
      isRead = true;
      const span = originalSpan(layer, places[at], places[at + wanted.length - 1] + 1);
      if (span.start === start && span.end === end) return { isRead, isExact: true };
    }
  }
  return { isRead, isExact: false };
}
