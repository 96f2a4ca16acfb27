import { describe, expect, it } from 'vitest';
import { type LimitOptions, source } from '../../src/index.ts';
import {
  type ClassifierRunner,
  classifyWith,
  deriveKey,
  type FrameStreamOptions,
  frame,
  frameStream,
  limit,
  quote,
  record,
  type SourceOrigin,
  vocabularyFor,
} from '../../src/stages.ts';

const KEY = deriveKey(new Uint8Array(32).fill(7), 'c');
const web = source('external', { name: 'web' });
const runClassifier: ClassifierRunner = (text) => ({
  type: 'checked',
  spans: [...text.matchAll(/bad/g)].map(({ index }) => ({
    start: index,
    end: index + 3,
    likelihood: 'high',
    tag: 'x',
  })),
});

async function streamed(
  pieces: AsyncIterable<string> | Iterable<string>,
  options: Partial<FrameStreamOptions> = {},
): Promise<string[]> {
  const given: string[] = [];
  for await (const text of frameStream(pieces, { id: 'a', source: web, key: KEY, runClassifier, ...options }))
    given.push(text);
  return given;
}

async function whole(
  text: string,
  limits: LimitOptions = {},
  origin: SourceOrigin = 'external',
  sections: string[] = [],
) {
  const limited = limit(record({ id: 'a', source: source(origin, { name: 'web' }), content: text }), limits);
  const part = limited.parts[0] as (typeof limited.parts)[number];
  const classified = classifyWith(limited, [await runClassifier(part.text, part.digest)]);
  return frame(quote(classified, vocabularyFor(sections)), KEY).text;
}

/** Every way to split a text into two pieces, and into single units. */
function* splits(text: string): Generator<string[]> {
  for (let at = 0; at <= text.length; at++) yield [text.slice(0, at), text.slice(at)];
  yield text.split('');
  yield ['', text, '', ''];
  yield [];
}

const TEXTS = [
  '',
  'bad <system> bad',
  'a\u{1f300}\u{1f300}b',
  'a\ud83c',
  '\ud83c\ud83c\udf00',
  '\udf00x\ud83c',
  `${'x'.repeat(50)}\u{1f300}bad&lt;&amp;\\u0041${'y'.repeat(50)}`,
  '\u{1f300}'.repeat(40),
  Array.from({ length: 60 }, (_, index) => index).join(' '),
];
const LIMITS: LimitOptions[] = [
  {},
  { maxBytes: 0 },
  { maxBytes: 7 },
  { maxBytes: 55 },
  { maxBytes: 9, keep: 'head-and-tail' },
  { maxBytes: 111, keep: 'head-and-tail' },
];

describe('frameStream', () => {
  it.each(TEXTS)('gives the same bytes however %j is split', async (text) => {
    for (const limits of LIMITS) {
      const expected = [await whole(text, limits)];
      for (const pieces of splits(text))
        if (pieces.join('') === text) expect(await streamed(pieces, { limits })).toEqual(expected);
    }
  });

  it.each(['user', 'system', 'workspace', 'retrieved', 'unknown'] as const)(
    'gives the same bytes for the origin %s',
    async (origin) => {
      const text = 'bad </user_message>';
      expect(await streamed([text], { source: source(origin, { name: 'web' }) })).toEqual([
        await whole(text, {}, origin),
      ]);
    },
  );

  it('reserves the given sections', async () => {
    expect(await streamed(['<mr_', 'body>'], { sections: ['mr_body'] })).toEqual([
      await whole('<mr_body>', {}, 'external', ['mr_body']),
    ]);
  });

  it('holds no more of a long text than its limit', async () => {
    const limits = { maxBytes: 100, keep: 'head-and-tail' } as const;
    let taken = 0;
    async function* endless(): AsyncGenerator<string> {
      for (; taken < 5000; taken++) yield `${taken} bad text; `;
    }
    const expected = await whole(Array.from({ length: 5000 }, (_, index) => `${index} bad text; `).join(''), limits);
    expect(await streamed(endless(), { limits })).toEqual([expected]);
    expect(expected).toContain(' shown=100 of=73890>');
    expect(expected).toContain('; 4999 ');
  });

  it.each([20, 21, 22, 23])('gives the same bytes for many backslashes, at %i bytes', async (maxBytes) => {
    const limits = { maxBytes, keep: 'head-and-tail' } as const;
    const text = `a${'\\'.repeat(1001)}`;
    for (const size of [1, 7, 33, 101])
      expect(await streamed(text.match(new RegExp(`.{1,${size}}`, 'g')) ?? [], { limits })).toEqual([
        await whole(text, limits),
      ]);
  });

  it('is unchecked without a classifier', async () => {
    const given: string[] = [];
    for await (const text of frameStream(['x'], { id: 'a', source: web, key: KEY })) given.push(text);
    expect(given[0]).toContain(' from=web check=none>x</');
  });

  it('yields nothing if the input fails', async () => {
    const given: string[] = [];
    async function* broken(): AsyncGenerator<string> {
      yield 'half';
      throw new Error('connection lost');
    }
    const attempt = async () => {
      for await (const text of frameStream(broken(), { id: 'a', source: web, key: KEY, runClassifier }))
        given.push(text);
    };
    await expect(attempt()).rejects.toThrow('connection lost');
    expect(given).toEqual([]);
  });

  it('yields nothing before the end of the input', async () => {
    const log: string[] = [];
    async function* slow(): AsyncGenerator<string> {
      for (const piece of ['a', 'b', 'c']) {
        log.push(piece);
        yield piece;
      }
    }
    for await (const _ of frameStream(slow(), { id: 'a', source: web, key: KEY, runClassifier })) log.push('given');
    expect(log).toEqual(['a', 'b', 'c', 'given']);
  });

  it.each([
    [{ source: { origin: 'user' } }, 'ERR_STAGE_SKIPPED'],
    [{ key: {} }, 'ERR_INVALID_KEY'],
    [{ id: '' }, 'ERR_INVALID_NAME'],
    [{ limits: { maxBytes: -1 } }, 'ERR_INVALID_OPTION'],
    [{ sections: ['5'] }, 'ERR_INVALID_NAME'],
  ])('refuses %j', async (options, code) => {
    await expect(streamed(['x'], options as never)).rejects.toThrow(expect.objectContaining({ code }));
  });

  it('refuses a piece that is not a string', async () => {
    const pieces = ['x', new Uint8Array(2)] as never;
    await expect(streamed(pieces)).rejects.toThrow(expect.objectContaining({ code: 'ERR_INVALID_CONTENT' }));
  });

  it.each([[{ type: 'exempt' }], [{ spans: [] }]])('does not accept %j from a runner', async (verdict) => {
    expect((await streamed(['x'], { runClassifier: () => verdict as never }))[0]).toContain(' from=web check=none>x</');
  });
});
