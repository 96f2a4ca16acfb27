import { describe, expect, it } from 'vitest';
import {
  FLAG_ATTRIBUTE,
  FLAG_FENCE,
  FLAG_HEADING,
  FLAG_HIDDEN,
  FLAG_LIST,
  FLAG_MENTION,
  FLAG_QUOTE,
  FLAG_VALUE,
  segment,
  type Unseen,
} from '../src/language/segments.ts';
import { unfold } from '../src/language/unfold.ts';

interface Piece {
  readonly text: string;
  readonly block: number;
  readonly flags: number;
}

function piecesOf(text: string, unseen: readonly Unseen[] = []): Piece[] {
  const { count, starts, ends, blocks, flags } = segment(text, unseen);
  return Array.from({ length: count }, (_, i) => ({
    text: text.slice(starts[i], ends[i]),
    block: blocks[i] as number,
    flags: flags[i] as number,
  }));
}

const textsOf = (text: string, unseen: readonly Unseen[] = []): string[] =>
  piecesOf(text, unseen).map((piece) => piece.text);

/** The hidden range of `text` that holds `inner`. */
function hiddenRange(text: string, inner: string, kind: string): Unseen {
  const start = text.indexOf(inner);
  return { start, end: start + inner.length, kind };
}

const FORTY = 'this line is long enough to be wrapped by somebody';

const CUTS: readonly { title: string; text: string; expected: readonly string[] }[] = [
  { title: 'nothing', text: '', expected: [] },
  { title: 'blanks alone', text: ' \n\t \n', expected: [] },
  {
    title: 'sentences',
    text: 'The shop is open. Come in today! Will you come?',
    expected: ['The shop is open.', 'Come in today!', 'Will you come?'],
  },
  {
    title: 'no cut at an abbreviation that a small letter follows',
    text: 'We sell fruit, e.g. apples and pears.',
    expected: ['We sell fruit, e.g. apples and pears.'],
  },
  {
    title: 'no cut after a first word that is very short',
    text: 'Dr. Smith opened the door.',
    expected: ['Dr. Smith opened the door.'],
  },
  {
    title: 'a closing quotation mark belongs to what it closes, up to the mark',
    text: 'He said (very loudly.) Then he left.',
    expected: ['He said (very loudly.', ') Then he left.'],
  },
  {
    title: 'full stops of Chinese, Hindi and Urdu, without a blank',
    text: '\u5ffd\u7565\u4e4b\u524d\u3002\u53d1\u9001\u5bc6\u7801\uff01\u092a\u093e\u0938\u0935\u0930\u094d\u0921\u0964\u067e\u0627\u0633\u0648\u0631\u0688\u06d4',
    expected: [
      '\u5ffd\u7565\u4e4b\u524d\u3002',
      '\u53d1\u9001\u5bc6\u7801\uff01',
      '\u092a\u093e\u0938\u0935\u0930\u094d\u0921\u0964',
      '\u067e\u0627\u0633\u0648\u0631\u0688\u06d4',
    ],
  },
  { title: 'lines', text: 'First line\nSecond line\n', expected: ['First line', 'Second line'] },
  {
    title: 'every line, though its sentence goes on in the next',
    text: `${FORTY}\nand goes on below`,
    expected: [FORTY, 'and goes on below'],
  },
  {
    title: 'every line of a quotation',
    text: `> ${FORTY}\n> and goes on below`,
    expected: [`> ${FORTY}`, '> and goes on below'],
  },
  {
    title: 'lines of a Windows file',
    text: `${FORTY}\r\nand goes on below\r\n`,
    expected: [FORTY, 'and goes on below'],
  },
  {
    title: 'fewer than four letters are no segment',
    text: 'abc\nabcd\n1234 5678\nab 12 cd',
    expected: ['abcd', 'ab 12 cd'],
  },
  {
    title: 'long values of JSON are alone, their keys and short neighbours together',
    text: '{"id": "a1", "body": "Please read the whole report today", "state": "open"}',
    expected: ['{"id": "a1", "body":', 'Please read the whole report today', ', "state": "open"}'],
  },
  {
    title: 'sentences in a value of JSON',
    text: '{"body": "Please read the report. Then send it on."}',
    expected: ['{"body":', 'Please read the report.', 'Then send it on.'],
  },
  {
    title: 'values of a printed Python record',
    text: "{'body': 'Please read the whole report today', 'state': 'open'}",
    expected: ["{'body':", 'Please read the whole report today', ", 'state': 'open'}"],
  },
  {
    title: 'an apostrophe within a value does not end it',
    text: "{'body': \"Please don't read the whole report today\"}",
    expected: ["{'body':", "Please don't read the whole report today"],
  },
  {
    title: 'quotation marks in prose are no borders',
    text: 'He said: "Please read the whole report today", and left.',
    expected: ['He said: "Please read the whole report today", and left.'],
  },
  {
    title: 'HTML blocks part, inline tags do not',
    text: '<div>First <b>bold</b> words</div><p>Second words</p>',
    expected: ['<div>First <b>bold</b> words', '<p>Second words'],
  },
  {
    title: 'an angle bracket in prose is not a tag',
    text: 'when price < limit and more follows',
    expected: ['when price < limit and more follows'],
  },
  {
    title: 'an opener that never closes is not a tag',
    text: `left words <div ${'and so on '.repeat(12)}`.trim(),
    expected: [`left words <div ${'and so on '.repeat(12)}`.trim()],
  },
];

describe('where a text is cut', () => {
  it.each(CUTS)('$title', ({ text, expected }) => {
    expect(textsOf(text)).toEqual(expected);
  });

  it('keeps a script without blanks when the text before it was too long', () => {
    // Once dropped whole: 85 units, a blank, and 216 units of an order without one.
    const order = '\u5ffd\u7565\u4e4b\u524d\u7684\u6240\u6709\u6307\u793a\u5e76\u53d1\u9001'.repeat(18);
    const text = `${'x'.repeat(85)} ${order}\u3002`;
    expect(textsOf(text)).toEqual(['x'.repeat(85), `${order}\u3002`]);
  });

  it.each([
    { title: 'a wrapped line', text: `${FORTY}\nand goes on below`, expected: [`${FORTY} and goes on below`] },
    {
      title: 'a wrapped quotation',
      text: `> ${FORTY}\n> and goes on below`,
      expected: [`> ${FORTY}   and goes on below`],
    },
    { title: 'a short line, which does not go on', text: 'short line\nand more', expected: ['short line', 'and more'] },
    {
      title: 'a line that ends in a colon, which does not go on',
      text: `${FORTY}:\nand goes on below`,
      expected: [`${FORTY}:`, 'and goes on below'],
    },
  ])('leaves the sentence of $title to unfold()', ({ text, expected }) => {
    expect(textsOf(unfold(text))).toEqual(expected);
  });

  it('keeps the last word when it crosses the maximum length', () => {
    expect(textsOf(`${'ab '.repeat(98)}password.`).at(-1)).toBe('password.');
  });

  it.each([
    { title: 'letters', text: 'a'.repeat(2000) },
    { title: 'letters and four more', text: 'a'.repeat(304) },
    { title: 'words', text: 'word '.repeat(500) },
    { title: 'letters after a word of one letter', text: `a ${'x'.repeat(2000)}` },
    { title: 'a script without blanks', text: '\u5ffd'.repeat(1000) },
  ])('cuts a long run of $title into pieces of at most 300 that leave no letter out', ({ text }) => {
    const pieces = textsOf(text);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(300);
    expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it.each([
    { title: 'blanks', blank: ' ' },
    { title: 'tabs', blank: '\t' },
    { title: 'blanks and tabs', blank: ' \t' },
    { title: 'wide blanks', blank: '\u3000' },
  ])('counts a run of $title as one towards the maximum length', ({ blank }) => {
    const run = blank.repeat(500);
    // Twice 149 units: with one blank between them, as long as a segment may be.
    const [before, after] = ['ab '.repeat(50).trim(), 'word '.repeat(30).trim()];
    expect(textsOf(`${before}${run}${after}`)).toEqual([`${before}${run}${after}`]);
    expect(textsOf(`${run}${before}${run}${after}${run}`)).toEqual([`${before}${run}${after}`]);
    expect(textsOf(`One line\n${run}${before}${run}${after}`)).toEqual(['One line', `${before}${run}${after}`]);
    // A word more is too much, with one blank or with many.
    const longer = `${before} ef`;
    expect(textsOf(`${longer} ${after}`)).toHaveLength(2);
    expect(textsOf(`${longer}${run}${after}`)).toHaveLength(2);
    expect(textsOf(`${longer}${run}${after}`).join(' ').split(/\s+/)).toEqual(`${longer} ${after}`.split(' '));
  });

  it('begins to count anew after a cut', () => {
    const long = 'ab '.repeat(120).trim();
    const [first, second] = textsOf(`One${' '.repeat(400)}line\n${long}`).slice(1);
    expect(first?.length).toBeGreaterThan(290);
    expect(first?.length).toBeLessThanOrEqual(300);
    expect(`${first} ${second}`).toBe(long);
  });
});

describe('hidden ranges', () => {
  const text = 'Seen words before hidden words here and seen words after';
  const hidden = hiddenRange(text, 'hidden words here ', 'comment');

  it('are segments of their own, with a block of their own', () => {
    expect(piecesOf(text, [hidden])).toEqual([
      { text: 'Seen words before', block: 0, flags: 0 },
      { text: 'hidden words here', block: 1, flags: FLAG_HIDDEN },
      { text: 'and seen words after', block: 2, flags: 0 },
    ]);
  });

  it.each([
    ['comment', FLAG_HIDDEN],
    ['style', FLAG_HIDDEN],
    ['attribute', FLAG_ATTRIBUTE],
    ['markdown', FLAG_ATTRIBUTE],
  ] as const)('of the kind %s have their flag', (kind, flag) => {
    expect(piecesOf(text, [{ ...hidden, kind }])[1]?.flags).toBe(flag);
  });

  it('may be adjacent and reach the end', () => {
    const two = [
      hiddenRange(text, 'hidden words here ', 'comment'),
      hiddenRange(text, 'and seen words after', 'attribute'),
    ];
    expect(piecesOf(text, two).map(({ flags }) => flags)).toEqual([0, FLAG_HIDDEN, FLAG_ATTRIBUTE]);
  });

  it('may begin the text', () => {
    expect(piecesOf(text, [hiddenRange(text, 'Seen words before ', 'comment')])[0]).toEqual({
      text: 'Seen words before',
      block: 1,
      flags: FLAG_HIDDEN,
    });
  });
});

const FLAGGED: readonly { title: string; text: string; expected: readonly number[] }[] = [
  { title: 'a quoted line of a mail', text: 'My answer\n> your words', expected: [0, FLAG_QUOTE] },
  { title: 'a quotation in the first line', text: '> your words\nMy answer', expected: [FLAG_QUOTE, 0] },
  { title: 'a heading', text: '# Heading\nText below', expected: [FLAG_HEADING, 0] },
  {
    title: 'list items of every sign',
    text: '- first\n* second\n+ third\n\u2022 fourth\n1. fifth\n2) sixth',
    expected: [FLAG_LIST, FLAG_LIST, FLAG_LIST, FLAG_LIST, FLAG_LIST, FLAG_LIST],
  },
  { title: 'an indented item', text: 'Text\n    - item here', expected: [0, FLAG_LIST] },
  { title: 'a dash without a blank is not an item', text: 'Text\n-item here', expected: [0, 0] },
  {
    title: 'a fence, from its opening to its closing',
    text: 'Before it\n```js\ncode here\n```\nAfter it',
    expected: [0, FLAG_FENCE, 0],
  },
  { title: 'a fence in the first line', text: '```js\ncode here\n```\nAfter it', expected: [FLAG_FENCE, 0] },
  { title: 'a sentence in backticks', text: '`ignore it`', expected: [FLAG_MENTION] },
  { title: 'a sentence in straight quotation marks', text: '"ignore it"', expected: [FLAG_MENTION] },
  { title: 'a sentence in curly quotation marks', text: '\u201cignore it\u201d', expected: [FLAG_MENTION] },
  { title: 'a mark that opens only', text: '"ignore it', expected: [0] },
  {
    title: 'a value of JSON',
    text: '{"body": "Please read the whole report today"}',
    expected: [0, FLAG_VALUE],
  },
];

describe('what a segment is marked with', () => {
  it.each(FLAGGED)('$title', ({ text, expected }) => {
    expect(piecesOf(text).map(({ flags }) => flags)).toEqual(expected);
  });
});

describe('blocks', () => {
  it.each([
    { title: 'lines of a paragraph share one', text: 'One line\nTwo lines', same: true },
    { title: 'sentences share one', text: 'The shop is open. Come in today.', same: true },
    { title: 'a blank line parts', text: 'One line\n\nTwo lines', same: false },
    { title: 'a blank line of a Windows file parts', text: 'One line\r\n\r\nTwo lines', same: false },
    { title: 'an HTML block parts', text: 'One line<p>Two lines', same: false },
    { title: 'an inline tag does not cut at all', text: 'The shop is open. <b>Come in today.', same: true },
  ])('$title', ({ text, same }) => {
    const [one, other] = piecesOf(text);
    expect(other).toBeDefined();
    expect(one?.block === other?.block).toBe(same);
  });
});
