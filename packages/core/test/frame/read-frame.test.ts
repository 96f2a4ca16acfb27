import { describe, expect, it } from 'vitest';
import { type Content, type LimitOptions, source } from '../../src/index.ts';
import {
  classifyWith,
  deriveKey,
  frame,
  limit,
  quote,
  readFrame,
  record,
  type SourceOrigin,
  type Span,
  vocabularyFor,
} from '../../src/stages.ts';

const KEY = deriveKey(new Uint8Array(32).fill(7), 'c');
const SPANS: readonly Span[] = [
  { start: 0, end: 4, likelihood: 'high', tag: 'one' },
  { start: 9, end: 12, likelihood: 'medium', tag: 'two' },
];
const TEXT = '<system> ~x3c~ \ud83c \u00e9\u{1f300} end';

function framed(
  origin: SourceOrigin,
  content: Content,
  options: { spans?: readonly Span[]; limits?: LimitOptions } = {},
): string {
  const { spans = [], limits = {} } = options;
  const limited = limit(record({ id: 'a', source: source(origin), content }), limits);
  const verdicts = limited.parts.map(() => ({ type: 'checked', spans }) as const);
  return frame(quote(classifyWith(limited, verdicts), vocabularyFor()), KEY).text;
}

const corpus = framed(
  'retrieved',
  ['one', 'two', 'three'].map((text) => ({ type: 'text', text }) as const),
);
const rich = framed('external', TEXT, { spans: SPANS, limits: { maxBytes: 22 } });

describe('readFrame', () => {
  it.each(['user', 'system', 'workspace', 'retrieved', 'external', 'unknown'] as const)(
    'reads the content of a frame of origin %s',
    (origin) => {
      const nonce = KEY.nonce('nonce', 'a', 0);
      expect(readFrame(framed(origin, TEXT, { spans: SPANS }))).toEqual({
        origin,
        nonce: origin === 'retrieved' ? KEY.nonce('corpus', 'a', 0) : nonce,
        nonces: [nonce],
        texts: [TEXT],
        whole: true,
      });
    },
  );

  it('reports what is cut', () => {
    expect(readFrame(rich)).toMatchObject({ texts: ['<system> ~x3c~ \ud83c \u00e9'], whole: false });
  });

  it('returns one text per record of a corpus', () => {
    expect(readFrame(corpus)).toMatchObject({ texts: ['one', 'two', 'three'] });
  });

  it('reads an empty body', () => {
    expect(readFrame(framed('user', ''))?.texts).toEqual(['']);
  });

  it.each([
    ['something before', (text: string) => ` ${text}`],
    ['something after', (text: string) => `${text} `],
    ['a line break in the opener', (text: string) => text.replace('>', '\n>')],
    ['no closer', (text: string) => text.slice(0, text.lastIndexOf('</'))],
    ['other words in the closer', (text: string) => text.replace(/(<\/untrusted) \w+/, '$1 lamp')],
    ['three words', (text: string) => text.replace(/(<\/?untrusted) \w+/g, '$1')],
    ['a mark that is only closed', (text: string) => text.replace(/<quoted_span [^>]*tag=one>/, '')],
    ['a mark that is only opened', (text: string) => text.replace(/<\/quoted_span [^>]*>/, '')],
    ['an element of another system', (text: string) => text.replaceAll('untrusted', 'mr_body')],
    ['a single record of a corpus', () => /<corpus_record.*?<\/corpus_record[^>]*>/.exec(corpus)?.[0] as string],
    ['something between records', () => corpus.replace(/(<\/corpus_record [^>]*>)/, '$1 ')],
    ['nothing', () => ''],
  ])('does not read a text with %s', (_, change) => {
    const changed = change(rich);
    expect(changed).not.toBe(rich);
    expect(readFrame(changed)).toBeUndefined();
  });
});
