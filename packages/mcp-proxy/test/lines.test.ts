import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Line, Lines } from '../src/index.ts';
import { idFromEnds } from '../src/message/message.ts';

const LIMIT = 2000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function whole(bytes: Uint8Array, limit = LIMIT): Line[] {
  const lines = new Lines(limit);
  return [...lines.push(bytes), ...lines.end()];
}

function inPieces(bytes: Uint8Array, cuts: readonly number[], limit = LIMIT): Line[] {
  const lines = new Lines(limit);
  const places = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  const pieces = places.slice(1).map((end, index) => bytes.slice(places[index], end));
  return [...pieces.flatMap((piece) => lines.push(piece)), ...lines.end()];
}

/** Streams as servers write them: messages, blank lines, other line endings, long lines, bytes that are not UTF-8. */
const stream = fc
  .array(
    fc.oneof(
      fc
        .constantFrom('{"jsonrpc":"2.0","id":1,"result":{}}', '', ' ', '\r', '\u20ac \ud83d\ude00', '\ufeff{}')
        .map(bytesOf),
      fc
        .integer({ min: LIMIT - 3, max: LIMIT * 3 })
        .map((length) => bytesOf('\u20ac'.repeat(length / 3) + 'x'.repeat(length % 3))),
      fc.uint8Array({ maxLength: 40 }),
    ),
    { maxLength: 6 },
  )
  .map((all) => Uint8Array.from(all.flatMap((each) => [...each, 10])));

describe('Lines', () => {
  it('gives the same lines wherever a stream is cut', () => {
    fc.assert(
      fc.property(stream, fc.array(fc.nat({ max: 20_000 }), { maxLength: 12 }), (bytes, cuts) => {
        for (const limit of [16, LIMIT]) expect(inPieces(bytes, cuts, limit)).toEqual(whole(bytes, limit));
      }),
      { numRuns: 400 },
    );
  });

  it('gives the same lines for a stream that arrives byte by byte', () => {
    const text = 'a\n\r\n{"x":"\u20ac\ud83d\ude00"}\r\n\nlast';
    const bytes = bytesOf(text);
    expect(inPieces(bytes, [...bytes.keys()])).toEqual(whole(bytes));
    const long = bytesOf(`${'y'.repeat(LIMIT + 700)},"id":7}\nnext`);
    expect(inPieces(long, [...long.keys()])).toEqual(whole(long));
  });

  it.each([
    ['', []],
    ['\n\n \n\r\n\t\n', []],
    ['a', ['a']],
    ['a\n', ['a']],
    ['a\nb', ['a', 'b']],
    ['a\r\nb\r\n', ['a\r', 'b\r']],
    ['\ufeffa\n', ['\ufeffa']],
    ['\u2028a\u0085b\n', ['\u2028a\u0085b']],
  ])('splits %j at line feeds only', (text, expected) => {
    expect(whole(bytesOf(text))).toEqual(expected.map((each) => ({ type: 'line', text: each })));
  });

  it('accepts a line of exactly the limit, and refuses one more byte', () => {
    expect(whole(bytesOf('x'.repeat(LIMIT)))).toMatchObject([{ type: 'line' }]);
    expect(whole(bytesOf(`${'x'.repeat(LIMIT)}\n`))).toMatchObject([{ type: 'line' }]);
    expect(whole(bytesOf('x'.repeat(LIMIT + 1)))).toMatchObject([{ type: 'refused', reason: 'oversized' }]);
  });

  it('continues normally after a refused line', () => {
    const lines = whole(bytesOf(`${'x'.repeat(LIMIT * 2)}\n{"id":1}\n`));
    expect(lines).toMatchObject([{ type: 'refused' }, { type: 'line', text: '{"id":1}' }]);
  });

  it.each([
    ['a byte that begins nothing', [0x22, 0xff, 0x22]],
    ['half a character', [0x22, 0xe2, 0x82, 0x22]],
    ['a surrogate in UTF-8', [0xed, 0xa0, 0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['a code point beyond the last', [0xf4, 0x90, 0x80, 0x80]],
  ])('refuses %s, and continues after it', (_, bytes) => {
    const lines = whole(Uint8Array.from([...bytes, 10, 0x7b, 0x7d, 10]));
    expect(lines).toMatchObject([
      { type: 'refused', reason: 'encoding' },
      { type: 'line', text: '{}' },
    ]);
  });

  it.each([
    ['first', `{"jsonrpc":"2.0","id":"x-7","result":{"content":"${'y'.repeat(9000)}"}}`, 'x-7'],
    ['first, alone', `{ "id" : 7 , "result":"${'y'.repeat(9000)}"}`, 7],
    ['last, as SDK v1 writes it', `{"result":{"content":"${'y'.repeat(9000)}"},"jsonrpc":"2.0","id":41}`, 41],
    ['last, with an end of line of Windows', `{"result":"${'y'.repeat(9000)}","jsonrpc":"2.0","id":"\\u0061"}\r`, 'a'],
    ['not at either end', `{"result":"${'y'.repeat(9000)}","id":7,"jsonrpc":"2.0"}`, undefined],
    ['in a nested place', `{"result":{"a":"${'y'.repeat(9000)}","id":7}}`, undefined],
    ['of a request of the server', `{"jsonrpc":"2.0","id":7,"method":"${'y'.repeat(9000)}"}`, undefined],
  ])('finds the id of an oversized line %s', (_, text, expected) => {
    for (const size of [1, 7, 511, 512, 513, 4096, 20_000]) {
      const cuts = [...Array(Math.ceil(text.length / size)).keys()].map((index) => index * size);
      const [line] = inPieces(bytesOf(text), cuts);
      if (line?.type !== 'refused') throw new Error('It was not refused');
      expect(idFromEnds(line.beginning, line.ending)).toBe(expected);
      expect(line.beginning.length + line.ending.length).toBeLessThanOrEqual(1024);
    }
  });

  it('buffers no more than the limit of an endless line', () => {
    const lines = new Lines(1_000_000);
    const chunk = new Uint8Array(65_536).fill(0x78);
    globalThis.gc?.();
    const before = process.memoryUsage().arrayBuffers;
    // A copy each time, as a stream gives them: 320 megabytes in all.
    for (let count = 0; count < 5000; count++) expect(lines.push(chunk.slice())).toEqual([]);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150_000_000);
    expect(lines.end()).toMatchObject([{ type: 'refused', reason: 'oversized' }]);
  });
});
