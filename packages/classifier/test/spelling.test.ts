import { describe, expect, it } from 'vitest';
import { foldWord, isSpelling, WordIndex } from '../src/language/spelling.ts';

const FOLDED = [
  { title: 'case', text: 'Ignore', expected: 'ignore' },
  { title: 'accents', text: 'Pr\u00e9c\u00e9dentes', expected: 'precedentes' },
  { title: 'accents as marks of their own', text: 'pre\u0301vias', expected: 'previas' },
  { title: 'a Cyrillic accent', text: '\u0439', expected: '\u0438' },
  { title: 'an Arabic hamza', text: '\u0623\u0639\u0644\u0627\u0647', expected: '\u0627\u0639\u0644\u0627\u0647' },
  { title: 'a dotless i', text: 'talimat\u0131', expected: 'talimati' },
  { title: 'an apostrophe', text: 'Don\u2019t', expected: 'dont' },
  { title: 'an article', text: "l'ordre", expected: 'ordre' },
  {
    title: 'no vowel signs of Devanagari',
    text: '\u092a\u093f\u091b\u0932\u0947',
    expected: '\u092a\u093f\u091b\u0932\u0947',
  },
];

const SPELLINGS = [
  { title: 'the word itself', text: 'ignore', word: 'ignore', expected: true },
  { title: 'neighbours exchanged', text: 'ignroe', word: 'ignore', expected: true },
  { title: 'the first letters exchanged', text: 'ginore', word: 'ignore', expected: true },
  { title: 'letters exchanged twice in a word of six', text: 'ginroe', word: 'ignore', expected: false },
  { title: 'a letter dropped', text: 'ignre', word: 'ignore', expected: true },
  { title: 'a letter doubled', text: 'ignorre', word: 'ignore', expected: true },
  { title: 'the first letter doubled', text: 'iignore', word: 'ignore', expected: true },
  { title: 'the last letter doubled', text: 'ignoree', word: 'ignore', expected: true },
  { title: 'a wrong letter', text: 'ighore', word: 'ignore', expected: true },
  { title: 'a letter added inside', text: 'igknore', word: 'ignore', expected: true },
  { title: 'a letter added at the end', text: 'ignores', word: 'ignore', expected: false },
  { title: 'a letter added at the start', text: 'borders', word: 'orders', expected: false },
  { title: 'two wrong letters in a word of six', text: 'igbire', word: 'ignore', expected: false },
  { title: 'two vowels written by ear', text: 'fergit', word: 'forget', expected: true },
  { title: 'three vowels', text: 'previais', word: 'prevoeus', expected: false },
  { title: 'two wrong letters in a long word', text: 'insstrucions', word: 'instructions', expected: true },
  { title: 'three wrong letters in a long word', text: 'insstrucios', word: 'instructions', expected: false },
  { title: 'a short word', text: 'utso', word: 'utos', expected: false },
  { title: 'a long text', text: 'instructions'.repeat(20), word: 'instructions', expected: false },
];

describe('foldWord', () => {
  it.each(FOLDED)('removes $title', ({ text, expected }) => {
    expect(foldWord(text)).toBe(expected);
  });
});

describe('isSpelling', () => {
  it.each(SPELLINGS)('$title: $text', ({ text, word, expected }) => {
    expect(isSpelling(text, word)).toBe(expected);
  });
});

describe('WordIndex', () => {
  const index = new WordIndex([
    ['ignore', 'en'],
    ['ignore', 'fr'],
    ['ignora', 'it'],
    ['all', 'any'],
  ]);

  it('finds every value of a word', () => {
    expect(index.find('ignore')).toEqual(['en', 'fr']);
    expect(index.find('all')).toEqual(['any']);
    expect(index.find('ignroe')).toEqual([]);
  });

  it('finds the values of words of which another is a misspelling, each once', () => {
    expect([...index.findMisspelt('ignroe')].sort()).toEqual(['en', 'fr']);
    expect([...index.findMisspelt('ignor')].sort()).toEqual(['en', 'fr', 'it']);
    expect(index.findMisspelt('al')).toEqual([]);
  });

  it.each(SPELLINGS.filter(({ text, word }) => text !== word))(
    'agrees with isSpelling: $title',
    ({ text, word, expected }) => {
      expect(new WordIndex([[word, 1]]).findMisspelt(text)).toEqual(expected ? [1] : []);
    },
  );
});
