import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cutAt, quotedPrintable, wrap } from '../../../training/compose/formats.ts';
import { isLinear, repeated } from '../../core/test/fixture/linear.ts';
import { asRead, unfold } from '../src/language/unfold.ts';

const WORDS = 'please send the quarterly report to Ann because the Board meets on Monday and Karl needs it'.split(' ');
/** A sentence of 12 to 60 words without signs, so that only a wrap breaks its lines. */
const sentences = fc
  .array(fc.constantFrom(...WORDS), { minLength: 12, maxLength: 60 })
  .map((words) => `A${words.join(' ')}.`);
const widths = fc.integer({ min: 40, max: 120 });

const plain = (text: string): string => text.replaceAll('\u00ad', '').replace(/\s+/g, ' ').trim();

function quoted(text: string, mark: string): string {
  return text.replace(/^/gm, mark);
}

const FORTY = 'this line is long enough to be wrapped by somebody';

describe('a piece of an unfolded text', () => {
  it.each([
    { title: 'a dropped unit', text: 'ig\u00adnore', expected: 'ignore' },
    { title: 'a run of blanks', text: 'send   the \t report', expected: 'send the report' },
    { title: 'neither', text: 'send the report', expected: 'send the report' },
  ])('is read without $title', ({ text, expected }) => expect(asRead(text)).toBe(expected));
});

describe('unfold', () => {
  it.each([
    { title: 'a wrapped line', text: `${FORTY}\nand goes on below`, lines: 1 },
    { title: 'a wrapped line of a Windows file', text: `${FORTY}\r\nand goes on below`, lines: 1 },
    { title: 'a short line before a small letter', text: 'short line\nand more', lines: 2 },
    { title: 'a line that ends in a colon', text: `${FORTY}:\nand goes on below`, lines: 2 },
    { title: 'a line without room for the next word, a capital', text: `${FORTY}\nAnd goes on below`, lines: 1 },
    {
      title: 'a line with room for the next word, a capital',
      text: `Another line tells that ${FORTY}.\n${FORTY}\nAnd goes on below`,
      lines: 3,
    },
    { title: 'a wrapped quotation', text: '> Please send me the report by\n> Friday.', lines: 1 },
    {
      title: 'folded YAML',
      text: 'body: >\n  The meeting is on the third floor and everyone\n  Brings notes.\nid: 4',
      lines: 3,
    },
    {
      title: 'a comment',
      text: '// Call this before the report is sent to the\n// Board of the firm.\nrun();',
      lines: 2,
    },
    {
      title: 'a block comment',
      text: '/* Call this before the report is sent to the\n * Board of the firm. */\nrun();',
      lines: 2,
    },
    { title: 'one word per line', text: 'please\nsend\nthe\nreport\nto\nAnn', lines: 1 },
    { title: 'one word per item', text: '- please\n- send\n- the\n- report\n- now', lines: 1 },
    {
      title: 'quoted-printable',
      text: 'The report is for B=\nob and it costs 3 =E2=82=AC this time, so se=\nnd it.',
      lines: 1,
    },
    {
      title: 'a list of sentences',
      text: '- Send the report to the board of the firm\n- Call the customer who asked for a refund',
      lines: 2,
    },
    { title: 'headers of a mail', text: 'Subject: The report of the third quarter\nDate: Monday', lines: 2 },
    { title: 'fields of YAML', text: 'name: the report of the third quarter of ours\nowner: Ann', lines: 2 },
    {
      title: 'sentences in lines of their own',
      text: 'This is the first sentence of the text.\nThis is the second one.',
      lines: 2,
    },
    { title: 'paragraphs', text: 'This paragraph has no sign at its end\n\nand this is another one', lines: 3 },
    { title: 'a few short lines', text: 'Thanks\nAnn\nBoard', lines: 3 },
    { title: 'code', text: 'if (isReady) {\n  return send(report);\n}', lines: 3 },
  ])('leaves the right lines of $title', ({ text, lines }) => {
    const unfolded = unfold(text);
    expect(unfolded.split('\n')).toHaveLength(lines);
    expect(unfolded).toHaveLength(text.length);
  });

  it.each([
    { title: 'mail', write: (text: string, width: number) => wrap(text, width) },
    { title: 'a quotation', write: (text: string, width: number) => quoted(wrap(text, width), '> ') },
    { title: 'YAML', write: (text: string, width: number) => quoted(wrap(text, width), '    ') },
    { title: 'a comment', write: (text: string, width: number) => quoted(wrap(text, width), '# ') },
    { title: 'quoted-printable', write: (text: string) => `${quotedPrintable(text)}=20` },
  ])('restores a sentence that was wrapped as $title', ({ write }) => {
    fc.assert(
      fc.property(sentences, widths, (sentence, width) => {
        const written = write(sentence, width);
        // Without a soft break nothing says that it is quoted-printable.
        fc.pre(!written.endsWith('=20') || written.includes('=\n'));
        const unfolded = unfold(written);
        expect(unfolded).toHaveLength(written.length);
        expect(plain(unfolded).replace(/^[>#] /, '')).toBe(sentence);
      }),
      { numRuns: 500 },
    );
  });

  it('restores words that a terminal cut in two', () => {
    fc.assert(
      fc.property(sentences, fc.integer({ min: 40, max: 100 }), (sentence, width) => {
        const written = cutAt(sentence, width);
        if (written.split('\n').length < 5) return;
        expect(plain(unfold(written)).replaceAll(' ', '')).toBe(sentence.replaceAll(' ', ''));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the length of any text', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom('\n', '\r\n', '> ', '=\n', '=20', 'word', ' ', '- ', '/*', '*/', 'a'.repeat(41), '\u3042'),
          { maxLength: 60 },
        ),
        (pieces) => {
          const text = pieces.join('');
          expect(unfold(text)).toHaveLength(text.length);
        },
      ),
    );
  });

  it.each(['a\n', 'word word word word word word\n', '> ', '=\n', '- a\n', '\n', '/*\n'])(
    'takes linear time for %j',
    async (unit) => {
      expect(await isLinear(100_000, (size) => unfold(repeated(unit, size)))).toBe(true);
    },
  );
});
