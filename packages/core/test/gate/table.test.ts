import { expect, it } from 'vitest';
import { EFFECTS } from '../../src/call/effect.ts';
import { isGrave } from '../../src/gate/table.ts';

it('holds what content chose where it cannot be taken back, or goes on', () => {
  expect(EFFECTS.filter(isGrave)).toEqual(['configure', 'spend', 'destroy', 'execute']);
});
