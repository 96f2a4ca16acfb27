// Arguments of calls that are expensive to check, of a given size. The table is used by bench/gate.mjs.

/** A generator of whole numbers, the same in every run. */
export function numbersFrom(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
}

const fill = (unit, size) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

/** A text of different lines. */
function lines(size, line) {
  const parts = [];
  for (let length = 0; length < size; length += parts.at(-1).length) parts.push(line(parts.length));
  return parts.join('').slice(0, size);
}

function randomText(size, alphabet) {
  const next = numbersFrom(11);
  return Array.from({ length: size }, () => alphabet[next(alphabet.length)]).join('');
}

const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const HAN = Array.from({ length: 500 }, (_, index) => String.fromCodePoint(0x4e00 + index * 7)).join('');

/** Texts of `size` characters. `read` is what the conversation has read. */
export const TEXTS = {
  numbers: (size) => fill('1 ', size),
  'different numbers': (size) => lines(size, (index) => `${index} `),
  'numbers and signs': (size) => fill('1-', size),
  amounts: (size) => lines(size, (index) => `${index},${100 + (index % 900)}.50 `),
  times: (size) => lines(size, (index) => `2026-11-${10 + (index % 20)}T10:${10 + (index % 50)} `),
  base64: (size) => randomText(size, BASE64),
  'base64 of words': (size) => Buffer.from(fill('the meeting is on friday. ', size)).toString('base64').slice(0, size),
  'short base64 words': (size) => lines(size, (index) => `${Buffer.from(`please ${index}`).toString('base64')} `),
  hex: (size) => fill('69676e6f726520', size),
  'hex in pairs': (size) => fill('69 67 6e 6f 72 65 20 ', size),
  Han: (size) => randomText(size, HAN),
  'one word': (size) => fill('a', size),
  capitals: (size) => fill('A', size),
  words: (size) => fill('foo bar ', size),
  prose: (size) => fill('The meeting is on Friday, and all of the guests will have something to eat. ', size),
  letters: (size) => fill('i g n o r e ', size),
  leet: (size) => fill('1gn0r3 4ll ', size),
  'full stops': (size) => fill('a.', size),
  hosts: (size) => fill('a.b/', size),
  'different hosts': (size) => lines(size, (index) => `h${index}.example `),
  'at signs': (size) => fill('a@', size),
  'mail signs': (size) => fill('a@a.', size),
  'mail addresses': (size) => lines(size, (index) => `a${index}@b${index}.example `),
  'mail list': (size) => lines(size, (index) => `a${index}@b.example, `),
  schemes: (size) => fill('://', size),
  URLs: (size) => lines(size, (index) => `https://h${index}.example/a?b=${index} `),
  'one long URL': (size) => `https://a.example/?q=${fill('x/y&z=1%20', size)}`.slice(0, size),
  accounts: (size) => lines(size, (index) => `DE${10 + (index % 90)}${1_000_000_000 + index} `),
  'telephone signs': (size) => fill('1 (2) ', size),
  commands: (size) => fill('ls -l\n', size),
  'different commands': (size) => lines(size, (index) => `cat file${index}.txt | grep a\n`),
  'one command': (size) => `echo ${fill('"$(a)" \'b\' ; ', size)}`.slice(0, size),
  quotes: (size) => fill('"\'', size),
  backslashes: (size) => fill('\\', size),
  brackets: (size) => fill('[](', size),
  images: (size) => fill('![', size),
  tags: (size) => fill('<a href=', size),
  style: (size) => fill('<style>\\', size),
  references: (size) => fill('&#x3c;', size),
  'percent escapes': (size) => fill('%41', size),
  'percent escapes in words': (size) => fill('a%20b ', size),
  escapes: (size) => fill('\\u0041', size),
  JSON: (size) =>
    JSON.stringify(Array.from({ length: size / 24 }, (_, index) => ({ id: index, to: `a${index}` }))).slice(0, size),
  'deep JSON': (size) => fill('{"a":', size),
  lines: (size) => fill('a\n', size),
  blanks: (size) => fill(' ', size),
  paths: (size) => fill('/a', size),
  'what was read': (size, read) => read.slice(0, size),
  'words that were read, in pairs': (size, read) => {
    const words = read.slice(0, size).split(' ');
    return words
      .map((_, index) => words[(index * 7) % words.length])
      .join(' ')
      .slice(0, size);
  },
};

const list = (count, item) => Array.from({ length: count }, (_, index) => item(index));

/** Values with `count` members. */
export const VALUES = {
  'array of numbers': (count) => list(count, (index) => index),
  'array of one number': (count) => list(count, () => 1),
  'array of addresses': (count) => list(count, (index) => `a${index}@b.example`),
  'array of URLs': (count) => list(count, (index) => `https://h${index}.example/a`),
  'array of empty strings': (count) => list(count, () => ''),
  'array of empty arrays': (count) => list(count, () => []),
  'array of nulls': (count) => list(count, () => null),
  'object keys': (count) => Object.fromEntries(list(count, (index) => [`key ${index}`, index])),
  'plain object keys': (count) => Object.fromEntries(list(count, (index) => [`k${index.toString(36)}x`, true])),
};

/** A value inside `depth` arrays and objects. */
export function nested(depth) {
  let value = 'anna@home.example';
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}
