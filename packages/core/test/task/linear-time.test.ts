import { describe, expect, it } from 'vitest';
import { Task } from '../../src/task/task.ts';

const UNITS: readonly string[] = [
  "Please send it to bob@x.example and don't cc eve. ",
  'Send it to bob@x.example ',
  '.',
  '"a \u201c',
  '\u201ea \u201cb',
  '> x\n',
  'on a\n',
  "don't forget no no ",
  'no env\u00eda ',
  'schick nicht, aber ',
  '\u9001\u4fe1\u3057\u306a\u3044\u3067\u3001',
  '?a/',
  'has just sent me ',
  'make a mail and order, mail ',
  'write Bob $ ',
  'tell me ',
  'do a a a a a a a a a ',
  'a',
];

function timeOf(text: string): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    new Task().hear(text);
    return performance.now() - start;
  });
  return Math.min(...times);
}

describe('the time to hear a text', () => {
  it.each(UNITS)('grows linearly with the text: %j', { retry: 3, timeout: 60_000 }, (unit) => {
    const count = Math.ceil(60_000 / unit.length);
    timeOf(unit.repeat(count));
    expect(timeOf(unit.repeat(4 * count)) / timeOf(unit.repeat(count))).toBeLessThan(8);
  });
});
