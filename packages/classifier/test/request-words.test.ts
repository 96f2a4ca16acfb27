import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../src/language/request-words/languages.ts';
import { joinExpression, makeRequestWords, parseWordLists } from '../words/request-words.ts';

const root = new URL('../../../', import.meta.url);
const lists = readdirSync(new URL('../words/', import.meta.url)).filter((name) => name.endsWith('.txt'));

function isExpression(list: string): boolean {
  return ['phrases', 'obligations', 'starts', 'fragments', 'openings'].includes(list);
}

describe('the generated tables', () => {
  it.each(makeRequestWords())('%s matches its word lists', (path, text) => {
    expect(readFileSync(new URL(path, root), 'utf8')).toBe(text);
  });

  it('has one entry per word list', () => {
    expect(LANGUAGES.map(({ language }) => `${language}.txt`).sort()).toEqual(lists.sort());
  });

  it.each(LANGUAGES.map((table) => [table.language, table] as const))(
    'keeps every list whole: %s',
    (language, table) => {
      const text = readFileSync(new URL(`../words/${language}.txt`, import.meta.url), 'utf8');
      const parsed = parseWordLists(text, language);
      const { language: _, script, ...rest } = table;
      expect(script).toBe(parsed.script);
      expect(Object.keys(rest).sort()).toEqual([...parsed.lists.keys()].sort());
      for (const [name, lines] of Object.entries(rest)) {
        const given = parsed.lists.get(name) ?? [];
        if (isExpression(name)) expect(lines.join('')).toBe(joinExpression(given));
        else expect(lines.join(' ').split(' ')).toEqual(given);
      }
    },
  );

  it.each(lists)('is in lower case and composed: %s', (name) => {
    const text = readFileSync(new URL(`../words/${name}`, import.meta.url), 'utf8');
    expect(text.normalize('NFC')).toBe(text);
    const { lists: parsed } = parseWordLists(text, name);
    const words = [...parsed].filter(([list]) => !isExpression(list)).flatMap(([, lines]) => lines);
    expect(words.filter((word) => word !== word.toLowerCase() || /\s/.test(word))).toEqual([]);
  });
});

describe('parseWordLists', () => {
  it('reads lists by name and ignores blank lines and indentation', () => {
    const { script, lists: parsed } = parseWordLists('script: latin\n\nnouns:\nein\n  zwei\n\nstarts:\n', 'x.txt');
    expect(script).toBe('latin');
    expect([...parsed]).toEqual([
      ['nouns', ['ein', 'zwei']],
      ['starts', []],
    ]);
  });

  it.each([
    ['nouns:\nein', 'x.txt:1: expected "script: <name>", received "nouns:".'],
    ['script: latin\nein', 'x.txt:2: expected the name of a list, received "ein".'],
    ['script: latin\nnouns:\nein\nnouns:', 'x.txt:4: the list "nouns" occurs twice.'],
  ])('refuses %j', (text, message) => {
    expect(() => parseWordLists(text, 'x.txt')).toThrow(message);
  });
});

describe('joinExpression', () => {
  it.each([
    [['a', 'b'], 'a|b'],
    [['a(?:', 'b', 'c', ')d', 'e'], 'a(?:b|c)d|e'],
    [['(?<!', 'a', 'b', ')(?:', 'c', 'd(?!', 'e', 'f', ')', ')'], '(?<!a|b)(?:c|d(?!e|f))'],
  ])('joins %j', (lines, joined) => {
    expect(joinExpression(lines)).toBe(joined);
  });
});
