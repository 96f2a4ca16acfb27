import { hostsIn, readShell } from '@sallyport/shell';
import fc from 'fast-check';
import { expect, test } from 'vitest';

/** Milliseconds for one line on a busy machine. Most take a thousandth of it. */
const BOUND = 10_000;

const PIECES = [
  ...['a', 'sh', '-c', 'eval', 'sudo', 'xargs', 'find', '-exec', 'cd', 'x=1', 'for', 'in', 'do', 'done', 'if', 'then'],
  ...[
    'fi',
    'case',
    'esac',
    'while',
    'function',
    'f()',
    '{',
    '}',
    '(',
    ')',
    '((',
    '))',
    '[[',
    ']]',
    '$(',
    '${',
    '$((',
    '`',
  ],
  ...[
    '"',
    "'",
    "$'",
    '\\',
    '\n',
    '\r\n',
    ';',
    ';;',
    '&',
    '&&',
    '||',
    '|',
    '<',
    '>',
    '>>',
    '<<E',
    '<<<',
    'E\n',
    '<(',
    '>(',
  ],
  ...[
    '#',
    '*',
    '?',
    '!',
    '~',
    ' ',
    ' ',
    ' ',
    '\0',
    '\u00a0',
    '\ud800',
    '\u6f22',
    'https://a.b/',
    'u@h:p',
    '__proto__=1',
  ],
];
const line = fc.array(fc.constantFrom(...PIECES), { maxLength: 60 }).map((pieces) => pieces.join(''));

function isSound(text: string): boolean {
  const started = performance.now();
  const { commands } = readShell(text);
  hostsIn(text);
  const isKnown = (index: number | undefined): boolean => index === undefined || commands[index] !== undefined;
  const isWell = commands.every(({ pipedFrom, uses }) => isKnown(pipedFrom) && uses.every(isKnown));
  return isWell && performance.now() - started < BOUND;
}

test('any line is read in bounded time, and nothing is thrown', () => {
  fc.assert(fc.property(line, isSound), { numRuns: 2000 });
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), isSound), { numRuns: 500 });
});

test('a piece that is repeated to the maximum length is read in bounded time', () => {
  for (const piece of [
    ...PIECES,
    '"$(',
    'a[$(',
    '{a,',
    'coproc ',
    '\\`',
    '<<a ',
    'a|',
    '$(a ',
    '@(',
    'x@',
    'a.',
    'a://',
  ])
    expect(isSound(piece.repeat(Math.floor(20_000 / piece.length))), piece).toBe(true);
});

test('words in single quotes are read as they are', () => {
  const word = fc.string({ unit: 'grapheme' }).filter((text) => !/['\0\r]/.test(text));
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const { commands, isOpaque } = readShell(['echo', ...words.map((each) => `'${each}'`)].join(' '));
      expect(commands.map((command) => command.words)).toEqual([words]);
      expect(isOpaque).toBe(false);
    }),
  );
});
