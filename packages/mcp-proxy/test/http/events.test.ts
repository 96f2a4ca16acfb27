import { createParser, type EventSourceMessage } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinear } from '../../../core/test/fixture/linear.ts';
import { EventReader, eventText, readEvents, type ServerEvent } from '../../src/http.ts';

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function read(text: string | Uint8Array, longest = 10_000): ServerEvent[] {
  return new EventReader(longest).push(typeof text === 'string' ? bytesOf(text) : text);
}

describe('an event stream', () => {
  test.each([
    { title: 'data', payload: 'data: a\n\n', expected: [{ data: 'a' }] },
    { title: 'one leading space is not data', payload: 'data:  a\n\n', expected: [{ data: ' a' }] },
    { title: 'no blank', payload: 'data:a\n\n', expected: [{ data: 'a' }] },
    { title: 'CR', payload: 'data: a\rdata: b\r\r', expected: [{ data: 'a\nb' }] },
    { title: 'CRLF', payload: 'data: a\r\ndata: b\r\n\r\n', expected: [{ data: 'a\nb' }] },
    { title: 'mixed ends', payload: 'data: a\rdata: b\ndata: c\r\n\n', expected: [{ data: 'a\nb\nc' }] },
    {
      title: 'all fields',
      payload: 'event: x\nid: 7\nretry: 20\ndata: a\n\n',
      expected: [{ data: 'a', id: '7', event: 'x', retry: 20 }],
    },
    { title: 'an id alone', payload: 'id: 7\n\n', expected: [{ data: '', id: '7' }] },
    { title: 'an id and empty data', payload: 'id: 7\ndata:\n\n', expected: [{ data: '', id: '7' }] },
    { title: 'a comment', payload: ': ping\n\ndata: a\n\n', expected: [{ data: 'a' }] },
    { title: 'an unknown field', payload: 'dat: b\ndata: a\n\n', expected: [{ data: 'a' }] },
    { title: 'a field without a colon', payload: 'data\n\n', expected: [{ data: '' }] },
    { title: 'an id with NUL is ignored', payload: 'id: a\0b\ndata: a\n\n', expected: [{ data: 'a' }] },
    { title: 'a retry that is not a number', payload: 'retry: 1e9\ndata: a\n\n', expected: [{ data: 'a' }] },
    { title: 'a retry of great length', payload: 'retry: 99999999999999\ndata: a\n\n', expected: [{ data: 'a' }] },
    { title: 'an event that was not ended', payload: 'data: a\n\ndata: b\n', expected: [{ data: 'a' }] },
    {
      title: 'ids do not stick',
      payload: 'id: 1\ndata: a\n\ndata: b\n\n',
      expected: [{ data: 'a', id: '1' }, { data: 'b' }],
    },
    { title: 'a mark at the start', payload: '\ufeffdata: a\n\n', expected: [{ data: 'a' }] },
    { title: 'a mark later is text', payload: 'data: a\n\n\ufeffdata: b\n\n', expected: [{ data: 'a' }] },
    {
      title: 'a Unicode line separator does not end a line',
      payload: 'data: a\u2028data: b\n\n',
      expected: [{ data: 'a\u2028data: b' }],
    },
  ])('$title', ({ payload, expected }) => {
    expect(read(payload)).toEqual(expected);
  });
});

const piece = fc.constantFrom(
  'data',
  'id',
  'event',
  'retry',
  ':',
  ' ',
  '\r',
  '\n',
  '\r\n',
  '\n\n',
  'a',
  '\u00e9',
  '\u20ac',
  '\ud83d\ude00',
  '{"a":1}',
  '7',
);
const stream = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));

test('events do not depend on chunk boundaries', () => {
  fc.assert(
    fc.property(stream, fc.array(fc.nat(400), { maxLength: 30 }), (text, cuts) => {
      const bytes = bytesOf(text);
      const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort((a, b) => a - b);
      const reader = new EventReader(100_000);
      const events = places.flatMap((place, index) =>
        reader.push(bytes.subarray(place, places[index + 1] ?? bytes.length)),
      );
      const single = new EventReader(100_000);
      const byByte = [...bytes].flatMap((byte) => single.push(Uint8Array.of(byte)));
      expect(events).toEqual(read(bytes, 100_000));
      expect(byByte).toEqual(events);
    }),
    { numRuns: 2000 },
  );
});

test('agrees with eventsource-parser', () => {
  fc.assert(
    fc.property(stream, (text) => {
      const theirs: EventSourceMessage[] = [];
      // eventsource-parser delays an event that ends with CR.
      createParser({ onEvent: (event) => theirs.push(event) }).feed(`${text}:`);
      const ours = read(text, 100_000).map(({ data, id, event }) => ({ id, event, data }));
      // eventsource-parser ignores events without data; this reader reports their id.
      const hasData = ({ data }: { readonly data: string }): boolean => data !== '';
      expect(ours.filter(hasData)).toEqual(theirs.filter(hasData));
    }),
    { numRuns: 2000 },
  );
});

test('a written event is read back', () => {
  const text = fc.string({ unit: 'grapheme' });
  const line = text.map((value) => value.replace(/[\r\n\0]/g, ''));
  fc.assert(
    fc.property(text, line, line, fc.nat(999_999), (data, id, event, retry) => {
      const written = eventText({ data, id, event, retry });
      const lines = data.replace(/\r\n|\r/g, '\n');
      expect(read(written, 100_000)).toEqual([{ data: lines, id, retry, ...(event === '' ? {} : { event }) }]);
    }),
  );
});

test.each([
  { title: 'a line end in an id', payload: { data: 'a', id: '1\ndata: b' } },
  { title: 'CR in an id', payload: { data: 'a', id: '1\r\rdata: b' } },
  { title: 'NUL in an id', payload: { data: 'a', id: '\0' } },
  { title: 'a line end in a name', payload: { data: 'a', event: 'x\n\ndata: b' } },
  { title: 'a retry that is not a number', payload: { data: 'a', retry: Number.NaN } },
  { title: 'a retry below zero', payload: { data: 'a', retry: -1 } },
])('refuses to write an event with an invalid field: $title', ({ payload }) => {
  expect(() => eventText(payload)).toThrow(TypeError);
});

test('data cannot inject another field or another event', () => {
  expect(read(eventText({ data: 'a\n\nid: 9\r\revent: x' }))).toEqual([{ data: 'a\n\nid: 9\n\nevent: x' }]);
});

test.each([
  { title: 'a line without an end', payload: () => 'data: aaaaaaaaaaaaaaaaaa' },
  { title: 'lines without an end', payload: () => 'data: a\n' },
  { title: 'empty lines of data', payload: () => 'data\n' },
  { title: 'a comment without an end', payload: (index: number) => (index === 0 ? ':' : 'aaaaaaaa') },
  { title: 'an id without an end', payload: (index: number) => (index === 0 ? 'id: ' : 'aaaaaaaa') },
])('an endless event is refused: $title', ({ payload }) => {
  const reader = new EventReader(1000);
  const endless = (): void => {
    for (let index = 0; index < 10_000; index++) reader.push(bytesOf(payload(index)));
  };
  expect(endless).toThrow(expect.objectContaining({ code: 'oversized' }));
});

test('comments never exceed the size limit', () => {
  const reader = new EventReader(100);
  for (let index = 0; index < 10_000; index++) expect(reader.push(bytesOf(': beat\n'))).toEqual([]);
  expect(reader.push(bytesOf('data: a\n\n'))).toEqual([{ data: 'a' }]);
});

test.each([
  { title: 'an invalid byte', payload: [0xff] },
  { title: 'half a letter', payload: [0xe2, 0x82] },
  { title: 'a surrogate', payload: [0xed, 0xa0, 0x80] },
  { title: 'a slash in two bytes', payload: [0xc0, 0xaf] },
])('bytes that are not valid UTF-8 are refused: $title', ({ payload }) => {
  const bytes = Buffer.concat([bytesOf('data: '), Uint8Array.from(payload), bytesOf('\n\n')]);
  expect(() => read(bytes)).toThrow(expect.objectContaining({ code: 'content' }));
});

test.each([10, 13])('a megabyte of the line end %i takes linear time', async (byte) => {
  const read = (size: number): void => {
    const reader = new EventReader(1000);
    for (let index = 0; index < 4; index++) reader.push(new Uint8Array(Math.floor(size / 4)).fill(byte));
  };
  expect(await isLinear(1024 * 1024, read)).toBe(true);
});

test('reads a body', async () => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield bytesOf('data: a\n\nda');
    yield bytesOf('ta: b\n\n');
  }
  expect(await all(readEvents(body(), 100))).toEqual([{ data: 'a' }, { data: 'b' }]);
});
