import { describe, expect, it } from 'vitest';
import { addressTokensIn } from '../../src/address/address-token.ts';
import { findAddresses } from '../../src/address/find-addresses.ts';
import { isCheap, repeated } from '../fixture/linear.ts';

const tokensIn = (text: string): readonly string[] => Array.from(addressTokensIn(text), ({ text: token }) => token);

/** One pattern that says what a token is. It is slow, because it reads up to 64 characters from every character. */
const TOKEN =
  /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|(?:[a-z][a-z0-9+.-]{1,20}:\/\/|www\.)[^\s"'<>()|;]+/giu;

describe('the addresses in a text', () => {
  it.each([
    { title: 'a mail address', text: 'Write to Bob <bob@home.example>.', expected: ['bob@home.example'] },
    { title: 'a web address', text: 'See https://a.example/b?c=d, please', expected: ['https://a.example/b?c=d,'] },
    { title: 'without a scheme', text: '(www.a.example/b)', expected: ['www.a.example/b'] },
    {
      title: 'a mail address in a web address',
      text: 'ftp://bob@home.example/a',
      expected: ['ftp://bob@home.example/a'],
    },
    { title: 'a host like a web address', text: 'bob@www.home.example', expected: ['bob@www.home.example'] },
    { title: 'two at signs', text: 'a@b.example@c.example', expected: ['a@b.example'] },
    { title: 'two schemes', text: 'http://ftp://a.example', expected: ['http://ftp://a.example'] },
    {
      title: 'an address after a mail address',
      text: 'a@b.www.example,http://c.example',
      expected: ['a@b.www.example', 'http://c.example'],
    },
    { title: 'no address', text: 'a @ b, c://, mailto:', expected: [] },
    {
      title: 'a local part that is too long',
      text: `${'a'.repeat(70)}@b.example`,
      expected: [`${'a'.repeat(64)}@b.example`],
    },
  ])('are found: $title', ({ text, expected }) => {
    expect(tokensIn(text)).toEqual(expected);
  });

  it('are those of one pattern', () => {
    const pieces = [
      'a',
      'www.',
      '@',
      '.',
      '://',
      'http',
      'b.example',
      ' ',
      '-',
      '%',
      ';',
      '\u00e4',
      '<',
      'x'.repeat(30),
      '\u{10400}',
    ];
    let state = 7;
    for (let round = 0; round < 5000; round++) {
      let text = '';
      for (let count = 0; count < 12; count++) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        text += pieces[(state >>> 8) % pieces.length];
      }
      expect(tokensIn(text), JSON.stringify(text)).toEqual(text.match(TOKEN) ?? []);
    }
  });
});

describe('a text without addresses', () => {
  it.each([
    { title: 'one long word', unit: 'a' },
    { title: 'one long word of base64', unit: 'aGVsbG8gd29ybGQx' },
    { title: 'Han characters', unit: '\u4e00\u5b57' },
    { title: 'hosts without an end', unit: 'a.' },
    { title: 'escapes', unit: '%41' },
    { title: 'colons', unit: 'ab:' },
  ])('is searched about as fast as prose: $title', { retry: 3 }, ({ unit }) => {
    expect(isCheap(repeated(unit, 65_536), (text) => tokensIn(text))).toBe(true);
    expect(isCheap(repeated(unit, 65_536), (text) => findAddresses(text))).toBe(true);
  });
});
