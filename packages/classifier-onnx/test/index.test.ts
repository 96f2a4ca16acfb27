import { expect, it } from 'vitest';
import * as door from '../src/index.ts';

it('exports this and nothing else', () => {
  expect(Object.keys(door).sort()).toEqual([
    'combine',
    'createJudgeClassifier',
    'createOnnxClassifier',
    'readTokenizer',
  ]);
});
