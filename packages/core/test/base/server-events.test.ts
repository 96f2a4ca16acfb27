import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServerEvents } from '../../src/base/server-events.ts';
import { isLinear } from '../fixture/linear.ts';

function dataOf(pieces: readonly string[]): string[] {
  const events = new ServerEvents();
  return [...pieces.flatMap((piece) => events.push(piece)), ...events.end()].map(({ data }) => data);
}

describe('the events of a stream', () => {
  it.each([
    { title: 'line feeds', text: 'data: a\n\ndata: b\n\n', expected: ['a', 'b'] },
    { title: 'carriage returns and line feeds', text: 'data: a\r\n\r\ndata: b\r\n\r\n', expected: ['a', 'b'] },
    { title: 'carriage returns', text: 'data: a\r\rdata: b\r\r', expected: ['a', 'b'] },
    { title: 'a mixture', text: 'data: a\r\n\ndata: b\n\rdata: c', expected: ['a', 'b', 'c'] },
    { title: 'data of two lines', text: 'event: x\ndata: a\ndata:b\n\n', expected: ['a\nb'] },
    { title: 'no data', text: ': ping\n\n', expected: [''] },
  ])('with $title', ({ text, expected }) => {
    expect(dataOf([text])).toEqual(expected);
  });

  it('that arrive in small pieces take a time that grows with their length', async () => {
    const read = (size: number): void => {
      const pieces = Array.from({ length: size / 100 }, (_, index) => `${index} ${'x'.repeat(100)}`);
      expect(dataOf(['data: ', ...pieces, '\n\n'])).toHaveLength(1);
    };
    expect(await isLinear(1_600_000, read)).toBe(true);
  });

  it('are those of a well-known parser, however the text is divided, and keep every character', () => {
    const piece = fc.constantFrom('data: a', 'data:b', 'event: c', ': d', '\n', '\r\n', '\r', '\n\n', '\r\n\r\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.integer({ min: 1, max: 5 }), (parts, size) => {
        const text = `${parts.join('')}\n\n`;
        const known: string[] = [];
        createParser({ onEvent: ({ data }) => known.push(data) }).feed(text);
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        expect(dataOf(pieces).filter((data) => data !== '')).toEqual(known.filter((data) => data !== ''));
        const events = new ServerEvents();
        const all = [...pieces.flatMap((each) => events.push(each)), ...events.end()];
        expect(all.map((event) => event.text).join('')).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});
