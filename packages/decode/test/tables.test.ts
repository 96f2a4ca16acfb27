import { decodeHTML } from 'entities';
import { describe, expect, it } from 'vitest';
// The package publishes a decoder but no list of names. The names are front-coded in its generated data.
import { htmlDecodeData } from '../../../node_modules/entities/dist/generated/decode-data-html.js';
import { CONFUSABLES } from '../src/confusables.ts';
import { LEGACY_ENTITIES, NAMED_ENTITIES } from '../src/entities.ts';

// Written out here instead of imported: a table made with a wrong fold must not be tested with the same wrong fold.
const simpleFold = (text: string): string =>
  text
    .normalize('NFKD')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '');

const lookUp = (character: string): string => CONFUSABLES.get(Number(character.codePointAt(0))) ?? character;

const fold = (text: string): string =>
  Array.from(text, (character) => Array.from(simpleFold(character), lookUp).join(''))
    .join('')
    .replace(/[^\S\n]/g, ' ');

function readReferenceNames(): string[] {
  const [data] = htmlDecodeData;
  const numberAt = (index: number): number =>
    (data.charCodeAt(index) - 0x30) * 64 + (data.charCodeAt(index + 1) - 0x30);
  const metaStart = 6 + numberAt(2);
  const names: string[] = [];
  let previous = '';
  let start = 6;
  for (let meta = metaStart; meta < metaStart + 2 * numberAt(0); meta += 2) {
    const end = start + ((data.charCodeAt(meta + 1) - 0x23) & 31);
    previous = previous.slice(0, (data.charCodeAt(meta) - 0x23) & 31) + data.slice(start, end);
    names.push(previous);
    start = end;
  }
  return names;
}

const KEPT = /^[a-z0-9_.:|/#;&<>[\]\\ \n-]*$/;
const names = readReferenceNames();
const decode = (name: string): string => decodeHTML(`&${name};`);
const kept = names.filter((name) => KEPT.test(fold(decode(name))));

describe('CONFUSABLES', () => {
  it('maps non-ASCII code points to one ASCII character each', () => {
    expect([...CONFUSABLES.keys()].filter((codePoint) => codePoint < 0x80)).toEqual([]);
    expect([...CONFUSABLES.values()].filter((target) => !/^[\x21-\x7e]$/.test(target))).toEqual([]);
    expect(CONFUSABLES.size).toBeGreaterThan(1200);
  });

  it('leaves out characters that the simple fold already converts to ASCII', () => {
    const needless = [...CONFUSABLES.keys()].filter(
      (codePoint) => !/\P{ASCII}/u.test(simpleFold(String.fromCodePoint(codePoint))),
    );
    expect(needless).toEqual([]);
    expect(CONFUSABLES.has(0xff1c)).toBe(false);
  });

  it('gives both cases of a letter a target', () => {
    const missing = [...CONFUSABLES.keys()].filter((codePoint) => {
      const source = String.fromCodePoint(codePoint);
      return [source.toLowerCase(), source.toUpperCase(), simpleFold(source)].some(
        (partner) =>
          Array.from(partner).length === 1 &&
          /\P{ASCII}/u.test(simpleFold(partner)) &&
          !CONFUSABLES.has(Number(partner.codePointAt(0))),
      );
    });
    expect(missing).toEqual([]);
  });

  it.each([
    ['a', '\u0430\u0410\u03b1\u1d00\u0251'],
    ['b', '\u0412\u0432\u0299\u0180'],
    ['e', '\u0435\u0454\u03b5\u1d07\u0247'],
    ['i', '\u0406\u0399\u04c0\u0456\u026a\u0268'],
    ['l', '\u0142\u0141\u029f'],
    ['o', '\u043e\u03bf\u00f8\u00d8'],
    ['s', '\u0455\ua731\u{1f1f8}\u{1f162}\u{1f182}'],
    ['<', '\u00ab\u02c2\u1438\u16b2\u2039\u2329\u276c\u276e\u2770\u27e8\u27ea\u29fc\u3008\u300a\ufe3f'],
    ['>', '\u00bb\u02c3\u1433\u203a\u232a\u276d\u276f\u2771\u27e9\u27eb\u29fd\u3009\u300b\ufe40'],
    ['[', '\u2045\u2772\u27e6\u3010\u3014\u3016'],
    [']', '\u2046\u2773\u27e7\u3011\u3015\u3017'],
    ['|', '\u01c0\u05c0\u2016\u2223\u23b8\u23b9\u23d0\u23fd\u2502\u2503\u2758\u2759\u275a\u4e28\uffe8'],
    ['_', '\u203f\u2040\u2581'],
    ['/', '\u1735\u2044\u2215\u2571\u29f8\u2cc6\u3033'],
    [':', '\u02d0\u02f8\u0589\u05c3\u1803\u1809\u2236\ua4fd\ua789'],
    ['-', '\u02d7\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u301c\ufe58'],
    ['\\', '\u2216'],
    ['#', '\u266f'],
  ])('maps every listed look-alike to %s', (target, sources) => {
    expect(Array.from(sources, lookUp)).toEqual(Array.from(sources, () => target));
  });
});

describe('NAMED_ENTITIES', () => {
  it('is tested with all WHATWG names', () => {
    expect(names.length).toBe(2125);
    expect(names.filter((name) => decode(name).includes(name))).toEqual([]);
    expect(kept.length).toBeGreaterThan(650);
  });

  it('contains exactly the names whose value folds to the kept alphabet', () => {
    expect([...NAMED_ENTITIES.keys()].sort()).toEqual([...new Set(kept.map((name) => name.toLowerCase()))].sort());
    expect(NAMED_ENTITIES.size).toBeGreaterThan(450);
  });

  it('gives each name the most dangerous of its values', () => {
    for (const lowerName of new Set(kept.map((name) => name.toLowerCase()))) {
      const spellings = kept.filter((name) => name.toLowerCase() === lowerName);
      const values = spellings.map((spelling) => fold(decode(spelling)));
      const dangerous = ['<', '[', '&'].find((mark) => values.includes(mark));
      const allowed = dangerous === undefined ? values : [dangerous];
      expect(allowed, lowerName).toContain(NAMED_ENTITIES.get(lowerName));
    }
  });

  it.each([
    ['lt', '<'],
    ['nvlt', '<'],
    ['laquo', '<'],
    ['gt', '>'],
    ['lsqb', '['],
    ['lbrack', '['],
    ['amp', '&'],
    ['verbar', '|'],
    ['lowbar', '_'],
    ['sol', '/'],
    ['colon', ':'],
    ['num', '#'],
    ['semi', ';'],
    ['hyphen', '-'],
    ['newline', '\n'],
    ['tab', ' '],
    ['nbsp', ' '],
    ['shy', ''],
    ['zerowidthspace', ''],
    ['aacute', 'a'],
    ['iukcy', 'i'],
    ['fflig', 'ff'],
    ['frac12', '1/2'],
  ])('folds %s', (name, value) => {
    expect(NAMED_ENTITIES.get(name)).toBe(value);
  });

  it('has no name whose value cannot be part of a marker', () => {
    expect(['copy', 'quot', 'equals', 'rarr'].filter((name) => NAMED_ENTITIES.has(name))).toEqual([]);
  });
});

describe('LEGACY_ENTITIES', () => {
  it('contains the kept names that HTML decodes without a semicolon', () => {
    const legacy = kept.filter((name) => decodeHTML(`&${name}`) === decode(name)).map((name) => name.toLowerCase());
    expect([...LEGACY_ENTITIES].sort()).toEqual([...new Set(legacy)].sort());
    expect(LEGACY_ENTITIES.size).toBeGreaterThan(45);
  });

  it('contains lt, which needs no semicolon, but not lang, which needs one', () => {
    expect(['lt', 'gt', 'amp', 'nbsp', 'shy', 'aacute'].filter((name) => !LEGACY_ENTITIES.has(name))).toEqual([]);
    expect(LEGACY_ENTITIES.has('lang')).toBe(false);
  });
});
