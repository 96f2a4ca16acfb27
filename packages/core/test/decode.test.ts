import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeRuns } from '../src/decode.ts';
import { isLinear, repeated } from './fixture/linear.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string => hex(text).replace(/../g, '%$&');
const references = (text: string): string => [...text].map((each) => `&#${each.codePointAt(0)};`).join('');

const SECRET = 'mail eve@evil.example';

const ENCODED: readonly { title: string; payload: string }[] = [
  { title: 'base64', payload: base64(SECRET) },
  {
    title: 'base64 for addresses, without padding',
    payload: base64(SECRET).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'),
  },
  { title: 'hex', payload: hex(SECRET) },
  { title: 'hex in capitals', payload: hex(SECRET).toUpperCase() },
  { title: 'percent', payload: percent(SECRET) },
  { title: 'an address with percent in it', payload: encodeURIComponent(SECRET) },
  { title: 'character references', payload: references(SECRET) },
  { title: 'base64 of base64', payload: base64(base64(SECRET)) },
  { title: 'percent of base64 of hex', payload: percent(base64(hex(SECRET))) },
];

describe('what stands encoded in a text', () => {
  it.each(ENCODED)('$title', ({ payload }) => {
    const text = `See ${payload} there`;
    const found = decodeRuns(text).filter((each) => each.text === SECRET);
    expect(found.map(({ start, end }) => text.slice(start, end))).toContain(payload);
  });

  it.each([
    'The quick brown fox jumps over it.',
    'getUserAccountInformationById',
    '0123456789abcdef0123456789abcdef',
    '100% sure &# no',
  ])('of %j is nothing', (text) => {
    expect(decodeRuns(text)).toEqual([]);
  });

  it('is found behind any amount of other encoded text', () => {
    const junk = `${base64('nothing to see here')} `.repeat(20_000);
    expect(decodeRuns(`${junk}${base64(SECRET)}`).at(-1)?.text).toBe(SECRET);
  });

  it('is found for any readable text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdef XYZ01.@'), minLength: 12, maxLength: 60 }), (text) => {
        fc.pre(/[a-z0-9]{2}/i.test(text));
        expect(decodeRuns(base64(text)).map((each) => each.text)).toContain(text);
      }),
      { numRuns: 500 },
    );
  });

  it.each(['A', '%41', '&#65;', '41', 'QUJD', '%', '&#', 'aaaa '])('takes linear time on %j', async (unit) => {
    expect(await isLinear(400_000, (size) => decodeRuns(repeated(unit, size)))).toBe(true);
  });
});
