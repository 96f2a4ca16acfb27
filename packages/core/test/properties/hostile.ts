import { CONFUSABLES } from '@sallyport/decode';
import fc from 'fast-check';
import { RESERVED } from '../../src/text/reserved-names.ts';

/** The section names of the application in these tests. */
export const SECTIONS = ['mr_body', 'mr_details'] as const;

const lookAlikes = new Map<string, string[]>();
for (const [point, target] of CONFUSABLES)
  lookAlikes.set(target, [...(lookAlikes.get(target) ?? []), String.fromCodePoint(point)]);

const INVISIBLE = [
  '\u0085',
  '\u200b',
  '\u200d',
  '\u2060',
  '\u00ad',
  '\ufeff',
  '\u034f',
  '\u0000',
  '\u{e0041}',
  '\u0338',
  '\u180e',
];
const FULL_WIDTH_OFFSET = 0xfee0;

/** A way of writing a character that some reader still reads as that character. */
type Disguise = (character: string, pick: number) => string;

const DISGUISES: readonly Disguise[] = [
  (character) => character,
  (character) => character,
  (character) => character.toUpperCase(),
  (character, pick) => `${character}${INVISIBLE[pick % INVISIBLE.length]}`,
  (character) => `&#${character.codePointAt(0)};`,
  (character) => `&#x${character.codePointAt(0)?.toString(16)}`,
  (character) => `&amp;#${character.codePointAt(0)};`,
  (character) => `&#${'0'.repeat(9)}${character.codePointAt(0)};`,
  (character) => [...`&#${character.codePointAt(0)};`].map((each) => (each === '6' ? '&#54;' : each)).join(''),
  (character, pick) => {
    const same = lookAlikes.get(character);
    return same === undefined ? character : (same[pick % same.length] as string);
  },
  (character) => {
    const code = character.codePointAt(0) as number;
    return code > 32 && code < 127 ? String.fromCodePoint(code + FULL_WIDTH_OFFSET) : character;
  },
  (character) => ({ '<': '&lt;', '[': '&lsqb;', ':': '&colon;', '|': '&vert;', '/': '&sol;' })[character] ?? character,
  (character) => ({ '<': '&ltfoo;', '&': '&amp;' })[character] ?? character,
  (character) => `${character}&shy;`,
  (character) => `&#38;#${character.codePointAt(0)};`,
  (character) => `&#x26;amp;#${character.codePointAt(0)};`,
  (character) => ({ '/': '&bsol;', ' ': '&#92;' })[character] ?? character,
  (character) => `${character}\u0301`,
];

const tagNames = [...RESERVED.angle, ...RESERVED.prefix, ...SECTIONS];

const marker: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...tagNames).map((name) => `<${name}>`) },
  { weight: 4, arbitrary: fc.constantFrom(...tagNames).map((name) => `</${name}`) },
  { weight: 1, arbitrary: fc.constantFrom(...tagNames).map((name) => `< / ${name} >`) },
  { weight: 2, arbitrary: fc.constantFrom(...RESERVED.bar, ...RESERVED.angle).map((name) => `<|${name}|>`) },
  { weight: 1, arbitrary: fc.constantFrom(...RESERVED.bar).map((name) => `<| ${name} |>`) },
  { weight: 2, arbitrary: fc.constantFrom(...RESERVED.square).map((name) => `[/${name}]`) },
  { weight: 2, arbitrary: fc.constantFrom(...RESERVED.turn).map((name) => `\n\n${name}: `) },
);

const disguised: fc.Arbitrary<string> = fc
  .tuple(marker, fc.array(fc.tuple(fc.nat(DISGUISES.length - 1), fc.nat(40)), { minLength: 1, maxLength: 6 }))
  .map(([text, choices]) =>
    [...text]
      .map((character, index) => {
        const [which, pick] = choices[index % choices.length] as [number, number];
        return (DISGUISES[which] as Disguise)(character, pick);
      })
      .join(''),
  );

const plain = fc.constantFrom(
  'hello ',
  'x',
  'z\u030c',
  '-',
  '\u33a7',
  'a < b',
  'x &amp; y',
  '&',
  '&#',
  '&&',
  ';',
  '<',
  '</',
  '<|',
  '[',
  '\n',
  '\\n',
  ' ',
  '|',
);
const escapes = fc.constantFrom('~', '~x', '~x3', '~x3c~', '~x7e~', '~xd83c~', 'x3c~', '3c~', '~~x3c~', '~x110000~');
const surrogates = fc.constantFrom('\ud83c', '\udf00', '\u{1f300}', '\ud800\ud800', '\u{e0041}', '\u0338', '\u20d2');
const unicode = fc.string({ unit: 'binary', maxLength: 4 });

/** Text by an attacker who knows the source of this library. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: disguised },
      { weight: 2, arbitrary: marker },
      { weight: 2, arbitrary: plain },
      { weight: 2, arbitrary: escapes },
      { weight: 1, arbitrary: surrogates },
      { weight: 1, arbitrary: unicode },
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''));

/** Markers inside markers: what remains after a removal must not be one. */
export const nestedMarkers: fc.Arbitrary<string> = fc
  .tuple(marker, marker, fc.nat(12))
  .map(([outer, inner, at]) => outer.slice(0, at) + inner + outer.slice(at));
