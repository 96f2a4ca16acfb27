import { expect, it } from 'vitest';
import * as classifierOnnx from '../src/index.ts';

it('exports this and nothing else', () => {
  expect(Object.keys(classifierOnnx).sort()).toEqual([
    'combine',
    'createLlmClassifier',
    'createOnnxClassifier',
    'readTokenizer',
  ]);
});
