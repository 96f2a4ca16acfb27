import { SallyportError } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import * as door from '../src/index.ts';
import { KEY, Rig } from './fixture/rig.ts';

it('has these exports and no others', () => {
  expect(Object.keys(door).sort()).toEqual([
    'Lines',
    'META',
    'MODES',
    'Memories',
    'STRUCTURED',
    'answerIn',
    'caseless',
    'createGuard',
    'createProxy',
    'idFromEnds',
  ]);
});

it('writes and reads under these names in _meta', () => {
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
    ['a mode that there is not', { mode: 'raw' }],
    ['a mode of structured content that there is not', { structured: 'drop' }],
    ['no time to ask', { askTimeout: 0 }],
    ['more time than a timer has', { askTimeout: 2 ** 31 }],
    ['no number for a time', { askTimeout: Number.NaN }],
    ['nobody as principal', { principal: '' }],
    ['no text as principal', { principal: 5 }],
    ['a key that is too short', { key: KEY.subarray(1) }],
    ['a preset that there is not', { gate: { preset: 'lax' } }],
    ['a classifier that is none', { classifier: {} }],
  ])('refuses %s when it is built', (_, options) => {
    expect(() => new Rig(options as never)).toThrow(SallyportError);
  });
});
