import { describe, expect, it } from 'vitest';
import { type Content, digestText, type LimitOptions, limit, record, source } from '../src/index.ts';
import { Limited } from '../src/limit.ts';

const external = source('external');
const of = (content: Content, options: LimitOptions = {}) =>
  limit(record({ id: 'a', source: external, content }), options);
const shown = (content: Content, options: LimitOptions) => {
  const { text, cut } = of(content, options).parts[0] as Limited['parts'][number];
  return cut === undefined ? text : [text, cut.totalBytes, cut.shownBytes, cut.at];
};
const both = (maxBytes: number) => ({ maxBytes, keep: 'head-and-tail' }) as const;

describe('limit', () => {
  it('leaves what fits as it is', () => {
    const limited = of('abc', { maxBytes: 3 });
    expect(limited.parts).toEqual([
      {
        part: { type: 'text', text: 'abc' },
        text: 'abc',
        digest: digestText('abc'),
        cut: undefined,
        media: undefined,
        mediaWithheld: false,
      },
    ]);
    expect(limited.recorded.id).toBe('a');
    expect([limited, limited.parts, limited.parts[0]].map((each) => Object.isFrozen(each))).toEqual([true, true, true]);
  });

  it('takes 100,000 bytes by default', () => {
    expect(shown('x'.repeat(100_000), {})).toBe('x'.repeat(100_000));
    expect(shown('x'.repeat(100_001), {})).toEqual(['x'.repeat(100_000), 100_001, 100_000, 100_000]);
  });

  it.each([
    ['abcdef', 4, ['abcd', 6, 4, 4]],
    ['abc', 0, ['', 3, 0, 0]],
    ['', 0, ''],
    ['\u00e9\u00e9', 3, ['\u00e9', 4, 2, 1]],
    ['\u20ac\u20ac', 5, ['\u20ac', 6, 3, 1]],
    ['\u{1f300}\u{1f300}', 7, ['\u{1f300}', 8, 4, 2]],
    ['\u{1f300}', 3, ['', 4, 0, 0]],
    ['ab\ud83c', 4, ['ab', 5, 2, 2]],
    ['ab\ud83c', 5, 'ab\ud83c'],
    ['ab&amp;cd', 5, ['ab', 9, 2, 2]],
    ['ab&amp;cd', 7, ['ab&amp;', 9, 7, 7]],
    ['ab&#60;cd', 4, ['ab', 9, 2, 2]],
    ['ab&x3 cd', 5, ['ab&x3', 8, 5, 5]],
    ['ab\\u0041cd', 6, ['ab', 10, 2, 2]],
    ['ab\\u0041cd', 8, ['ab\\u0041', 10, 8, 8]],
    ['ab\\ncd', 3, ['ab', 6, 2, 2]],
    ['ab\\\\\\ncd', 5, ['ab\\\\', 8, 4, 4]],
    ['ab\\', 2, ['ab', 3, 2, 2]],
  ])('cuts %j to %i bytes: %j', (text, maxBytes, expected) => {
    expect(shown(text, { maxBytes })).toEqual(expected);
  });

  it.each([
    ['abcdefghij', 4, ['abij', 10, 4, 2]],
    ['abcdefghij', 5, ['abcij', 10, 5, 3]],
    ['abc', 1, ['a', 3, 1, 1]],
    ['abc', 0, ['', 3, 0, 0]],
    ['ab\u{1f300}cd', 6, ['abcd', 8, 4, 2]],
    ['abcde\u{1f300}', 8, ['abcd\u{1f300}', 9, 8, 4]],
    ['abcdefgh&lt;', 6, ['abc', 12, 3, 3]],
    ['abcdefgh&lt;', 8, ['abcd&lt;', 12, 8, 4]],
    ['abcdef\\u0041gh', 8, ['abcdgh', 14, 6, 4]],
    ['\udf00abcdef', 4, ['ef', 9, 2, 0]],
    ['abcdef\udf00', 6, ['abc\udf00', 9, 6, 3]],
  ])('keeps head and tail of %j in %i bytes: %j', (text, maxBytes, expected) => {
    expect(shown(text, both(maxBytes))).toEqual(expected);
  });

  it.each([40, 41, 42, 43])('does not halve an escape behind many backslashes, at %i', (maxBytes) => {
    const [text] = shown(`"${'\\\\'.repeat(30)}"`, { maxBytes }) as [string];
    expect((/\\*$/.exec(text) as RegExpExecArray)[0].length % 2).toBe(0);
  });

  it.each([1, 2, 3, 20])('does not halve a character behind %i backslashes', (count) => {
    const content = `${'a'.repeat(60)}${'\\'.repeat(count)}\u{1f300}bc`;
    const texts = Array.from({ length: 60 }, (_, maxBytes) => of(content, both(maxBytes)).parts[0]?.text);
    expect(texts.filter((text) => text?.isWellFormed() !== true)).toEqual([]);
  });

  it.each([10, 11])('does not bring two lone surrogates together, at %i', (maxBytes) => {
    const { text, cut } = of(`aa\ud83c${'m'.repeat(50)}\udf00bb`, both(maxBytes)).parts[0] as Limited['parts'][number];
    expect(text.slice(0, cut?.at).isWellFormed() && text.slice(cut?.at).isWellFormed()).toBe(text.isWellFormed());
  });

  it('digests what is shown', () => {
    expect(of('abcdef', { maxBytes: 3 }).parts[0]?.digest).toBe(digestText('abc'));
  });

  it('shares the bytes out over the parts, in their order', () => {
    const content = ['abcd', 'efgh', 'ijkl'].map((text) => ({ type: 'text' as const, text }));
    const parts = of(content, { maxBytes: 6 }).parts.map(({ text, cut }) => [text, cut?.shownBytes, cut?.totalBytes]);
    expect(parts).toEqual([
      ['abcd', undefined, undefined],
      ['ef', 2, 4],
      ['', 0, 4],
    ]);
  });

  it('counts names and addresses of media, and not their data', () => {
    const limited = of([{ type: 'image', mediaType: 'image/png', data: 'A'.repeat(1000) }], { maxBytes: 60 });
    const surface = '{"base64Length":1000,"mediaType":"image/png","type":"image"}';
    expect(limited.parts[0]).toMatchObject({ text: surface, digest: digestText(surface), cut: undefined });
  });

  it('withholds media above its length', () => {
    const part = { type: 'image', mediaType: 'image/png', data: 'AAAAA' } as const;
    expect(of([part], { maxMediaLength: 5 }).parts[0]).toMatchObject({
      media: { mediaType: 'image/png', data: 'AAAAA' },
      mediaWithheld: false,
    });
    expect(of([part], { maxMediaLength: 4 }).parts[0]).toMatchObject({ media: undefined, mediaWithheld: true });
    expect(of([{ ...part, data: 'A'.repeat(8_000_001) }]).parts[0]?.mediaWithheld).toBe(true);
    expect(of([{ ...part, data: 'A'.repeat(8_000_000) }]).parts[0]?.mediaWithheld).toBe(false);
  });

  it.each([
    { maxBytes: -1 },
    { maxBytes: 1.5 },
    { maxBytes: Number.NaN },
    { maxBytes: Number.POSITIVE_INFINITY },
    { maxBytes: '5' },
    { maxMediaLength: -1 },
    { maxMediaLength: null },
    { keep: 'tail' },
    { keep: null },
  ])('refuses %j', (options) => {
    const attempt = () => of('x', options as never);
    const isDefault = options.keep === null || options.maxMediaLength === null;
    if (isDefault) expect(attempt().parts[0]?.text).toBe('x');
    else expect(attempt).toThrow(expect.objectContaining({ code: 'ERR_INVALID_OPTION' }));
  });

  it('is not what looks like one', () => {
    const made = of('x');
    expect([{ ...made }, Object.create(made), null, 'x'].filter((fake) => Limited.is(fake))).toEqual([]);
  });
});
