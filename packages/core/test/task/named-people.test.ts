import { describe, expect, it } from 'vitest';
import { peopleIn } from '../../src/task/mentions.ts';

const CASES: readonly { title: string; payload: string; expected: readonly string[] }[] = [
  { title: 'a capitalised word within a sentence', payload: 'do what Bob says in the mail', expected: ['bob'] },
  {
    title: 'a first word that a verb follows',
    payload: 'Bob sent me a code. Alice asks for a lamp.',
    expected: ['bob', 'alice'],
  },
  {
    title: 'a first word in the genitive',
    payload: "Alice's mouse is broken. Bob\u2019s too.",
    expected: ['alice', 'bob'],
  },
  {
    title: 'not the first word of a command',
    payload: 'Check my mail. Please do it: Use the code.\nRead on!',
    expected: [],
  },
  { title: 'not a first word in quotes or brackets', payload: '"Check it", (Send it)', expected: [] },
  { title: 'not a pronoun', payload: 'This is it. There was one. What matters?', expected: [] },
  { title: 'not a word of two letters or of capitals alone', payload: 'ask Al or IBM', expected: [] },
];

describe('a name in a text is', () => {
  it.each(CASES)('$title', ({ payload, expected }) => {
    expect(peopleIn(payload)).toEqual(expected);
  });
});
