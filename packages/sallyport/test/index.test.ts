import * as classifier from '@sallyport/classifier';
import * as core from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import * as sallyport from '../src/index.ts';

describe('the public surface', () => {
  it('is exactly this at run time', () => {
    expect(Object.keys(sallyport).sort()).toEqual([
      'SallyportError',
      'createBoundary',
      'dangerouslyTrust',
      'defineTool',
      'escapePromptMarkers',
      'fillTemplate',
      'judgeWith',
      'promoteMemory',
      'prompt',
      'promptMarkerFilter',
      'restoreMemory',
      'sanitizeContext',
      'source',
      'spanClassifier',
      'storeMemory',
    ]);
  });

  it('is what core and the classifier have, but for createBoundary', () => {
    const below: Record<string, unknown> = { ...core, ...classifier };
    const other = Object.entries(sallyport).filter(([name, value]) => below[name] !== value);
    expect(other.map(([name]) => name)).toEqual(['createBoundary']);
  });

  it('weakens nothing except under a name that says so', () => {
    expect(Object.keys(sallyport).filter((name) => /dangerously|unsafe/i.test(name))).toEqual(['dangerouslyTrust']);
  });
});
