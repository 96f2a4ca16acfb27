import { describe, expect, it } from 'vitest';
import { namesIn } from '../../src/provenance/mentions.ts';

const CASES: readonly { title: string; payload: string; expected: readonly string[] }[] = [
  { title: 'in a sentence', payload: 'do what Bob says in his mail', expected: ['bob'] },
  { title: 'before what he did', payload: 'Bob sent me a code. Alice asks for a lamp.', expected: ['bob', 'alice'] },
  { title: 'before what is his', payload: "Alice's mouse is broken. Bob\u2019s too.", expected: ['alice', 'bob'] },
  {
    title: 'not the first word of an order',
    payload: 'Check my mail. Please do it: Use the code.\nRead on!',
    expected: [],
  },
  { title: 'not in quotes either', payload: '"Check it", (Send it)', expected: [] },
  { title: 'not a word that only points', payload: 'This is it. There was one. What matters?', expected: [] },
  { title: 'not two letters, nor capitals alone', payload: 'ask Al or IBM', expected: [] },
];

describe('whom the user names', () => {
  it.each(CASES)('$title', ({ payload, expected }) => {
    expect(namesIn(payload)).toEqual(expected);
  });
});
