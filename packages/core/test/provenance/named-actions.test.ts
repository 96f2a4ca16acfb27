import { describe, expect, it } from 'vitest';
import { namesAction, stemsOf } from '../../src/provenance/mentions.ts';

const CASES: readonly { title: string; payload: readonly [text: string, tool: string]; expected: boolean }[] = [
  { title: 'by all words of its name', payload: ['Delete the repository now', 'git_delete_repo'], expected: true },
  { title: 'by a name in camel case', payload: ['deleting all repositories', 'deleteRepo'], expected: true },
  {
    title: 'by half of the words of its name',
    payload: ['Change the shop account password', 'update_account_password'],
    expected: true,
  },
  {
    title: 'not by fewer than half of the words',
    payload: ['your account is new', 'update_account_password_rules'],
    expected: false,
  },
  { title: 'not by generic words alone', payload: ['use the git api', 'git_api_star'], expected: false },
  { title: 'not if the text names another action', payload: ['Send a letter', 'delete_repo'], expected: false },
  { title: 'not if its name has no words', payload: ['x', 't1'], expected: false },
];

describe('a text names the action of a tool', () => {
  it.each(CASES)('$title', ({ payload: [text, tool], expected }) => {
    expect(namesAction(stemsOf(text), tool)).toBe(expected);
  });
});
