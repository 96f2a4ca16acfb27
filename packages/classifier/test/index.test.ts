import { describe, expect, it } from 'vitest';
import * as classifier from '../src/index.ts';

describe('the public surface', () => {
  it('is exactly this at run time', () => {
    expect(Object.keys(classifier).sort()).toEqual(['TAGS', 'findSpans', 'spanClassifier']);
  });

  it('has these tags, in this order: the head of the model counts them', () => {
    expect(classifier.TAGS).toEqual([
      'imperative',
      'exfiltration',
      'role-override',
      'system-prompt-shaped',
      'tool-invocation-shaped',
      'concealment',
      'answer-steering',
    ]);
  });
});
