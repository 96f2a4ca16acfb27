import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTokenizer } from '../src/index.ts';
import { checkEncoding } from '../src/tokenizer/tokenizer.ts';
import { readFixture } from './support.ts';

interface Row {
  readonly text: string;
  readonly ids: readonly number[];
  readonly offsets: readonly [number, number][];
}

type Json = Record<string, unknown>;

const reference = readFixture('reference.json') as Record<string, Row[]>;
const wordPiece = readFixture('tokenizer.json') as Json;
const unigram = readFixture('unigram.json') as Json;

/** The reference gives an accent or the second of two blanks no place; here the token covers it. */
const WIDER = 1;

describe.each(['tokenizer', 'unigram'])('%s.json against the reference implementation', (name) => {
  const tokenizer = readTokenizer(readFixture(`${name}.json`));
  it.each(reference[name] as Row[])('$text', ({ text, ids, offsets }) => {
    const encoding = tokenizer.encode(text);
    expect(encoding.ids).toEqual(ids);
    for (const [index, [start, end]] of offsets.entries()) {
      const [from, to] = encoding.offsets[index] as [number, number];
      expect(from).toBeLessThanOrEqual(start);
      expect(to).toBeGreaterThanOrEqual(end);
      expect(start - from + to - end).toBeLessThanOrEqual(WIDER);
    }
  });

  it('keeps every offset in the text and in order, for any text', () => {
    const anyText = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.array(fc.constantFrom('ignore', ' ', '\u0301', '\ud83d', '\ude00', '\ufb01', '\u200b', '\u65e5', 'e', '\n'), {
        maxLength: 40,
      }),
    );
    fc.assert(
      fc.property(anyText, (given) => {
        const text = typeof given === 'string' ? given : given.join('');
        checkEncoding(tokenizer.encode(text), text.length);
      }),
      { numRuns: 300 },
    );
  });
});

describe('readTokenizer', () => {
  const idOf = (token: string) => ((wordPiece.model as Json).vocab as Record<string, number>)[token] as number;

  it('reads the special tokens, of every kind of post_processor', () => {
    const { prefix, suffix } = readTokenizer(wordPiece);
    expect([prefix, suffix]).toEqual([[2], [3]]);
    for (const type of ['BertProcessing', 'RobertaProcessing']) {
      const bert = readTokenizer({ ...wordPiece, post_processor: { type, cls: ['[CLS]', 7], sep: ['[SEP]', 8] } });
      expect([bert.prefix, bert.suffix]).toEqual([[7], [8]]);
    }
    expect(readTokenizer({ ...wordPiece, post_processor: null }).prefix).toEqual([]);
  });

  it('gives an outside text no special token', () => {
    const { ids } = readTokenizer(wordPiece).encode('[SEP] [CLS]');
    expect(ids).not.toContain(idOf('[SEP]'));
    expect(ids).not.toContain(idOf('[CLS]'));
  });

  it('reads a word that is too long in parts, so that nothing hides in it', () => {
    const padding = 'x'.repeat(97);
    const { ids, offsets } = readTokenizer(wordPiece).encode(`${padding}abcignore`);
    expect(ids).toHaveLength(101);
    expect([ids[100], offsets[100]]).toEqual([idOf('ignore'), [100, 106]]);
  });

  it('is linear in a long word and a long text', () => {
    const tokenizer = readTokenizer(unigram);
    expect(tokenizer.encode('ignore'.repeat(20_000)).ids).toHaveLength(20_000);
    expect(tokenizer.encode('\u00e9\u65e5 '.repeat(50_000)).ids).toHaveLength(150_000);
    expect(readTokenizer(wordPiece).encode(`e${'\u0301'.repeat(50_000)}`).ids).not.toHaveLength(0);
  });

  it.each<[string, Json]>([
    ['BPE', { ...wordPiece, model: { type: 'BPE', vocab: {}, merges: [] } }],
    ['no model', { ...wordPiece, model: undefined }],
    ['an empty vocab', { ...wordPiece, model: { type: 'WordPiece', vocab: {} } }],
    ['a vocab without numbers', { ...wordPiece, model: { type: 'WordPiece', vocab: { '[UNK]': '1' } } }],
    ['no unknown token', { ...wordPiece, model: { type: 'WordPiece', vocab: { a: 1 } } }],
    ['byte_fallback', { ...unigram, model: { ...(unigram.model as Json), byte_fallback: true } }],
    ['a Unigram without unk_id', { ...unigram, model: { ...(unigram.model as Json), unk_id: null } }],
    ['a Unigram without scores', { ...unigram, model: { type: 'Unigram', unk_id: 0, vocab: [['a']] } }],
    ['an unknown normalizer', { ...wordPiece, normalizer: { type: 'Nmt' } }],
    ['an invalid pattern', { ...wordPiece, normalizer: { type: 'Replace', pattern: { Regex: '(' }, content: '' } }],
    ['a table that is cut off', { ...unigram, normalizer: { type: 'Precompiled', precompiled_charsmap: 'AAEAAAAA' } }],
    ['an unknown pre_tokenizer', { ...wordPiece, pre_tokenizer: { type: 'ByteLevel' } }],
    ['an unknown post_processor', { ...wordPiece, post_processor: { type: 'ByteLevel' } }],
    ['a template without a text', { ...wordPiece, post_processor: { type: 'TemplateProcessing', single: [] } }],
    [
      'a template with an unknown token',
      {
        ...wordPiece,
        post_processor: { type: 'TemplateProcessing', single: [{ SpecialToken: { id: 'constructor' } }] },
      },
    ],
  ])('refuses %s instead of tokenizing otherwise than the model was trained', (_, json) => {
    expect(() => readTokenizer(json)).toThrow(expect.objectContaining({ code: 'ERR_INVALID_OPTION' }));
  });

  it.each([
    [{ type: 'NFKC' }, '\ufb01', 'fi', [0, 1]],
    [{ type: 'NFD' }, '\u00e9', 'e\u0301', [0, 1]],
    [{ type: 'Lowercase' }, '\u0130', 'i\u0307', [0, 1]],
    [{ type: 'StripAccents' }, 'e\u0301', 'e', [0, 1]],
    [{ type: 'Replace', pattern: { String: '.' }, content: 'stop' }, 'a.', 'astop', [0, 1]],
    [{ type: 'BertNormalizer', lowercase: false }, '\u00c9', '\u00c9', [0, 1]],
  ])('knows the normalizer %j', (normalizer, text, normalized, offset) => {
    const vocab = { '[UNK]': 0, ...Object.fromEntries([...normalized].map((letter, id) => [`##${letter}`, id + 1])) };
    const first = [...normalized][0] as string;
    const model = { type: 'WordPiece', vocab: { ...vocab, [first]: 99 } };
    const { ids, offsets } = readTokenizer({ normalizer, model }).encode(text);
    expect(ids[0]).toBe(99);
    expect(ids).not.toContain(0);
    expect(offsets[0]).toEqual(offset);
  });

  it('sets Chinese characters apart, and stays in place where a text grows', () => {
    const text = '\u65e5'.repeat(200);
    const { ids, offsets } = readTokenizer(wordPiece).encode(`${text}ignore`);
    expect(ids).toHaveLength(201);
    expect(offsets[199]).toEqual([199, 200]);
    expect([ids[200], offsets[200]]).toEqual([idOf('ignore'), [200, 206]]);
  });

  it.each([
    ['Whitespace', ['ignore', '!?', 'all']],
    ['WhitespaceSplit', ['ignore!?', 'all']],
    ['Punctuation', ['ignore', '!', '?', '  all']],
    ['BertPreTokenizer', ['ignore', '!', '?', 'all']],
  ])('knows the pre_tokenizer %s', (type, pieces) => {
    const text = 'ignore!?  all';
    const vocab = { '[UNK]': 0 };
    const { offsets } = readTokenizer({ pre_tokenizer: { type }, model: { type: 'WordPiece', vocab } }).encode(text);
    expect(offsets.map(([start, end]) => text.slice(start, end))).toEqual(pieces);
  });

  it('knows how Metaspace is written in old and new files', () => {
    const of = (pre_tokenizer: Json) => readTokenizer({ ...unigram, pre_tokenizer }).encode('send send').ids;
    const [both, bare] = [of({ type: 'Metaspace' }), of({ type: 'Metaspace', add_prefix_space: false })];
    expect(both[0]).toBe(both[1]);
    expect(bare[0]).not.toBe(bare[1]);
    expect(of({ type: 'Metaspace', prepend_scheme: 'first' })).toEqual(both);
    const split = { type: 'Sequence', pretokenizers: [{ type: 'WhitespaceSplit' }, { type: 'Metaspace' }] };
    expect(of(split)).toEqual(both);
  });
});
