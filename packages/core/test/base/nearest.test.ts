import { expect, it } from 'vitest';
import { similarTo } from '../../src/base/nearest.ts';

const NAMES = ['mail', 'send_mail', 'calendar', 'thresholds', 'get'];

it.each([
  { title: 'a swapped pair', name: 'mial', expected: 'mail' },
  { title: 'a letter too many', name: 'calendars', expected: 'calendar' },
  { title: 'two letters', name: 'treshold', expected: 'thresholds' },
  { title: 'another case', name: 'Send_Mail', expected: 'send_mail' },
  { title: 'one letter of a short name', name: 'ge', expected: 'get' },
  { title: 'two letters of a short name', name: 'gist', expected: undefined },
  { title: 'three letters of a long name', name: 'calendarium', expected: undefined },
  { title: 'another word', name: 'billing', expected: undefined },
])('similarTo: $title', ({ name, expected }) => {
  expect(similarTo(name, NAMES)).toBe(expected);
});
