import { SallyportError } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import * as door from '../src/index.ts';
import { KEY, Rig } from './fixture/rig.ts';

it('has these exports and no others', () => {
  expect(Object.keys(door).sort()).toEqual([
    'CONVERSATIONS',
    'Lines',
    'META',
    'MODES',
    'Memories',
    'STRUCTURED',
    'answerIn',
    'callDigest',
    'caseless',
    'createGuard',
    'createProxy',
    'definitionDigest',
    'idFromEnds',
    'offered',
    'partName',
    'passagesIn',
    'questionOf',
    'redactExcerpt',
    'redactStrings',
    'shownValues',
    'skeletonOf',
  ]);
});

it('uses these names in _meta', () => {
  expect(door.META).toEqual({
    conversation: 'sallyport/conversation',
    source: 'sallyport/source',
    decision: 'sallyport/decision',
  });
  expect(door.MODES).toEqual(['frame', 'annotate']);
  expect(door.STRUCTURED).toEqual(['text-only', 'keep', 'typed']);
});

describe('createProxy', () => {
  it.each([
    ['an unknown mode', { mode: 'raw' }],
    ['an unknown mode of structured content', { structured: 'drop' }],
    ['no time for a question', { askTimeout: 0 }],
    ['more time than a timer supports', { askTimeout: 2 ** 31 }],
    ['a time that is not a number', { askTimeout: Number.NaN }],
    ['an empty principal', { principal: '' }],
    ['a principal that is not a string', { principal: 5 }],
    ['a key that is too short', { key: KEY.subarray(1) }],
    ['an unknown preset', { gate: { preset: 'lax' } }],
    ['an invalid classifier', { classifier: {} }],
  ])('refuses %s at creation', (_, options) => {
    expect(() => new Rig(options as never)).toThrow(SallyportError);
  });
});
