import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isLinear, repeated } from '../../core/test/fixture/linear.ts';
import { originalSpan } from '../src/layers/layer.ts';
import { readView } from '../src/layers/view.ts';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const percent = (text: string): string => hex(text).replace(/../g, '%$&');
const references = (text: string): string => [...text].map((each) => `&#${each.codePointAt(0)};`).join('');

/** The offsets at which some reading of a text contains a value. */
function placesOf(text: string, value: string): string[] {
  const { layers, values } = readView(text);
  return [...layers, ...values].flatMap((layer) => {
    const at = layer.text.indexOf(value);
    if (at < 0) return [];
    const { start, end } = originalSpan(layer, at, at + value.length);
    return [text.slice(start, end)];
  });
}

const ADDRESS = 'eve@evil.example';
const PHRASE = `mail ${ADDRESS}`;

const ENCODED: readonly { title: string; value: string; payload: string }[] = [
  { title: 'a phrase in base64', value: PHRASE, payload: base64(PHRASE) },
  {
    title: 'a phrase in URL-safe base64, without padding',
    value: PHRASE,
    payload: base64(PHRASE).replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'),
  },
  { title: 'a phrase in hex', value: PHRASE, payload: hex(PHRASE) },
  { title: 'a phrase in hex, in capitals', value: PHRASE, payload: hex(PHRASE).toUpperCase() },
  { title: 'a phrase in percent escapes', value: PHRASE, payload: percent(PHRASE) },
  { title: 'a phrase as part of an address', value: PHRASE, payload: encodeURIComponent(PHRASE) },
  { title: 'a phrase in character references', value: PHRASE, payload: references(PHRASE) },
  { title: 'base64 of base64', value: PHRASE, payload: base64(base64(PHRASE)) },
  { title: 'percent of base64 of hex', value: PHRASE, payload: percent(base64(hex(PHRASE))) },
  { title: 'one address in base64', value: ADDRESS, payload: base64(ADDRESS) },
  { title: 'one address in hex', value: ADDRESS, payload: hex(ADDRESS) },
  { title: 'a short word in base64', value: 'rosebud77', payload: base64('rosebud77') },
  { title: 'a short word in hex', value: 'secret', payload: hex('secret') },
  { title: 'an account number in base64', value: 'DE02-1203-0000-2020', payload: base64('DE02-1203-0000-2020') },
  { title: 'base64 of hex of a short address', value: 'a@b.cd', payload: base64(hex('a@b.cd')) },
  { title: 'a percent escape in a short word', value: 'a@b', payload: 'a%40b' },
];

describe('encoded values', () => {
  it.each(ENCODED)('$title is decoded, with its offset', ({ value, payload }) => {
    expect(placesOf(`See ${payload} there`, value)).toContain(payload);
  });

  it.each([
    { title: 'after a separator', text: (value: string) => `id-${hex(value)}` },
    { title: 'in a query', text: (value: string) => `https://x.example/?d=${base64(value)}&e=1` },
    { title: 'in a path', text: (value: string) => `https://x.example/a/${base64(value).replace(/=+$/, '')}/b` },
  ])('a value $title is decoded', ({ text }) => {
    expect(placesOf(text(ADDRESS), ADDRESS)).not.toEqual([]);
  });

  it.each([
    'The quick brown fox jumps over it.',
    'getUserAccountInformationById',
    '0123456789abcdef0123456789abcdef',
    '100% sure &# no',
  ])('%j contains none', (text) => {
    const { layers, values } = readView(text);
    expect([...layers.slice(1), ...values]).toEqual([]);
  });

  it('are found after any amount of other encoded text', () => {
    const junk = `${base64('nothing to see here')} `.repeat(20_000);
    expect(placesOf(`${junk}${base64(ADDRESS)}`, ADDRESS)).toEqual([base64(ADDRESS)]);
  });

  it('are found for any readable text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abcdef XYZ01.@'), minLength: 12, maxLength: 60 }), (text) => {
        fc.pre(/[a-z0-9]{2}/i.test(text));
        expect(placesOf(base64(text), text)).toEqual([base64(text)]);
      }),
      { numRuns: 500 },
    );
  });

  it('report when more is encoded than is decoded', () => {
    const lines = (count: number): string =>
      Array.from({ length: count }, (_, line) => hex(`word-${line}@x.example`)).join('\n');
    expect(readView(lines(500)).isComplete).toBe(true);
    const nested = Array.from({ length: 3000 }, (_, line) => hex(hex(`w-${line}.example`))).join('\n');
    expect(readView(nested).isComplete).toBe(true);
  });

  it.each(['A', '%41', '&#65;', '41', 'QUJD', '%', '&#', 'aaaa ', 'Ab1-', 'abcdefghijkl '])(
    'take linear time on %j',
    async (unit) => {
      expect(await isLinear(400_000, (size) => readView(repeated(unit, size)).values)).toBe(true);
    },
  );
});
