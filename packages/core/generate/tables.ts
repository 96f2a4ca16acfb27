// Writes packages/decode/src/confusables.ts, packages/decode/src/entities.ts and the tables of request words and
// of words for frames. The files contain only the result, so that the library has no data dependency.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { decodeHTML } from 'entities';
import unicodeConfusables from 'unhomoglyph/data.json' with { type: 'json' };
// The package publishes a decoder but no list of names. The names are front-coded in its generated data.
import { htmlDecodeData } from '../../../node_modules/entities/dist/generated/decode-data-html.js';
import { makeOverrideWords } from '../../classifier/words/override-words.ts';
import { makeRequestWords } from '../../classifier/words/request-words.ts';
import { makeRoleLabels } from '../../classifier/words/role-labels.ts';
import { makeFrameWords } from './frame-words.ts';

const USAGE = `Usage: npx tsx packages/core/generate/tables.ts [--check]

Writes packages/decode/src/confusables.ts, packages/decode/src/entities.ts, the files in
packages/classifier/src/language/request-words, packages/classifier/src/language/override-words.ts and role-labels.ts, which
are made from packages/classifier/words, and packages/core/src/frame/words.ts, which is made from packages/core/words.

  --check  write nothing; exit 1 if a file would change
  --help   print this text`;

const LINE_WIDTH = 118;
const TARGET = /^[a-z0-9<>[\]|/_:\-.#;&~\\]$/;
const ENTITY_ALPHABET = /^[a-z0-9_.:|/#;&<>[\]\\ \n-]*$/;
// The list of WHATWG is frozen, so another count means that the front coding was misread.
const NAME_COUNT = 2125;
const LEGACY_COUNT = 106;

// Unicode maps a vertical stroke and a capital I to l. In a marker a stroke is a bar, and a capital I is an i. The other
// rows are missing in Unicode's list.
const OVERRIDES: Readonly<Record<string, string>> = {
  i: '\u0196\u0399\u0406\u04c0\u16c1\u2c92\ua4f2\u{10309}\u{1d6b0}\u{1d6ea}\u{1d724}\u{1d75e}\u{1d798}',
  '|':
    '\u00a6\u01c0\u01c1\u05c0\u2016\u2223\u2225\u23b8\u23b9\u23d0\u23fd\u2502\u2503\u258f\u2595\u2758\u2759\u275a' +
    '\u4e28\uffe8',
  '<': '\u00ab\u226a\u227a\u2329\u25c1\u276c\u2770\u27e8\u27ea\u2991\u29fc\u3008\u300a\ufe3d\ufe3f',
  '>': '\u00bb\u226b\u227b\u232a\u25b7\u276d\u2771\u27e9\u27eb\u2992\u29fd\u3009\u300b\ufe3e\ufe40',
  '[': '\u2045\u2772\u27e6\u27ec\u298b\u298d\u298f\u2997\u3010\u3014\u3016\u3018\u301a',
  ']': '\u2046\u2773\u27e7\u27ed\u298c\u298e\u2990\u2998\u3011\u3015\u3017\u3019\u301b',
  _: '\u02cd\u203f\u2040\u2581',
  '#': '\u22d5\u2317\u266f',
  ';': '\u204f',
  '&': '\u{1f674}\u{1f675}',
};

// Small capitals, letters with a stroke, hook, curl or tail, and a few look-alikes that Unicode's list lacks. Their capitals
// are added by closeOverCase below.
const LETTER_VARIANTS: Readonly<Record<string, string>> = {
  a: '\u1d00\u1d8f\u2c65',
  b: '\u0180\u0183\u0253\u0299\u1d6c\u1d80\ua797',
  c: '\u0188\u023c\u0255\u1d04\ua793\ua794\u{1df1d}',
  d: '\u0111\u018c\u0221\u0256\u0257\u1d05\u1d6d\u1d81\u1d91\ua7c8',
  e: '\u0247\u025b\u0454\u0511\u1d07\u1d92\u2c78\u2c89\uab32\uab33\uab34',
  f: '\u0192\u1d6e\u1d82\ua730\ua799\uab35',
  g: '\u01e5\u0260\u0261\u0262\u029b\u1d83\ua7a1',
  h: '\u0127\u0266\u029c\u2c68\ua795',
  i: '\u0268\u026a\u1d96\u{1df1a}',
  j: '\u0237\u0249\u025f\u0284\u029d\u0575\u1d0a',
  k: '\u0199\u1d0b\u1d84\u2c6a\ua741\ua743\ua745\ua7a3',
  l: '\u0142\u019a\u0234\u026b\u026c\u026d\u029f\u1d0c\u1d85\u2c61\ua749\ua78e\uab37\uab38\uab39\u{1df04}\u{1df11}',
  m: '\u0271\u1d0d\u1d6f\u1d86\uab3a',
  n: '\u019e\u0235\u0272\u0273\u0274\u1d70\u1d87\ua791\ua7a5\uab3b',
  o: '\u00f8\u01ff\u0275\u03c2\u1d0f\u2c7a\ua74b\ua74d\uab3d\u{1df1b}',
  p: '\u01a5\u1d18\u1d71\u1d7d\u1d88\ua751\ua753\ua755',
  q: '\u024b\u02a0\ua757\ua759\ua7af',
  r: '\u024d\u027c\u027d\u027e\u0280\u1d72\u1d73\u1d89\ua7a7\uab46\uab49\uab4b\u{1df16}',
  s: '\u023f\u0282\u1d74\u1d8a\ua731\ua7a9\ua7ca\u{1df1e}',
  t: '\u0167\u01ab\u01ad\u0236\u0288\u1d1b\u1d75\u2c66\u{1df09}',
  u: '\u0289\u1d1c\u1d99\ua7b9\uab4e\uab52',
  v: '\u028b\u1d20\u1d8c\u2c71\u2c74\ua75f',
  w: '\u03c9\u1d21\u2c73',
  x: '\u1d8d\uab56\uab57\uab58\uab59',
  y: '\u01b4\u024f\u028f\u1eff\uab5a',
  z: '\u01b6\u0225\u0240\u0290\u0291\u1d22\u1d76\u1d8e\u2c6c',
};

// Negative circled and negative squared letters, and regional indicators: each run is A to Z.
const ALPHABET_RUNS: readonly number[] = [0x1f150, 0x1f170, 0x1f1e6];

const simpleFold = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');

const isAscii = (text: string): boolean => !/\P{ASCII}/u.test(text);
const isSingle = (text: string): boolean => Array.from(text).length === 1;
const codePointOf = (character: string): number => Number(character.codePointAt(0));

function makeConfusables(): Map<number, string> {
  const table = new Map<number, string>();
  const add = (source: string, target: string): void => {
    const codePoint = codePointOf(source);
    if (isSingle(source) && !isAscii(simpleFold(source)) && !table.has(codePoint)) table.set(codePoint, target);
  };
  // A letter and its other case must not get different targets just because Unicode lists only one of the two.
  const closeOverCase = (): void => {
    // The iterator of a Map visits entries that are added during the iteration, so this runs until nothing is left to add.
    for (const [codePoint, target] of table) {
      const source = String.fromCodePoint(codePoint);
      for (const partner of [simpleFold(source), source.toLowerCase(), source.toUpperCase()]) add(partner, target);
    }
  };

  const addByHand = (rows: Readonly<Record<string, string>>): void => {
    for (const [target, sources] of Object.entries(rows)) {
      const needless = Array.from(sources).filter((source) => isAscii(simpleFold(source)));
      if (needless.length > 0)
        throw new Error(
          `remove from the lists, because folding handles them: ${needless.map(escapeCharacter).join('')}`,
        );
      for (const source of sources) add(source, target);
    }
  };

  addByHand(OVERRIDES);
  for (let codePoint = 0x80; codePoint <= 0x10ffff; codePoint++) {
    const source = String.fromCodePoint(codePoint);
    if (/\p{Pd}/u.test(source)) add(source, '-');
  }
  for (const [source, target] of Object.entries(unicodeConfusables))
    if (TARGET.test(target.toLowerCase())) add(source, target.toLowerCase());
  addByHand(LETTER_VARIANTS);
  for (const start of ALPHABET_RUNS)
    for (const [index, letter] of Array.from('abcdefghijklmnopqrstuvwxyz').entries())
      add(String.fromCodePoint(start + index), letter);
  closeOverCase();
  // Unicode maps a stroked letter to a base letter and an overlay. This is last, because the other case is better evidence.
  for (const [source, target] of Object.entries(unicodeConfusables)) {
    const isStroked = /^\p{L}$/u.test(source) && /^\P{M}\p{Mn}+$/u.test(target) && TARGET.test(simpleFold(target));
    const folded = simpleFold(source);
    const foldTarget = isSingle(folded) ? table.get(codePointOf(folded)) : undefined;
    if (isStroked) add(source, foldTarget ?? simpleFold(target));
  }
  closeOverCase();
  return table;
}

function readReferenceNames(): string[] {
  const [data] = htmlDecodeData;
  const headerNumber = (index: number): number =>
    ((data.charCodeAt(index) - 0x30) << 6) | (data.charCodeAt(index + 1) - 0x30);
  const names: string[] = [];
  let suffixStart = 6;
  const metaStart = suffixStart + headerNumber(2);
  for (let index = 0; index < headerNumber(0); index++) {
    const sharedLength = (data.charCodeAt(metaStart + 2 * index) - 0x23) & 31;
    const suffixLength = (data.charCodeAt(metaStart + 2 * index + 1) - 0x23) & 31;
    const shared = (names.at(-1) ?? '').slice(0, sharedLength);
    names.push(shared + data.slice(suffixStart, suffixStart + suffixLength));
    suffixStart += suffixLength;
  }
  const unknown = names.filter((name) => decodeHTML(`&${name};`).includes(name));
  if (names.length !== NAME_COUNT || unknown.length > 0)
    throw new Error(`expected ${NAME_COUNT} entity names; received ${names.length}, not decoded: ${unknown.join(' ')}`);
  return names;
}

interface Entities {
  readonly values: ReadonlyMap<string, string>;
  readonly legacy: ReadonlySet<string>;
}

function makeEntities(confusables: ReadonlyMap<number, string>): Entities {
  const fold = (text: string): string =>
    Array.from(text, simpleFold)
      .flatMap((folded) => Array.from(folded))
      .map((character) => confusables.get(codePointOf(character)) ?? character)
      .join('')
      .replace(/[^\S\n]/g, ' ');
  // Higher is more dangerous. A character that is not listed gets -1.
  const danger = (value: string): number => Math.max(...Array.from(value, (character) => '&[<'.indexOf(character)));

  const values = new Map<string, string>();
  const legacyNames: string[] = [];
  for (const name of readReferenceNames()) {
    const decoded = decodeHTML(`&${name};`);
    if (decodeHTML(`&${name}`) === decoded) legacyNames.push(name.toLowerCase());
    const value = fold(decoded);
    const present = values.get(name.toLowerCase());
    if (!ENTITY_ALPHABET.test(value)) continue;
    if (present === undefined || danger(value) > danger(present)) values.set(name.toLowerCase(), value);
  }
  if (legacyNames.length !== LEGACY_COUNT)
    throw new Error(`expected ${LEGACY_COUNT} legacy names; received ${legacyNames.length}`);
  return { values, legacy: new Set(legacyNames.filter((name) => values.has(name))) };
}

const escapeCharacter = (character: string): string => {
  const hex = codePointOf(character).toString(16);
  if (character === '\n') return '\\n';
  if (character === '\\') return '\\\\';
  if (isAscii(character)) return character;
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
};

function wrap(words: readonly string[], separator: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)}${separator}${word}`;
    if (lines.length > 0 && longer.length <= width) lines.splice(-1, 1, longer);
    else lines.push(word);
  }
  return lines;
}

function groupByValue<Key>(table: ReadonlyMap<Key, string>): [string, Key[]][] {
  const groups = new Map<string, Key[]>();
  for (const [key, value] of table) groups.set(value, [...(groups.get(value) ?? []), key]);
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
}

function printConfusables(table: ReadonlyMap<number, string>): string {
  const rows = groupByValue(table).flatMap(([target, sources]) => {
    const characters = sources.sort((left, right) => left - right).map((source) => String.fromCodePoint(source));
    const head = escapeCharacter(target);
    const lines = wrap(characters.map(escapeCharacter), '', LINE_WIDTH - 5 - head.length);
    return lines.map((line) => `  '${head}${line}',`);
  });
  return `// Characters that look like an ASCII character and that NFKD, case folding and removing marks do not convert to it.
// Made by \`npx tsx packages/core/generate/tables.ts\`; change it there. Origin: Unicode's confusables (UTS #39) by way of the
// \`unhomoglyph\` dev dependency, with brackets, bars and letter variants that Unicode's list lacks.

// The first character of a row is the target, the others are its look-alikes. A target may have several rows.
const ROWS: readonly string[] = [
${rows.join('\n')}
];

/** The ASCII character that each code point looks like. */
export const CONFUSABLES: ReadonlyMap<number, string> = new Map(
  ROWS.flatMap((row) =>
    Array.from(row.slice(1), (source): [number, string] => [Number(source.codePointAt(0)), row.charAt(0)]),
  ),
);
`;
}

function printEntities({ values, legacy }: Entities): string {
  const rows = groupByValue(values).flatMap(([value, names]) => {
    const head = Array.from(value, escapeCharacter).join('');
    return wrap(names.sort(), ' ', LINE_WIDTH - 11 - head.length).map((line) => `  ['${head}', '${line}'],`);
  });
  const legacyRows = wrap([...legacy].sort(), ' ', LINE_WIDTH - 5).map((line) => `  '${line}',`);
  return `// HTML's named character references whose folded value consists of characters that a marker can contain.
// Made by \`npx tsx packages/core/generate/tables.ts\`; change it there. Origin: WHATWG's named character references by way of
// the \`entities\` dev dependency, each value folded with the table in confusables.ts.

// HTML distinguishes names by case and this table does not. If two names are equal in lower case, the value with <, else
// with [, else with & is used. That reports too many markers on purpose, since readers of the text differ on case too.
const ROWS: readonly (readonly [value: string, names: string])[] = [
${rows.join('\n')}
];

const LEGACY_ROWS: readonly string[] = [
${legacyRows.join('\n')}
];

/**
 * The folded values of HTML's named character references, by lower-case name without the ampersand and the semicolon.
 *
 * @example
 * \`\`\`ts
 * NAMED_ENTITIES.get('lt'); // '<'
 * \`\`\`
 */
export const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map(
  ROWS.flatMap(([value, names]) => names.split(' ').map((name): [string, string] => [name, value])),
);

/** The names that HTML decodes without a semicolon too. */
export const LEGACY_ENTITIES: ReadonlySet<string> = new Set(LEGACY_ROWS.flatMap((row) => row.split(' ')));
`;
}

function main(options: readonly string[]): number {
  const unknown = options.filter((option) => option !== '--check' && option !== '--help');
  if (unknown.length > 0) {
    console.error(`unknown option: ${unknown.join(' ')}\n\n${USAGE}`);
    return 2;
  }
  if (options.includes('--help')) {
    console.log(USAGE);
    return 0;
  }
  const confusables = makeConfusables();
  const entities = makeEntities(confusables);
  const files: readonly [path: string, text: string, size: string][] = [
    ['packages/decode/src/confusables.ts', printConfusables(confusables), `${confusables.size} characters`],
    [
      'packages/decode/src/entities.ts',
      printEntities(entities),
      `${entities.values.size} names, ${entities.legacy.size} legacy`,
    ],
    ...makeRequestWords(),
    makeOverrideWords(),
    makeRoleLabels(),
    makeFrameWords(),
  ];
  let stale = 0;
  for (const [path, text, size] of files) {
    const location = new URL(`../../../${path}`, import.meta.url);
    const current = existsSync(location) ? readFileSync(location, 'utf8') : '';
    if (!options.includes('--check')) writeFileSync(location, text);
    else if (current !== text) stale++;
    const state = options.includes('--check') ? (current === text ? 'OK' : 'STALE') : 'written';
    console.log(`${state} - ${path}: ${size}`);
  }
  return stale === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
