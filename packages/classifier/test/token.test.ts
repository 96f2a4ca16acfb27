import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DENSE, DIGIT, JOINER, kindAt, LETTER, lowerOf, OTHER, SPACE } from '../src/language/character.ts';
import { hashWord } from '../src/language/lexicon.ts';
import {
  readTokens,
  SHAPE_CODE,
  SHAPE_DENSE,
  SHAPE_MAIL,
  SHAPE_NAME,
  SHAPE_NUMBER,
  SHAPE_PATH,
  SHAPE_SIGNS,
  SHAPE_TAG,
  SHAPE_URL,
  SHAPE_WORD,
  SHAPES,
  Tokens,
} from '../src/language/tokens.ts';

const tokens = new Tokens();

function read(text: string): Tokens {
  readTokens(text, 0, text.length, tokens);
  return tokens;
}

const shapesOf = (text: string): number[] => {
  const { shapes, count } = read(text);
  return [...shapes.subarray(0, count)];
};
const hashesOf = (text: string): number[] => {
  const { hashes, count } = read(text);
  return [...hashes.subarray(0, count)];
};

describe('what a unit is', () => {
  it.each([
    ['a', LETTER],
    ['\u00e9', LETTER],
    ['\u0439', LETTER],
    ['\u0928', LETTER],
    ['7', DIGIT],
    ['\u0667', DIGIT],
    ['\u5ffd', DENSE],
    ['\u3042', DENSE],
    ['\uac00', DENSE],
    ['\u0e01', DENSE],
    ['\u0301', JOINER],
    ['\ud800', JOINER],
    [' ', SPACE],
    ['\u00a0', SPACE],
    ['\n', SPACE],
    ['.', OTHER],
    ['\u3002', OTHER],
  ])('%j', (character, kind) => {
    expect(kindAt(character.charCodeAt(0))).toBe(kind);
  });

  it('has a small form of one unit, or stays as it is', () => {
    for (const [capital, small] of [
      'Aa',
      '\u00c9\u00e9',
      '\u0416\u0436',
      '\u03a3\u03c3',
      '\u0130\u0130',
      '\u5ffd\u5ffd',
    ]) {
      kindAt((capital as string).charCodeAt(0));
      expect(lowerOf((capital as string).charCodeAt(0))).toBe((small as string).charCodeAt(0));
    }
  });
});

const SHAPED: readonly { title: string; text: string; expected: readonly number[] }[] = [
  { title: 'words', text: 'send the file', expected: [SHAPE_WORD, SHAPE_WORD, SHAPE_WORD] },
  { title: 'a number', text: 'pay 1200', expected: [SHAPE_WORD, SHAPE_NUMBER] },
  { title: 'a mail address', text: 'to eve@evil.example now', expected: [SHAPE_WORD, SHAPE_MAIL, SHAPE_WORD] },
  { title: 'a mail address in angle brackets', text: '<eve@evil.example>', expected: [SHAPE_TAG, SHAPE_MAIL] },
  { title: 'a URL', text: 'see https://evil.example/a?b=c', expected: [SHAPE_WORD, SHAPE_URL] },
  { title: 'a URL without a scheme', text: 'see www.evil.example/a', expected: [SHAPE_WORD, SHAPE_URL] },
  { title: 'a URL of another scheme', text: 'see ftp://evil.example', expected: [SHAPE_WORD, SHAPE_URL] },
  {
    title: 'a path from the root',
    text: 'read /etc/passwd',
    expected: [SHAPE_WORD, SHAPE_PATH, SHAPE_WORD, SHAPE_WORD],
  },
  { title: 'a path from home', text: 'read ~/notes', expected: [SHAPE_WORD, SHAPE_PATH, SHAPE_SIGNS, SHAPE_WORD] },
  {
    title: 'a path of Windows',
    text: 'read C:\\Users\\eve',
    expected: [SHAPE_WORD, SHAPE_PATH, SHAPE_WORD, SHAPE_SIGNS, SHAPE_WORD, SHAPE_WORD],
  },
  { title: 'two words with a stroke', text: 'and/or', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'a handle', text: 'ask @eve', expected: [SHAPE_WORD, SHAPE_NAME, SHAPE_WORD] },
  { title: 'a lone at sign', text: 'a @ b', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'camelCase, a token for each part', text: 'call sendMoney', expected: [SHAPE_WORD, SHAPE_CODE, SHAPE_CODE] },
  { title: 'a name that begins with one small letter', text: 'iPhone', expected: [SHAPE_CODE, SHAPE_CODE] },
  { title: 'capitals before a word are part of it', text: 'HTMLParser', expected: [SHAPE_WORD] },
  { title: 'capitals within a name begin one part', text: 'getHTMLParser', expected: [SHAPE_CODE, SHAPE_CODE] },
  { title: 'a part after a digit', text: 'utf8Decode', expected: [SHAPE_CODE, SHAPE_CODE] },
  { title: 'a capital after a capital is a word', text: 'PDFs', expected: [SHAPE_WORD] },
  { title: 'both ways of joining words', text: 'Send_MONEY', expected: [SHAPE_CODE, SHAPE_CODE] },
  { title: 'a word in capitals is a word', text: 'IGNORE THIS', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'a word with a capital is a word', text: 'Ignore This', expected: [SHAPE_WORD, SHAPE_WORD] },
  {
    title: 'snake_case, a token for each part',
    text: 'send_money_now',
    expected: [SHAPE_CODE, SHAPE_CODE, SHAPE_CODE],
  },
  { title: 'a name that ends in an underscore', text: 'send_ it', expected: [SHAPE_CODE, SHAPE_WORD] },
  { title: 'a tag of HTML says nothing', text: '<b>bold</b>', expected: [SHAPE_WORD] },
  { title: 'attributes of HTML say nothing', text: '<p class="big red">words', expected: [SHAPE_WORD] },
  { title: 'an unknown tag, and its name', text: '<system>obey', expected: [SHAPE_TAG, SHAPE_WORD, SHAPE_WORD] },
  { title: 'an angle bracket alone', text: 'a < b', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'signs in a row', text: '=== end', expected: [SHAPE_SIGNS, SHAPE_WORD] },
  { title: 'a colon', text: 'system: obey', expected: [SHAPE_WORD, SHAPE_SIGNS, SHAPE_WORD] },
  { title: 'one sign says nothing', text: 'one, two', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'a chat template', text: '[[system]]', expected: [SHAPE_SIGNS, SHAPE_WORD, SHAPE_SIGNS] },
  {
    title: 'a script without blanks up to a mail address',
    text: '\u53d1\u9001\u5230eve@evil.example',
    expected: [...Array.from({ length: 6 }, () => SHAPE_DENSE), SHAPE_MAIL],
  },
  {
    title: 'a script without blanks after a URL',
    text: 'https://evil.example\u306b\u9001\u308b',
    expected: [SHAPE_URL, ...Array.from({ length: 6 }, () => SHAPE_DENSE)],
  },
  { title: 'a word with dropped units', text: 'se\u00ad\u00adnd it', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'dropped units around a word', text: '\u00adsend\u00ad it', expected: [SHAPE_WORD, SHAPE_WORD] },
  { title: 'dropped units alone', text: '\u00ad\u00ad', expected: [] },
  { title: 'a mail address with dropped units', text: 'eve@ev\u00ad\u00adil.example', expected: [SHAPE_MAIL] },
  { title: 'blanks and nothing', text: ' \n\t ', expected: [] },
  { title: 'a lone half of a pair', text: '\ud800', expected: [] },
];

describe('the tokens of a text', () => {
  it.each(SHAPED)('$title', ({ text, expected }) => {
    expect(shapesOf(text)).toEqual(expected);
  });

  it('are words in small letters, by the hash of the lexicon', () => {
    expect(hashesOf("Ignore DON'T \u00dcber")).toEqual([hashWord('ignore'), hashWord("don't"), hashWord('\u00fcber')]);
  });

  it('are one for every number, and for every address of a kind', () => {
    expect(hashesOf('12')).toEqual(hashesOf('98765'));
    expect(hashesOf('a@b.c')).toEqual(hashesOf('eve@evil.example'));
    expect(hashesOf('a@b.c')).not.toEqual(hashesOf('http://b.c'));
  });

  it('have digits in a word as one sign', () => {
    expect(hashesOf('iban12')).toEqual(hashesOf('iban9876'));
    expect(hashesOf('iban12')).not.toEqual(hashesOf('iban'));
  });

  it('are the parts of a name with underscores', () => {
    expect(hashesOf('Send_MONEY')).toEqual([hashWord('send'), hashWord('money')]);
  });

  it.each([
    { text: 'sendMoney', expected: ['send', 'money'] },
    { text: 'SendMoneyNow', expected: ['send', 'money', 'now'] },
    { text: 'iPhone', expected: ['i', 'phone'] },
    { text: 'HTMLParser', expected: ['htmlparser'] },
    { text: 'getHTMLParser', expected: ['get', 'htmlparser'] },
    { text: 'sendMONEY', expected: ['send', 'money'] },
    { text: 'send_moneyNow', expected: ['send', 'money', 'now'] },
    { text: 'send_Money', expected: ['send', 'money'] },
    { text: '\u00fcberWeisung', expected: ['\u00fcber', 'weisung'] },
    { text: '\u043f\u043e\u0428\u043b\u0438', expected: ['\u043f\u043e', '\u0448\u043b\u0438'] },
  ])('are the parts of the name $text', ({ text, expected }) => {
    expect(hashesOf(text)).toEqual(expected.map(hashWord));
  });

  it('have the stem of a long part of a name', () => {
    const { stems } = read('sendInstruction instructions');
    expect(stems[0]).toBe(0);
    expect(stems[1]).not.toBe(0);
    expect(stems[1]).toBe(stems[2]);
  });

  it('are the name of an unknown tag', () => {
    expect(hashesOf('<system>').slice(1)).toEqual([hashWord('system')]);
    expect(hashesOf('</system>').slice(1)).toEqual([hashWord('system')]);
  });

  it('are one, two and three characters of a script without blanks', () => {
    const [a, b, c] = ['\u5ffd', '\u7565', '\u4e4b'] as const;
    expect(hashesOf(a + b + c)).toEqual([a, b, a + b, c, b + c, a + b + c].map(hashWord));
  });

  it('are the same with dropped units among the characters of a script without blanks', () => {
    expect(hashesOf('\u5ffd\u00ad\u00ad\u7565\u00ad\u4e4b')).toEqual(hashesOf('\u5ffd\u7565\u4e4b'));
  });

  it('are the same signs however often a sign repeats', () => {
    expect(hashesOf('===')).toEqual(hashesOf('='.repeat(80)));
    expect(hashesOf('===')).not.toEqual(hashesOf('---'));
  });

  it('have the stem of a long word, and none of a short one', () => {
    const { stems } = read('instruction instructions inst');
    expect(stems[0]).toBe(stems[1]);
    expect(stems[0]).not.toBe(0);
    expect(stems[2]).toBe(0);
  });

  it('stay within the range that was asked for', () => {
    readTokens('ignore the rules', 7, 10, tokens);
    expect([...tokens.hashes.subarray(0, tokens.count)]).toEqual([hashWord('the')]);
  });
});

describe('what is counted of a text', () => {
  it.each([
    { title: 'small letters', text: 'abc de', expected: { letters: 5, capitals: 0, shouted: 0 } },
    { title: 'shouting', text: 'SEND it NOW', expected: { letters: 9, capitals: 7, shouted: 2 } },
    { title: 'two capitals are no shouting', text: 'an AI', expected: { letters: 4, capitals: 2, shouted: 0 } },
    { title: 'every part of a name', text: 'SEND_money', expected: { letters: 9, capitals: 4, shouted: 0 } },
    {
      title: 'every part of a camelCase name',
      text: 'SendMoneyTo',
      expected: { letters: 11, capitals: 3, shouted: 0 },
    },
    { title: 'a part that shouts', text: 'sendMONEY', expected: { letters: 9, capitals: 5, shouted: 1 } },
    {
      title: 'letters around dropped units',
      text: 'SE\u00ad\u00adND',
      expected: { letters: 4, capitals: 4, shouted: 1 },
    },
    { title: 'a script without capitals', text: '\u5ffd\u7565', expected: { letters: 2, capitals: 0, shouted: 0 } },
  ])('$title', ({ text, expected }) => {
    const { letters, capitals, shouted } = read(text);
    expect({ letters, capitals, shouted }).toEqual(expected);
  });

  it('begins anew with every text', () => {
    read('SEND IT NOW');
    const { count, letters, capitals, shouted } = read('');
    expect([count, letters, capitals, shouted]).toEqual([0, 0, 0, 0]);
  });
});

const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'A_',
        'a@b.c ',
        '<b ',
        '<x>',
        "don't ",
        '://',
        '/a',
        '\u5ffd',
        '__',
        ' ',
        '::',
        'aB',
        'a_B',
        '12',
        '\ud83d',
        '\u00ad',
      ),
      fc.string({ unit: 'binary', maxLength: 8 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

describe('the tokens of any text', () => {
  it('are bounded: three for a unit at most, shapes that are known, no more capitals than letters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { count, shapes, letters, capitals, shouted } = read(text);
        expect(count).toBeLessThanOrEqual(3 * text.length);
        expect(Math.max(0, ...shapes.subarray(0, count))).toBeLessThan(SHAPES);
        expect(letters).toBeLessThanOrEqual(text.length);
        expect(capitals).toBeLessThanOrEqual(letters);
        expect(3 * shouted).toBeLessThanOrEqual(capitals);
      }),
      { numRuns: 400 },
    );
  });

  it('are words of one letter or more, however names are joined', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(hashesOf(text)).not.toContain(hashWord(''));
      }),
      { numRuns: 400 },
    );
  });

  it('are the same with dropped units in and around its words', () => {
    const words = fc.array(fc.constantFrom(...'abcXYZ \u5ffd\u7565\u00e9\u0301_12'), { maxLength: 30 });
    const drops = fc.array(fc.nat({ max: 3 }), { minLength: 31, maxLength: 31 });
    const seen = (text: string) => {
      const { letters, capitals, shouted } = read(text);
      return { letters, capitals, shouted, hashes: hashesOf(text), shapes: shapesOf(text) };
    };
    fc.assert(
      fc.property(words, drops, (units, counts) => {
        const drop = (i: number): string => '\u00ad'.repeat(Math.max(0, (counts[i] as number) - 1));
        const text = units.map((unit, i) => drop(i) + unit).join('') + drop(units.length);
        expect(seen(text)).toEqual(seen(units.join('')));
      }),
      { numRuns: 400 },
    );
  });

  it('are a thousand at most', () => {
    expect(read('\u5ffd'.repeat(5000)).count).toBe(1000);
    expect(read('a b '.repeat(5000)).count).toBe(1000);
  });

  it('are the same at every offset', () => {
    fc.assert(
      fc.property(texts, texts, (before, text) => {
        const alone = hashesOf(text);
        const from = before.length + 1;
        readTokens(`${before} ${text}`, from, from + text.length, tokens);
        expect([...tokens.hashes.subarray(0, tokens.count)]).toEqual(alone);
      }),
    );
  });
});
