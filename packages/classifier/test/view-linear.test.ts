import { describe, expect, it } from 'vitest';
import { readView } from '../src/view.ts';

const UNITS = [
  '<',
  '<!-- ',
  '<div style="',
  "<a b='",
  '<a ',
  '<p hidden>',
  '<p style="display:none">',
  '%41',
  'a%20',
  'a+',
  'QUJD',
  'aWdub3JlIGFsbCBwcmV2',
  `${'A'.repeat(64)}\n`,
  'abcdefghijklmnop/',
  'deadbeef',
  '69 67 ',
  '0x69, ',
  '\\x41',
  '\\u0041',
  '\\',
  '\\ud83d',
  'C:\\n',
  'a\u200b',
  'a\u0301\u0301\u0301',
  '\u0301\u034f',
  '\u{e0041}',
  '\u{e0151}',
  '\ud800',
  'i_g_',
  'i ',
  'a.',
  'a@',
  '!a!!',
  '1gn0r3 4ll ',
  'gur naq ',
  '![a](http://',
  '](a "',
  '[](a (',
  '[a]: b (',
  '[a]: b (\n',
  '[',
  ']',
  '"',
  "'",
  '`',
  " 'a",
  '"a\n',
  '"ab","cd",',
  '"ab"+',
  '{"a":"b c d",',
  '&',
  '&amp;',
  '&#105;',
  '\n',
  ' ',
  'a',
  '=',
  '\u0430a ',
  '\u3316',
  '\u{1d41a}',
];
const SIZE = 60_000;

function timeOf(text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const before = process.cpuUsage();
    readView(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

describe('the time a view takes', () => {
  it.each(UNITS)('grows with the length of a text of %j', (unit) => {
    const text = unit.repeat(Math.ceil((2 * SIZE) / unit.length));
    const half = timeOf(text.slice(0, SIZE));
    const whole = timeOf(text.slice(0, 2 * SIZE));
    // Both are a few milliseconds, which a busy machine can double; a rescan would make it hundreds.
    expect(whole).toBeLessThan(3 * half + 15);
  });
});
