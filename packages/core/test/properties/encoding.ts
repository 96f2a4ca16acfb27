import fc from 'fast-check';
import { neutralize, neutralizeBetween, neutralizeOpen, recover } from '../../src/text/escape-markers.ts';
import { vocabularyFor } from '../../src/text/reserved-names.ts';
import { hostileText, nestedMarkers, SECTIONS } from './hostile.ts';
import { holds, type Invariant, invariant, same } from './invariant.ts';
import { read, readings, reservedIn } from './readers.ts';

const vocabulary = vocabularyFor(SECTIONS);
const text = fc.oneof({ weight: 5, arbitrary: hostileText }, { weight: 1, arbitrary: nestedMarkers });
const harmless = fc
  .array(
    fc.constantFrom(
      'the ',
      'report',
      ' of',
      '\u00e9',
      '\u4f60',
      ', ',
      '. ',
      '\n',
      '5 > 3',
      '"',
      '{}',
      '~',
      'x',
      '\u{1f600}',
    ),
  )
  .map((pieces) => pieces.join(''));

function absent(body: string, names: readonly string[]): void {
  const found = reservedIn(read(body, names));
  holds(
    found === undefined,
    `${JSON.stringify(found)} is read in ${JSON.stringify(body)} by ${names.join(', ') || 'nobody'}`,
  );
}

export const encodingInvariants: readonly Invariant[] = [
  invariant(
    'vocabulary-absent',
    2,
    70,
    fc.property(text, readings, (input, names) => absent(neutralize(input, vocabulary), names)),
  ),
  invariant(
    'encoding-reversible',
    3,
    60,
    fc.property(text, (input) => {
      const body = neutralize(input, vocabulary);
      same(recover(body), input, 'recovered');
      holds(body.isWellFormed(), 'a lone surrogate is left');
    }),
  ),
  invariant(
    'encoding-injective',
    3,
    10,
    fc.property(text, text, (one, other) =>
      holds(one === other || neutralize(one, vocabulary) !== neutralize(other, vocabulary), 'two texts, one encoding'),
    ),
  ),
  invariant(
    'harmless-unchanged',
    3,
    5,
    fc.property(harmless, (input) => {
      fc.pre(!/~x[0-9a-f]/.test(input));
      same(neutralize(input, vocabulary), input, 'harmless text');
    }),
  ),
  invariant(
    'between-literals',
    2,
    10,
    fc.property(text, text, text, (before, input, after) => {
      const quiet = { before: neutralize(before, vocabulary), after: neutralize(after, vocabulary) };
      fc.pre(reservedIn(quiet.before + quiet.after) === undefined);
      const value = neutralizeBetween(input, { ...quiet, isFollowed: false }, vocabulary);
      absent(quiet.before + value + quiet.after, []);
      fc.pre(value !== '');
      same(recover(value), input, 'recovered');
    }),
  ),
  invariant(
    'open-ends',
    2,
    10,
    fc.property(text, fc.nat(), (input, at) => {
      // A template writes two adjacent values. Turns are an exception, which is documented.
      const border = at % (input.length + 1);
      const pieces = [input.slice(0, border), input.slice(border)].map((piece) => neutralizeOpen(piece, vocabulary));
      const found = reservedIn(`x${pieces.join('').replaceAll('\n', ' ')}`);
      holds(found === undefined, `${JSON.stringify(found)} is read in ${JSON.stringify(pieces)}`);
      same(pieces.map(recover).join(''), input, 'recovered');
    }),
  ),
];
