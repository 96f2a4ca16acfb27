import { describe, expect, it } from 'vitest';
import type { Label } from '../../src/index.ts';
import { HIGHEST, isConfidentiality, isOrigin, LOWEST, lowerOrigin } from '../../src/label/label.ts';
import { CONFIDENTIALITIES, isAtMost, joinLabels, ORIGINS, vouches } from '../../src/stages.ts';

const all: readonly Label[] = ORIGINS.flatMap((integrity) =>
  CONFIDENTIALITIES.map((confidentiality) => ({ integrity, confidentiality })),
);

describe('the lattice', () => {
  it('has these members in this order', () => {
    expect(ORIGINS).toEqual(['policy', 'user', 'system', 'workspace', 'retrieved', 'external', 'unknown']);
    expect(CONFIDENTIALITIES).toEqual(['public', 'private', 'secret']);
    expect(HIGHEST).toEqual({ integrity: 'policy', confidentiality: 'public' });
    expect(LOWEST).toEqual({ integrity: 'unknown', confidentiality: 'secret' });
  });

  it('isOrigin and isConfidentiality accept the members only', () => {
    expect(ORIGINS.filter((origin) => !isOrigin(origin))).toEqual([]);
    expect(CONFIDENTIALITIES.filter((each) => !isConfidentiality(each))).toEqual([]);
    expect(['', 'POLICY', 'length', 0, null, undefined, ['user']].filter(isOrigin)).toEqual([]);
    expect(['', 'none', '0', 0, null, undefined].filter(isConfidentiality)).toEqual([]);
  });

  it('lowerOrigin returns the less trusted of two origins', () => {
    expect(lowerOrigin('user', 'external')).toBe('external');
    expect(lowerOrigin('external', 'user')).toBe('external');
    expect(lowerOrigin('unknown', 'unknown')).toBe('unknown');
  });
});

describe('joinLabels', () => {
  it('returns the lowest integrity and the highest confidentiality of all labels', () => {
    const joined = joinLabels([
      { integrity: 'external', confidentiality: 'public' },
      { integrity: 'user', confidentiality: 'secret' },
      { integrity: 'workspace', confidentiality: 'private' },
    ]);
    expect(joined).toEqual({ integrity: 'external', confidentiality: 'secret' });
    expect(Object.isFrozen(joined)).toBe(true);
  });

  it('returns the top for no labels', () => {
    expect(joinLabels([])).toBe(HIGHEST);
  });

  it('is idempotent, commutative and never above either label', () => {
    for (const one of all)
      for (const other of all) {
        const joined = joinLabels([one, other]);
        expect(joined).toEqual(joinLabels([other, one]));
        expect([isAtMost(joined, one), isAtMost(joined, other)]).toEqual([true, true]);
      }
    expect(all.map((label) => joinLabels([label, label]))).toEqual(all);
    expect(all.map((label) => joinLabels([label, HIGHEST]))).toEqual(all);
    expect(all.map((label) => joinLabels([label, LOWEST]))).toEqual(all.map(() => LOWEST));
  });

  it.each([
    { integrity: 'trusted', confidentiality: 'public' },
    { integrity: 'user', confidentiality: 'none' },
    { integrity: 'user' },
    {},
  ])('refuses %j', (label) => {
    expect(() => joinLabels([label as never])).toThrow(expect.objectContaining({ code: 'ERR_INVALID_LABEL' }));
  });
});

describe('isAtMost', () => {
  it.each([
    [['external', 'private'], ['user', 'private'], true],
    [['user', 'private'], ['external', 'private'], false],
    [['external', 'public'], ['user', 'private'], false],
    [['user', 'secret'], ['user', 'public'], true],
    [['user', 'public'], ['user', 'public'], true],
  ] as const)('%j at most %j: %j', ([integrity, confidentiality], [upper, upperConfidentiality], expected) => {
    expect(isAtMost({ integrity, confidentiality }, { integrity: upper, confidentiality: upperConfidentiality })).toBe(
      expected,
    );
  });
});

describe('vouches', () => {
  it('is true for the developer, the user and the operator only', () => {
    expect(ORIGINS.filter(vouches)).toEqual(['policy', 'user', 'system']);
  });
});
