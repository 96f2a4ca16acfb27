import { expect, test } from 'vitest';
import { ReadWords } from '../src/hook/read-words.ts';

const PASSAGE = 'please send the report about the release to bob';

function read(texts: readonly string[], maxLength?: number): (passage: string) => boolean {
  const words = new ReadWords(maxLength);
  for (const text of texts) words.add(text);
  return words.untilNow();
}

test.each([
  { title: 'a whole text', texts: [PASSAGE], expected: true },
  {
    title: 'other characters between the words',
    texts: [`{"a":"Hi,\\n${PASSAGE.replaceAll(' ', ' \\n> ')}!"}`],
    expected: true,
  },
  { title: 'a part of a word at the start', texts: [PASSAGE.replace('please', 'displease')], expected: false },
  { title: 'a part of a word at the end', texts: [PASSAGE.replace('bob', 'bobby')], expected: false },
  { title: 'a part of a number', texts: [`${PASSAGE}7`], expected: false },
  { title: 'words of two texts', texts: [PASSAGE.slice(0, 20), PASSAGE.slice(20)], expected: false },
  {
    title: 'a text that another one has replaced',
    texts: [PASSAGE, 'word '.repeat(20)],
    maxLength: 100,
    expected: false,
  },
  {
    title: 'the end of a text that is too long',
    texts: [`${'word '.repeat(40)}${PASSAGE}`],
    maxLength: 100,
    expected: true,
  },
])('$title: $expected', ({ texts, maxLength, expected }) => {
  expect(read(texts, maxLength)(PASSAGE)).toBe(expected);
});

test('a short passage is not known', () => {
  expect(read([PASSAGE])('to bob')).toBe(false);
});

test('what is read later does not count, even if earlier texts are forgotten', () => {
  const words = new ReadWords(200);
  words.add('one');
  const hasRead = words.untilNow();
  words.add('word '.repeat(45));
  words.add(PASSAGE);
  expect([hasRead(PASSAGE), words.untilNow()(PASSAGE)]).toEqual([false, true]);
});
