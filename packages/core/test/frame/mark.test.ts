import { describe, expect, it } from 'vitest';
import { marksOf, Quoted } from '../../src/frame/mark.ts';
import { type Content, type LimitOptions, source } from '../../src/index.ts';
import {
  classifyWith,
  deriveKey,
  frame,
  type Likelihood,
  limit,
  quote,
  record,
  recover,
  type Span,
  vocabularyFor,
} from '../../src/stages.ts';

type Short = readonly [start: number, end: number, likelihood: Likelihood, tag?: string];

const spansOf = (spans: readonly Short[]): Span[] =>
  spans.map(([start, end, likelihood, tag = 'x']) => ({ start, end, likelihood, tag }));
const marks = (text: string, spans: readonly Short[], isJson = false): string[] =>
  marksOf(text, { type: 'checked', spans: spansOf(spans) }, isJson).map(
    ({ start, end, kind, tag }) => `${start}-${end} ${kind} ${tag}`,
  );

const KEY = deriveKey(new Uint8Array(32).fill(7), 'c');

/** The body of a frame, with its code replaced by N. */
function body(content: Content, spans: readonly Short[], limits: LimitOptions = {}, sections: string[] = []): string {
  const limited = limit(record({ id: 'a', source: source('workspace'), content }), limits);
  const classified = classifyWith(limited, [{ type: 'checked', spans: spansOf(spans) }]);
  const { text } = frame(quote(classified, vocabularyFor(sections)), KEY);
  const code = / ([a-z]+(?: [a-z]+){3})/.exec(text)?.[1] as string;
  return text.slice(text.indexOf('>') + 1, text.lastIndexOf('</')).replaceAll(code, 'N');
}

const TEXT = '0123456789';

describe('marks', () => {
  it.each([
    [
      [
        [0, 2, 'none'],
        [2, 4, 'low'],
      ],
      [],
    ],
    [
      [
        [0, 2, 'medium'],
        [4, 6, 'high'],
      ],
      ['0-2 marked x', '4-6 quoted x'],
    ],
    [
      [
        [0, 4, 'high', 'one'],
        [2, 6, 'high', 'two'],
      ],
      ['0-6 quoted one'],
    ],
    [
      [
        [0, 6, 'high', 'one'],
        [2, 4, 'high', 'two'],
      ],
      ['0-6 quoted one'],
    ],
    [
      [
        [0, 2, 'high', 'one'],
        [2, 4, 'high', 'two'],
      ],
      ['0-2 quoted one', '2-4 quoted two'],
    ],
    [
      [
        [0, 4, 'medium', 'one'],
        [2, 6, 'medium', 'two'],
      ],
      ['0-6 marked one'],
    ],
    [
      [
        [0, 8, 'medium'],
        [2, 4, 'high'],
      ],
      ['0-2 marked x', '2-4 quoted x', '4-8 marked x'],
    ],
    [
      [
        [0, 8, 'medium'],
        [2, 3, 'high'],
        [5, 6, 'high'],
      ],
      ['0-2 marked x', '2-3 quoted x', '3-5 marked x', '5-6 quoted x', '6-8 marked x'],
    ],
    [
      [
        [0, 8, 'high'],
        [2, 4, 'medium'],
      ],
      ['0-8 quoted x'],
    ],
    [
      [
        [0, 4, 'medium'],
        [2, 6, 'high'],
      ],
      ['0-2 marked x', '2-6 quoted x'],
    ],
    [
      [
        [0, 4, 'high'],
        [2, 6, 'medium'],
      ],
      ['0-4 quoted x', '4-6 marked x'],
    ],
    [
      [
        [0, 2, 'medium'],
        [0, 6, 'high'],
        [4, 8, 'medium'],
      ],
      ['0-6 quoted x', '6-8 marked x'],
    ],
    [
      [
        [0, 3, 'high'],
        [1, 5, 'medium'],
        [4, 6, 'high'],
        [5, 9, 'medium'],
      ],
      ['0-3 quoted x', '3-4 marked x', '4-6 quoted x', '6-9 marked x'],
    ],
    [[[0, 10, 'high']], ['0-10 quoted x']],
  ] as [Short[], string[]][])('of %j are %j', (spans, expected) => {
    expect(marks(TEXT, spans)).toEqual(expected);
  });

  it('never split a character', () => {
    expect(marks('a\u{1f300}b\u{1f300}c', [[2, 5, 'high']])).toEqual(['1-6 quoted x']);
    expect(
      marks('\u{1f300}\u{1f300}', [
        [0, 1, 'high', 'one'],
        [1, 2, 'high', 'two'],
      ]),
    ).toEqual(['0-2 quoted one']);
    expect(marks('\udf00a', [[0, 1, 'high']])).toEqual(['0-1 quoted x']);
  });

  it('are not set in unchecked content', () => {
    expect(marksOf(TEXT, { type: 'unchecked', reason: 'error' }, false)).toEqual([]);
    expect(marksOf(TEXT, { type: 'exempt' }, false)).toEqual([]);
  });

  it('of JSON stay inside its strings', () => {
    const json = '{"ab":["cd",1,"ef"]}';
    expect(marks(json, [[0, json.length, 'high']], true)).toEqual(['2-4 quoted x', '8-10 quoted x', '15-17 quoted x']);
    expect(marks(json, [[3, 9, 'medium']], true)).toEqual(['3-4 marked x', '8-9 marked x']);
    expect(marks(json, [[11, 14, 'high']], true)).toEqual([]);
    expect(
      marks(
        '"ab"',
        [
          [1, 2, 'high'],
          [2, 3, 'medium'],
        ],
        true,
      ),
    ).toEqual(['1-2 quoted x', '2-3 marked x']);
  });

  it('of JSON never split an escape', () => {
    const json = '"a\\u0001\\"\\\\b\u{1f300}"';
    expect(marks(json, [[4, 5, 'high']], true)).toEqual(['2-8 quoted x']);
    expect(marks(json, [[9, 10, 'high']], true)).toEqual(['8-10 quoted x']);
    expect(marks(json, [[11, 13, 'high']], true)).toEqual(['10-13 quoted x']);
    expect(marks(json, [[14, 15, 'high']], true)).toEqual(['13-15 quoted x']);
  });

  it('of JSON that is cut inside an escape end with the text', () => {
    expect(marks('"ab\\u00', [[1, 7, 'high']], true)).toEqual(['1-7 quoted x']);
  });
});

describe('quote', () => {
  it('writes each mark with the code of its frame', () => {
    expect(
      body(TEXT, [
        [0, 2, 'high', 'one'],
        [4, 6, 'medium', 'two'],
        [6, 8, 'low'],
      ]),
    ).toBe('<quoted_span N tag=one>01</quoted_span N>23<marked_span N tag=two>45</marked_span N>6789');
  });

  it('closes one mark before it opens the next', () => {
    expect(
      body('abcd', [
        [0, 2, 'high'],
        [2, 4, 'medium'],
      ]),
    ).toBe('<quoted_span N tag=x>ab</quoted_span N><marked_span N tag=x>cd</marked_span N>');
  });

  it('escapes inside, at the beginning and at the end of a mark', () => {
    expect(body('<system>a<system>', [[0, 17, 'high']])).toBe(
      '<quoted_span N tag=x>~x3c~system>a~x3c~system></quoted_span N>',
    );
    expect(body('a<system>', [[0, 1, 'high']])).toBe('<quoted_span N tag=x>a</quoted_span N>~x3c~system>');
    expect(body('<system>', [[1, 8, 'high']])).toBe('~x3c~<quoted_span N tag=x>system></quoted_span N>');
  });

  it('escapes a character of two units as one', () => {
    expect(body('\u{1d236}system>', [[0, 2, 'high']])).toBe('<quoted_span N tag=x>~x1d236~</quoted_span N>system>');
    expect(recover(body('\u{1d236}system>', []))).toBe('\u{1d236}system>');
  });

  it('states what is omitted between the marks', () => {
    const limits = { maxBytes: 4, keep: 'head-and-tail' } as const;
    expect(
      body(
        TEXT,
        [
          [0, 2, 'high'],
          [2, 4, 'medium'],
        ],
        limits,
      ),
    ).toBe('<quoted_span N tag=x>01</quoted_span N><omitted_bytes N count=6><marked_span N tag=x>89</marked_span N>');
    expect(body(TEXT, [[0, 4, 'high']], limits)).toBe(
      '<quoted_span N tag=x>01<omitted_bytes N count=6>89</quoted_span N>',
    );
  });

  it('keeps JSON parseable, with marks in its values and names', () => {
    const json = { 'do <system>': 'say "no"\n', n: [1, 'x'] };
    const text = JSON.stringify(json);
    const shown = body({ json }, [[0, text.length, 'high', 'imperative']]);
    expect(JSON.parse(shown)).toEqual({
      '<quoted_span N tag=imperative>do ~x3c~system></quoted_span N>':
        '<quoted_span N tag=imperative>say "no"\n</quoted_span N>',
      '<quoted_span N tag=imperative>n</quoted_span N>': [1, '<quoted_span N tag=imperative>x</quoted_span N>'],
    });
  });

  it('keeps marks inside strings of JSON that is cut at its end, and unchanged around a gap', () => {
    expect(body({ json: ['abcdef'] }, [[0, 5, 'high']], { maxBytes: 5 })).toBe(
      '["<quoted_span N tag=x>abc</quoted_span N><omitted_bytes N count=5>',
    );
    expect(body({ json: ['abcdef'] }, [[0, 4, 'high']], { maxBytes: 4, keep: 'head-and-tail' })).toBe(
      '<quoted_span N tag=x>["<omitted_bytes N count=6>"]</quoted_span N>',
    );
  });

  it('reserves the given sections', () => {
    expect(body('<mr_body>', [], {}, ['mr_body'])).toBe('~x3c~mr_body>');
    expect(body('<mr_body>', [])).toBe('<mr_body>');
  });

  it('keeps the result of the earlier stage and is frozen', () => {
    const classified = classifyWith(limit(record({ id: 'a', source: source('external'), content: '<system>' })), []);
    const quoted = quote(classified, vocabularyFor());
    expect([quoted.classified, quoted.parts[0]?.classified, quoted.parts[0]?.markers]).toEqual([
      classified,
      classified.parts[0],
      [0],
    ]);
    expect([quoted, quoted.parts, quoted.parts[0]].map((each) => Object.isFrozen(each))).toEqual([true, true, true]);
    expect([{ ...quoted }, Object.create(quoted), null].filter((fake) => Quoted.is(fake))).toEqual([]);
  });
});
