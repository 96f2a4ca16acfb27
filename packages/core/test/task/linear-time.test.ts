import { describe, expect, it } from 'vitest';
import { Task } from '../../src/task/task.ts';
import { isLinear, repeated } from '../fixture/linear.ts';

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
  'commit and push ',
  'commit, push with message ',
];

describe('the time to hear a text', () => {
  it.each(UNITS)('grows linearly with the text: %j', { timeout: 60_000 }, async (unit) => {
    expect(await isLinear(60_000, (size) => new Task().hear(repeated(unit, size)))).toBe(true);
  });
});
