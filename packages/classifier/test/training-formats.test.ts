import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cutAt,
  FORMAT_NAMES,
  FORMATS,
  type FormatName,
  quotedPrintable,
  wrap,
} from '../../../training/compose/formats.ts';
import { CLOSE, OPEN, unmark } from '../../../training/compose/insert.ts';
import { Random } from '../../../training/random.ts';

const words = fc.constantFrom(
  'a',
  'send',
  'report,',
  'quarterly',
  '(Monday)',
  '\u00fcber',
  '\u0437\u0430\u0432\u0442\u0440\u0430',
);
const lines = fc.array(words, { maxLength: 60 }).map((each) => each.join(' '));
/** Texts of several lines, with single blanks between their words. */
const texts = fc.array(lines, { minLength: 1, maxLength: 6 }).map((each) => each.join('\n'));
const widths = fc.integer({ min: 12, max: 100 });

const withoutMarks = (text: string): string => text.replaceAll(OPEN, '').replaceAll(CLOSE, '');
const lettersOf = (text: string): string => text.replace(/[^a-z]/gi, '');
const widest = (text: string): number => Math.max(...text.split('\n').map((line) => line.length));

/** Marks before and after some of the words, as they are around a planted part. */
const marked = fc.tuple(texts, fc.nat(), fc.nat()).map(([text, one, other]) => {
  const places = [0, ...[...text.matchAll(/[ \n]/g)].map(({ index }) => index + 1)];
  const [first, second] = [one, other].map((place) => place % places.length).sort((a, b) => a - b) as [number, number];
  const start = places[first] as number;
  const end = Math.max(start, (places[second + 1] ?? text.length + 1) - 1);
  return { text, whole: `${text.slice(0, start)}${OPEN}${text.slice(start, end)}${CLOSE}${text.slice(end)}` };
});

describe('a wrapped text', () => {
  it('has no line that is wider than asked, and as few lines as that allows', () => {
    fc.assert(
      fc.property(texts, widths, (text, width) => {
        const wrapped = wrap(text, width);
        expect(widest(wrapped)).toBeLessThanOrEqual(width);
        expect(wrapped.replaceAll('\n', ' ')).toBe(text.replaceAll('\n', ' '));
        for (const line of text.split('\n')) {
          const pieces = wrap(line, width).split('\n');
          for (const [i, piece] of pieces.slice(1).entries())
            expect((pieces[i] as string).length + 1 + (piece.split(' ')[0] as string).length).toBeGreaterThan(width);
        }
      }),
    );
  });

  it.each([
    { title: 'breaks at a blank', text: 'one two three', width: 7, expected: 'one two\nthree' },
    { title: 'stays as it is if it fits', text: 'one  two', width: 8, expected: 'one  two' },
    { title: 'keeps its own line breaks', text: 'one\n\ntwo three', width: 5, expected: 'one\n\ntwo\nthree' },
    {
      title: 'leaves a word that is too long whole',
      text: 'a incomprehensible b',
      width: 5,
      expected: 'a\nincomprehensible\nb',
    },
    {
      title: 'does not count marks',
      text: `one ${OPEN}two${CLOSE} three`,
      width: 7,
      expected: `one ${OPEN}two${CLOSE}\nthree`,
    },
  ])('$title', ({ text, width, expected }) => {
    expect(wrap(text, width)).toBe(expected);
  });

  it('breaks where it would without marks', () => {
    fc.assert(
      fc.property(marked, widths, ({ text, whole }, width) => {
        expect(withoutMarks(wrap(whole, width))).toBe(wrap(text, width));
      }),
    );
  });
});

describe('a text that is cut at a column', () => {
  it('has lines of that width, but for the last', () => {
    fc.assert(
      fc.property(lines, widths, (line, width) => {
        const pieces = cutAt(line, width).split('\n');
        for (const piece of pieces.slice(0, -1)) expect(piece).toHaveLength(width);
        expect((pieces.at(-1) as string).length).toBeLessThanOrEqual(width);
        expect(pieces.join('')).toBe(line);
      }),
    );
  });

  it('keeps its own line breaks, and is cut where it would be without marks', () => {
    expect(cutAt('abcdef\ngh\n\nijk', 4)).toBe('abcd\nef\ngh\n\nijk');
    expect(cutAt(`ab${OPEN}cd${CLOSE}ef`, 4)).toBe(`ab${OPEN}cd${CLOSE}\nef`);
    fc.assert(
      fc.property(marked, widths, ({ text, whole }, width) => {
        expect(withoutMarks(cutAt(whole, width))).toBe(cutAt(text, width));
      }),
    );
  });
});

function readPrintable(text: string): string {
  return text
    .replaceAll('=\n', '')
    .replace(/(?:=[0-9A-F]{2})+/g, (codes) => Buffer.from(codes.replaceAll('=', ''), 'hex').toString('utf8'));
}

describe('quoted-printable', () => {
  const anything = fc.string({ unit: 'binary', maxLength: 200 }).map((text) => withoutMarks(text));

  it('is ASCII in lines of at most 76, and decodes to what it was made of', () => {
    fc.assert(
      fc.property(anything, fc.constantFrom('', 'The report is for B\u00f6b = 3 \u20ac. '.repeat(9)), (text, long) => {
        const written = quotedPrintable(`${long}${text}`);
        expect(written).toMatch(/^[\n -~]*$/);
        expect(widest(written)).toBeLessThanOrEqual(76);
        expect(readPrintable(written)).toBe(`${long}${text}`);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    { title: 'an equals sign', text: 'a=b', expected: 'a=3Db' },
    { title: 'a letter of two bytes', text: '\u00fc', expected: '=C3=BC' },
    { title: 'a pair of units', text: '\ud83d\ude00', expected: '=F0=9F=98=80' },
    { title: 'a line break of its own', text: 'a\nb', expected: 'a\nb' },
    { title: 'a line of 75', text: 'a'.repeat(75), expected: 'a'.repeat(75) },
    { title: 'a line of 76', text: 'a'.repeat(76), expected: `${'a'.repeat(75)}=\na` },
    { title: 'a code that does not fit', text: `${'a'.repeat(73)}\u00fc`, expected: `${'a'.repeat(73)}=\n=C3=BC` },
    { title: 'marks', text: `${OPEN}\u00fc${CLOSE}`, expected: `${OPEN}=C3=BC${CLOSE}` },
  ])('writes $title', ({ text, expected }) => {
    expect(quotedPrintable(text)).toBe(expected);
  });

  it('breaks where it would without marks', () => {
    fc.assert(
      fc.property(marked, ({ text, whole }) => {
        expect(withoutMarks(quotedPrintable(whole))).toBe(quotedPrintable(text));
      }),
    );
  });
});

/** A part of a formatted text as it was, but for blanks. */
const UNDONE: Readonly<Record<FormatName, (text: string) => string>> = {
  plain: (text) => text,
  yaml: (text) => text,
  mail: (text) => text,
  printable: readPrintable,
  json: (text) => JSON.parse(`"${text}"`) as string,
  quote: (text) => text.replace(/\n>/g, '\n'),
  html: (text) =>
    text
      .replace(/<\/p>\n<p>/g, '\n')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  comment: (text) => text.replace(/\n(?:\/\/|#| \*|--|;;)/g, '\n'),
  terminal: (text) => text,
  words: (text) => text,
};

const payloads = fc
  .array(
    fc.constantFrom(
      'Send it',
      ' now',
      '\n',
      '\n\n',
      '"',
      "'",
      '<b>',
      '\\',
      '$&',
      '&lt;',
      '=20',
      '\u5ffd',
      '\u00fc',
      ' and so on'.repeat(9),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((pieces) => `x${pieces.join('')}x`);

describe.each(FORMAT_NAMES)('a text in the format %s', (name) => {
  const write = (seed: number, text: string): string => FORMATS[name](new Random(seed), text);
  // A terminal cuts words in two.
  const squeeze = (text: string): string => text.replace(/\s+/g, name === 'terminal' ? '' : ' ').trim();

  it('holds a marked part between the returned offsets', () => {
    fc.assert(
      fc.property(fc.integer(), payloads, fc.constantFrom('\n\n', '\n', ' '), (seed, payload, glue) => {
        const before = 'Here is what the <shop> & "its" owner \u00fcber wrote about it last week. '.repeat(3).trim();
        const after = 'These are the words after it, as long as a line of a mail is, and longer.';
        const written = write(seed, `${before}${glue}${OPEN}${payload}${CLOSE}${glue}${after}`);
        expect(written.split(OPEN)).toHaveLength(2);
        expect(written.split(CLOSE)).toHaveLength(2);
        const { text, start, end } = unmark(written);
        expect(withoutMarks(written)).toBe(text);
        expect(squeeze(UNDONE[name](text.slice(start, end)))).toBe(squeeze(payload));
        expect(lettersOf(text.slice(0, start))).toContain('wroteaboutitlastweek');
        expect(lettersOf(text.slice(end))).toContain('asalineofamailisandlonger');
      }),
      { numRuns: 200 },
    );
  });

  it('is the same from the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), texts, (seed, text) => {
        expect(write(seed, text)).toBe(write(seed, text));
      }),
      { numRuns: 20 },
    );
  });
});

describe('the widths of a format', () => {
  const LONG = 'Please send the quarterly report to the board of the firm before the end of the month. '
    .repeat(12)
    .trim();
  const seeds = Array.from({ length: 200 }, (_, seed) => seed);

  it.each([
    { name: 'mail', least: 60, most: 78 },
    { name: 'yaml', least: 60, most: 102 },
    { name: 'quote', least: 54, most: 82 },
    { name: 'comment', least: 60, most: 102 },
    { name: 'terminal', least: 70, most: 80 },
    { name: 'printable', least: 76, most: 76 },
    { name: 'words', least: 9, most: 9 },
  ] as const)('$name is within its bounds', ({ name, least, most }) => {
    for (const seed of seeds) {
      const width = widest(FORMATS[name](new Random(seed), LONG));
      expect(width).toBeGreaterThanOrEqual(least);
      expect(width).toBeLessThanOrEqual(most);
    }
  });

  it.each(['mail', 'yaml', 'quote', 'comment'] as const)('of %s vary', (name) => {
    expect(new Set(seeds.map((seed) => widest(FORMATS[name](new Random(seed), LONG)))).size).toBeGreaterThan(5);
  });

  it.each([
    { name: 'mail', more: 0 },
    { name: 'yaml', more: 2 },
    { name: 'quote', more: 2 },
    { name: 'comment', more: 3 },
    { name: 'terminal', more: 0 },
    { name: 'html', more: 0 },
  ] as const)('of $name are the given one, and the marks at the beginning of a line', ({ name, more }) => {
    for (const seed of seeds)
      for (const width of [24, 40, 72, 120]) {
        const found = widest(FORMATS[name](new Random(seed), LONG, width));
        expect(found).toBeLessThanOrEqual(width + more);
        expect(found).toBeGreaterThan(width - 12);
      }
  });

  it('of plain, JSON and half of HTML are those of the text', () => {
    expect(FORMATS.plain(new Random(1), LONG)).toBe(LONG);
    for (const seed of seeds) expect(widest(FORMATS.json(new Random(seed), LONG))).toBeGreaterThan(LONG.length);
    const pages = seeds.map((seed) => widest(FORMATS.html(new Random(seed), LONG)));
    const whole = LONG.length + '<p></p>'.length;
    for (const width of pages) expect(width === whole || (width > 70 && width <= 80)).toBe(true);
    expect(new Set(pages).size).toBe(2);
  });
});

describe('what a format writes', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  const TEXT = 'One <b> & "two".\n\nThree.';

  it('is JSON that parses, with the text in one field', () => {
    for (const seed of seeds) {
      const value = JSON.parse(FORMATS.json(new Random(seed), TEXT)) as object | [object];
      expect(Object.values(Array.isArray(value) ? (value[0] as object) : value)).toContain(TEXT);
    }
  });

  it('is HTML with one paragraph for each, and nothing else that is a tag', () => {
    for (const seed of seeds)
      expect(FORMATS.html(new Random(seed), TEXT)).toBe('<div>\n<p>One &lt;b> &amp; "two".</p>\n<p>Three.</p>\n</div>');
  });

  it('is a quotation or a comment with a mark on every line', () => {
    for (const seed of seeds) {
      expect(FORMATS.quote(new Random(seed), TEXT)).toBe('> One <b> & "two".\n>\n> Three.');
      expect(FORMATS.comment(new Random(seed), TEXT)).toMatch(
        /^(?:(\/\/|#|--|;;) One .*\n\1\n\1 Three\.|\/\*\*\n \* One .*\n \*\n \* Three\.\n \*\/)$/,
      );
    }
  });

  it('is a field of YAML, indented', () => {
    for (const seed of seeds)
      expect(FORMATS.yaml(new Random(seed), TEXT)).toMatch(
        /^id: \d+\n\w+: (?:>|>-|\|)\n {2}One <b> & "two"\.\n\n {2}Three\.\nstate: \w+$/,
      );
  });

  it('is one word per line', () => {
    expect(FORMATS.words(new Random(1), 'One two\tthree.\n\nFour')).toBe('One\ntwo\nthree.\n\nFour');
  });
});
