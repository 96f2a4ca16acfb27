import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OVERRIDE_WORDS } from '../src/language/override-words.ts';
import { expandEndings, foldWord } from '../src/language/spelling.ts';
import { makeOverrideWords, overrideLanguages, parseOverrideWords } from '../words/override-words.ts';
import { makeRoleLabels, parseRoleLabels } from '../words/role-labels.ts';

const PARTS = ['verb', 'earlier', 'order', 'orders', 'rule', 'rules', 'any', 'after'] as const;
const wordsIn = (lines: readonly string[] = []): string[] =>
  lines.join(' ').split(' ').filter(Boolean).flatMap(expandEndings);

describe('the table of override words', () => {
  it('matches its word lists', () => {
    const [path, text] = makeOverrideWords();
    expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
  });

  it('has one entry per word list, and a bit for each', () => {
    expect(OVERRIDE_WORDS.map(({ language }) => language)).toEqual(overrideLanguages());
    expect(OVERRIDE_WORDS.length).toBeLessThan(32);
  });

  it.each(overrideLanguages())('is in lower case and composed: %s', (code) => {
    const text = readFileSync(new URL(`../words/override/${code}.txt`, import.meta.url), 'utf8');
    expect(text).toBe(text.normalize('NFC').toLowerCase());
  });

  it.each(OVERRIDE_WORDS.map((words) => [words.language, words] as const))('names parts that %s has', (_, words) => {
    for (const line of [...words.says, ...(words.perhaps ?? [])]) {
      expect(line).toMatch(/^[a-z|]+(?: \d [a-z|]+)+$/);
      for (const part of line.split(/ \d |\|/)) expect(words).toHaveProperty([part]);
    }
  });

  it.each(OVERRIDE_WORDS.map((words) => [words.language, words] as const))('lists a word once: %s', (_, words) => {
    const listed = PARTS.flatMap((part) => wordsIn(words[part]).map((word) => `${part} ${word}`));
    expect(new Set(listed).size).toBe(listed.length);
    const plain = new Set(PARTS.flatMap((part) => wordsIn(words[part])));
    expect(wordsIn(words.unlike).filter((word) => plain.has(word))).toEqual([]);
    expect(wordsIn(words.unlike).filter((word) => foldWord(word).length < 4)).toEqual([]);
  });
});

describe('parseOverrideWords', () => {
  it('reads lists of several lines and keeps templates whole', () => {
    expect([...parseOverrideWords('verb: a b(|c)\nsays: verb 2 order\nverb: d_e\n', 'x.txt')]).toEqual([
      ['verb', ['a', 'b(|c)', 'd_e']],
      ['says', ['verb 2 order']],
    ]);
  });

  it('refuses an unknown list', () => {
    expect(() => parseOverrideWords('verb: a\nverbs: b', 'x.txt')).toThrow(
      'x.txt:2: expected "<list>: <words>", received "verbs: b".',
    );
  });
});

describe('the role labels', () => {
  it('match their list', () => {
    const [path, text] = makeRoleLabels();
    expect(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')).toBe(text);
  });

  it('are in lower case and composed', () => {
    const text = readFileSync(new URL('../words/roles/labels.txt', import.meta.url), 'utf8');
    expect(text).toBe(text.normalize('NFC').toLowerCase());
  });

  it('refuse an unknown list', () => {
    expect(() => parseRoleLabels('label: a\nlabels: b')).toThrow(
      'labels.txt:2: expected "label:", "prompt:" or "notice:" and labels, received "labels: b".',
    );
  });
});

describe('expandEndings', () => {
  it.each([
    { title: 'none', text: 'abc', expected: ['abc'] },
    { title: 'two', text: 'vorig(e|en)', expected: ['vorige', 'vorigen'] },
    { title: 'an empty one', text: 'prompt(|s)', expected: ['prompt', 'prompts'] },
    { title: 'two before another word', text: 'note(|s)_to', expected: ['note_to', 'notes_to'] },
  ])('$title', ({ text, expected }) => {
    expect(expandEndings(text)).toEqual(expected);
  });
});
