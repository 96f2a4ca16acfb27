import { describe, expect, it } from 'vitest';
import { speaksOf, stemsOf } from '../../src/provenance/mentions.ts';

const CASES: readonly { title: string; payload: readonly [text: string, tool: string]; expected: boolean }[] = [
  { title: 'the words of its name', payload: ['Delete the repository now', 'git_delete_repo'], expected: true },
  { title: 'in camel case', payload: ['deleting all repositories', 'deleteRepo'], expected: true },
  { title: 'half of them', payload: ['Change the shop account password', 'update_account_password'], expected: true },
  { title: 'less than half', payload: ['your account is new', 'update_account_password_rules'], expected: false },
  { title: 'only what says nothing', payload: ['use the git api', 'git_api_star'], expected: false },
  { title: 'another deed', payload: ['Send a letter', 'delete_repo'], expected: false },
  { title: 'a name without words', payload: ['x', 't1'], expected: false },
];

describe('which tool a text speaks of', () => {
  it.each(CASES)('$title', ({ payload: [text, tool], expected }) => {
    expect(speaksOf(stemsOf(text), tool)).toBe(expected);
  });
});
