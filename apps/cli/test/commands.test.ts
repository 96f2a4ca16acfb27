import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { COMMANDS, runProgram } from '../src/commands.ts';
import { fitDiff, fitLines } from '../src/fit-lines.ts';
import { linesOf, TestFolder } from './fixtures/rig.ts';

let folder: TestFolder;

beforeEach(() => {
  folder = new TestFolder();
});
afterEach(() => folder.remove());

/** The files that a run of the program loads. V8 writes them down when it measures coverage. */
async function loadedBy(words: readonly string[]): Promise<readonly string[]> {
  const coverage = folder.path('coverage');
  const { code, error } = await folder.run(words, { env: { NODE_V8_COVERAGE: coverage } });
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return readdirSync(coverage).flatMap((name) => {
    const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
      readonly result: readonly { readonly url: string }[];
    };
    return result.map(({ url }) => url).filter((url) => url.startsWith('file:'));
  });
}

const HEAVY = /node_modules\/(?!commander\/)|packages\/(?!cli\/)|packages\/cli\/dist\/\w+\/(?!wrapper\.js)/;

const OTHERS =
  /node_modules\/(?:ajv|yaml)\/|packages\/gateway\/|cli\/dist\/(?:gateway|replay|check)\/|cli\/dist\/init\/run/;

describe('commands are loaded when they are used', () => {
  test.each([{ words: ['--version'] }, { words: ['--help'] }, { words: [] }])(
    '$words loads no command',
    async ({ words }) => {
      const loaded = await loadedBy(words);
      expect(loaded.length).toBeGreaterThan(3);
      expect(loaded.filter((url) => HEAVY.test(url))).toEqual([]);
    },
  );

  test('a command loads its own code, and not that of others', async () => {
    const loaded = await loadedBy(['pins']);
    expect(loaded.some((url) => url.endsWith('/cli/dist/pins/pins.js'))).toBe(true);
    expect(loaded.filter((url) => OTHERS.test(url))).toEqual([]);
  });
});

test('the help of the program lists every command', async () => {
  const { out } = await folder.run(['--help']);
  for (const { name, description } of COMMANDS) expect(out.replace(/\s+/g, ' ')).toContain(`${name} ${description}`);
});

test.each([{ words: ['help', 'pins'] }, { words: ['pins', '--help'] }])(
  '$words shows the help of the command',
  async ({ words }) => {
    expect((await folder.run(words)).out).toContain('sallyport pins accept github');
  },
);

/** What the program prints on a terminal of a width. */
async function printedAt(columns: number, words: readonly string[]): Promise<string> {
  let out = '';
  const io = {
    home: folder.folder,
    platform: process.platform,
    cwd: folder.folder,
    environment: folder.environment,
    isTerminal: false,
    columns,
    stdout: (text: string) => {
      out += text;
    },
    stderr: () => undefined,
    confirm: async () => false,
    choose: async () => 'n',
    exit: () => undefined,
  };
  await runProgram(io, '1.0.0', words).catch((cause: unknown) => {
    if (!(cause instanceof CommanderError)) throw cause;
  });
  return out;
}

const NESTED: Readonly<Record<string, readonly string[]>> = {
  pins: ['show', 'accept', 'forget'],
  gateway: ['workspace', 'key', 'forget'],
  audit: ['verify', 'export', 'remove'],
};
const HELPS = [
  [],
  ['--help'],
  ...COMMANDS.flatMap(({ name }) => [[name], ...(NESTED[name] ?? []).map((nested) => [name, nested])]).map((words) => [
    ...words,
    '--help',
  ]),
];

describe('help fits the terminal', () => {
  test.each(HELPS.map((words) => ({ words })))('$words at 80 and 120 columns', async ({ words }) => {
    const whole = (await printedAt(80, words)).replace(/\s+/g, ' ');
    for (const columns of [80, 120]) {
      const out = await printedAt(columns, words);
      expect(out.length).toBeGreaterThan(100);
      expect(linesOf(out).filter((line) => line.length > columns)).toEqual([]);
      // Not one word was broken.
      expect(out.replace(/\s+/g, ' ')).toBe(whole);
    }
  });

  test('the program alone prints a short help and succeeds', async () => {
    const { code, out, error } = await folder.run([]);
    expect({ code, error }).toEqual({ code: 0, error: '' });
    expect(out).toContain('sallyport init');
    expect(linesOf(out).length).toBeLessThan(12);
  });
});

describe('fitLines', () => {
  test.each([
    { title: 'joins the lines of a paragraph', text: 'one two\nthree', fitted: 'one two three' },
    {
      title: 'breaks between words',
      text: `${'word '.repeat(7)}end`,
      fitted: 'word word word word word word\nword end',
    },
    { title: 'keeps a word that is too long', text: `a ${'x'.repeat(40)} b`, fitted: `a\n${'x'.repeat(40)}\nb` },
    {
      title: 'continues a second column below itself',
      text: '  --flag  what the flag does, in many words',
      fitted: '  --flag  what the flag does,\n          in many words',
    },
    { title: 'keeps indented lines apart', text: '  one\n  two', fitted: '  one\n  two' },
    {
      title: 'does not count colours',
      text: '\u001b[33mone two three four five six\u001b[0m',
      fitted: '\u001b[33mone two three four five six\u001b[0m',
    },
  ])('$title', ({ text, fitted }) => {
    expect(fitLines(text, 30)).toBe(fitted);
  });
});

describe('fitDiff', () => {
  test.each([
    {
      title: 'a line with blanks',
      line: `+  "args": ["one", "two", "three"]`,
      parts: ['+  "args": ["one", "two", ', '+    "three"]'],
    },
    { title: 'a long word', line: `-${'x'.repeat(50)}`, parts: [`-${'x'.repeat(27)}`, `-  ${'x'.repeat(23)}`] },
    {
      title: 'no half of a character',
      line: ` ${'x'.repeat(26)}\u{1f600}yyy`,
      parts: [` ${'x'.repeat(26)}`, '   \u{1f600}yyy'],
    },
    {
      title: 'a colour',
      line: `\u001b[31m-${'x'.repeat(30)}\u001b[0m`,
      parts: [`\u001b[31m-${'x'.repeat(27)}`, '-  xxx\u001b[0m'],
    },
    { title: 'a position', line: `@@ ${'1'.repeat(40)}`, parts: [`@@ ${'1'.repeat(40)}`] },
  ])('breaks $title', ({ line, parts }) => {
    expect(fitDiff([line], 30)).toEqual([parts.join('\n')]);
  });
});
