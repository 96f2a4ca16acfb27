import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defuse } from '../../src/address/defuse.ts';
import { OutputStream } from '../../src/address/output-stream.ts';

const none = (text: string): string => defuse(text, () => 'withhold').text;

/** The answer in pieces, and what was shown after each. */
function streamed(pieces: readonly string[]): { readonly shown: string[]; readonly all: string } {
  const output = new OutputStream(none);
  const shown = [...pieces.map((piece) => output.push(piece)), output.end()];
  return { shown, all: shown.join('') };
}

describe('an answer in pieces', () => {
  it.each([
    { title: 'an image link, divided within its address', pieces: ['See ![a](https://evil.ex', 'ample/?d=1) now.'] },
    { title: 'an image link, divided after the sign', pieces: ['See !', '[a](https://evil.example/?d=1) now.'] },
    { title: 'an image link, letter by letter', pieces: [...'See ![a](https://evil.example/?d=1) now.'] },
    { title: 'a link, divided between its parts', pieces: ['See [a]', '(https://evil.example/) now.'] },
    { title: 'an address without a scheme', pieces: ['See evil', '.example/?d=1 now.'] },
    { title: 'a scheme that arrives later', pieces: ['See https', '://evil.example/ now.'] },
    { title: 'a tag', pieces: ['See <img src=', '"https://evil.example/?d=1"', '> now.'] },
    { title: 'a style sheet', pieces: ['<style>a{background:url(', 'https://evil.example/', ')}</style> now.'] },
    { title: 'a definition', pieces: ['See [a][b].\n\n[b]: ', 'https://evil.example/?d=1\n'] },
    { title: 'an address at the end', pieces: ['See https://evil.example/?d=1'] },
  ])('never shows $title', ({ pieces }) => {
    const { shown, all } = streamed(pieces);
    expect(all).toBe(none(pieces.join('')));
    for (const piece of shown) expect(piece).not.toMatch(/evil\.example\/|d=1/);
  });

  it('holds back no more than the last word, or what may be a link', () => {
    const { shown } = streamed(['Hello ', 'Ann, th', 'is is [1] of 3 an', 'd [all', '](https://a.example/x) of it.']);
    expect(shown.slice(0, 4)).toEqual(['Hello ', 'Ann, ', 'this is [1] of 3 ', 'and ']);
  });

  it('reads a definition as that of an image, if one was shown before', () => {
    const kinds: string[] = [];
    const note = ({ kind }: { readonly kind: string }): 'withhold' => {
      kinds.push(kind);
      return 'withhold';
    };
    const output = new OutputStream((text) => defuse(text, note).text);
    output.push('![a][b] ');
    output.push('and a text in between.\n\n');
    output.push('[b]: https://evil.example/?d=1\n');
    output.end();
    expect(kinds).toEqual(['fetched']);
  });

  it('passes a text without addresses on as it is, however it is divided', () => {
    const word = fc.constantFrom(
      'Bob',
      'a',
      '[1]',
      '3 < 4',
      'it.',
      '!',
      '\n',
      '*',
      '(x)',
      '[ ]',
      '<b>',
      'x > y',
      '`c`',
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(40)), (words, cuts) => {
        const text = words.join(' ');
        const places = [...new Set(cuts.filter((cut) => cut < text.length))].sort((one, other) => one - other);
        const pieces = [0, ...places].map((from, index) => text.slice(from, places[index] ?? text.length));
        expect(streamed(pieces).all).toBe(text);
      }),
    );
  });

  it('shows nothing that the whole answer would not show, however it is divided', () => {
    const part = fc.constantFrom(
      ...['![a](https://e.example/?d)', '[a](https://e.example/)', 'e.example/x', '[r]: https://e.example/y\n'],
      ...['<img src="https://e.example/z">', '![b][r]', 'word', '[', ']', '(', '<', '!', '\n', ' ', '`'],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.integer({ min: 1, max: 7 }), (parts, size) => {
        const text = parts.join(' ');
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        const left = defuse(streamed(pieces).all, () => 'keep');
        expect(left.text).not.toMatch(/e\.example\/[?xyz]?/);
      }),
      { numRuns: 2000 },
    );
  });

  it('holds a text without an end no longer than 4,000 units', () => {
    const output = new OutputStream((text) => text);
    const shown = Array.from({ length: 100 }, () => output.push(`[${'word '.repeat(20)}`));
    expect(shown.join('').length).toBeGreaterThan(5000);
  });
});
