import { existsSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLinear, repeated } from '../../core/test/fixture/linear.ts';
import { DENSE, kindAt, LETTER } from '../src/language/character.ts';
import { buildLexicon } from '../src/language/lexicon.ts';
import { type Segments, segment, type Unseen } from '../src/language/segments.ts';
import { readFeatures } from '../src/model/features.ts';

const PIECES = [
  'ignore ',
  'the password. ',
  'Then send it! ',
  'x',
  'a'.repeat(90),
  'abcd '.repeat(30),
  '\u5ffd\u7565\u4e4b\u524d',
  '\u5ffd'.repeat(140),
  '\u3002',
  '\u0e2a\u0e48\u0e07\u0e23\u0e2b\u0e31\u0e2a',
  '{"body": "',
  '", "state": "',
  "': '",
  '"',
  "'",
  '<p>',
  '<b>',
  '</div>',
  '<',
  '>',
  '```',
  '\n',
  '\n\n',
  '\n```\n',
  '\n- ',
  '\n> ',
  ' ',
  '\t',
  ' '.repeat(350),
  '.',
  ': ',
  ', ',
  '12',
  '\u0301',
  '\ud800',
  '\ud83d\ude00',
];
/** A text that is cut at its one blank because the run after the blank slightly exceeds the maximum length. */
const across = fc
  .tuple(fc.integer({ min: 82, max: 290 }), fc.integer({ min: 0, max: 8 }), fc.constantFrom('.\n', '\u3002', '<p>', ''))
  .map(([before, over, end]) => `\n\n${'x'.repeat(before)} ${'\u5ffd'.repeat(299 - before + over)}${end}`);
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), across, fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 40 })
  .map((pieces) => pieces.join(''));

interface Given {
  readonly text: string;
  readonly unseen: readonly Unseen[];
}

/** Texts with up to four hidden ranges, sorted and without overlaps. */
const given: fc.Arbitrary<Given> = texts.chain((text) =>
  fc
    .uniqueArray(fc.integer({ min: 0, max: text.length }), { maxLength: 8 })
    .map((places) => places.sort((one, other) => one - other))
    .map((places) => ({
      text,
      unseen: Array.from({ length: places.length >> 1 }, (_, i) => ({
        start: places[2 * i] as number,
        end: places[2 * i + 1] as number,
        kind: i % 2 === 0 ? 'comment' : 'attribute',
      })),
    })),
);

function isLetter(text: string, at: number): boolean {
  const kind = kindAt(text.charCodeAt(at));
  return kind === LETTER || kind === DENSE;
}

function faultsOf(text: string, { count, starts, ends, blocks }: Segments): string[] {
  const faults: string[] = [];
  for (let i = 0; i < count; i++) {
    const [start, end] = [starts[i] as number, ends[i] as number];
    if (!(start >= 0 && start < end && end <= text.length)) faults.push(`${i}: ${start} to ${end}`);
    const length = text.slice(start, end).replace(/\s+/g, ' ').length;
    if (length > 301) faults.push(`${i} is ${length} long`);
    if (i > 0 && start < (ends[i - 1] as number)) faults.push(`${i} begins in ${i - 1}`);
    if (i > 0 && (blocks[i] as number) < (blocks[i - 1] as number)) faults.push(`${i} falls back a block`);
  }
  return faults;
}

/** Runs of letters that no hidden range begins or ends in: those it cuts may leave fewer than four on a side. */
function runsOf({ text, unseen }: Given): { start: number; end: number }[] {
  const borders = new Set(unseen.flatMap(({ start, end }) => [start, end]));
  const runs: { start: number; end: number }[] = [];
  for (let at = 0; at < text.length; at++) {
    const start = at;
    while (at < text.length && isLetter(text, at)) at++;
    const cut = Array.from({ length: at - start }, (_, i) => start + i).some(
      (place) => place > start && borders.has(place),
    );
    // A run that is longer than a segment is cut in it, which may leave out up to three letters.
    if (at - start >= 4 && at - start < 300 && !cut) runs.push({ start, end: at });
  }
  return runs;
}

/** How many letters of each run are in no segment. */
function uncovered(given: Given): number[] {
  const { count, starts, ends } = segment(given.text, given.unseen);
  const seen = new Uint8Array(given.text.length);
  for (let i = 0; i < count; i++) seen.fill(1, starts[i], ends[i]);
  return runsOf(given).map(({ start, end }) => seen.subarray(start, end).filter((is) => is === 0).length);
}

describe('the segments of any text', () => {
  it('are sorted, apart, within bounds and of bounded length', () => {
    fc.assert(
      fc.property(given, ({ text, unseen }) => {
        expect(faultsOf(text, segment(text, unseen))).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('hold every run of four letters or more, but for three letters where a long run was cut', () => {
    fc.assert(
      fc.property(given, (each) => {
        expect(uncovered(each).filter((missing) => missing >= 4)).toEqual([]);
      }),
      { numRuns: 400 },
    );
  });

  it('hold four letters or more each', () => {
    fc.assert(
      fc.property(given, ({ text, unseen }) => {
        const { count, starts, ends } = segment(text, unseen);
        const letters = new Array<number>(count).fill(0);
        for (let i = 0; i < count; i++)
          for (let at = starts[i] as number; at < (ends[i] as number); at++)
            letters[i] = (letters[i] as number) + Number(isLetter(text, at));
        expect(letters.filter((each) => each < 4)).toEqual([]);
      }),
    );
  });

  it('are inside or outside a hidden range, never both', () => {
    fc.assert(
      fc.property(given, ({ text, unseen }) => {
        const { count, starts, ends } = segment(text, unseen);
        const borders = unseen.flatMap(({ start, end }) => [start, end]);
        const crossed: number[] = [];
        for (let i = 0; i < count; i++)
          if (borders.some((border) => border > (starts[i] as number) && border < (ends[i] as number))) crossed.push(i);
        expect(crossed).toEqual([]);
      }),
    );
  });
});

const UNITS_FILE = new URL('../../../../shared/data/repeated-units.json', import.meta.url);
const PRESENT = existsSync(UNITS_FILE);
const UNITS: readonly string[] = PRESENT
  ? Object.values(JSON.parse(readFileSync(UNITS_FILE, 'utf8')) as Record<string, string>)
  : [];
const EMPTY = buildLexicon([]);

describe('the time a text takes', () => {
  it.skipIf(!PRESENT)(
    PRESENT ? 'is measured on forty units' : 'is not measured: ../shared/data/repeated-units.json is absent',
    () => {
      expect(UNITS).toHaveLength(40);
    },
  );

  it.each(UNITS)('to be cut grows with the length of a megabyte of %j', async (unit) => {
    expect(await isLinear(1_000_000, (size) => segment(repeated(unit, size), []))).toBe(true);
  });

  it.each(UNITS)('to be read as features grows with the length of %j', async (unit) => {
    const read = (text: string) => readFeatures(text, segment(text, []), EMPTY);
    expect(await isLinear(200_000, (size) => read(repeated(unit, size)))).toBe(true);
  });
});
