import { expect, it } from 'vitest';
import { EFFECTS } from '../../src/call/effect.ts';
import { asksMoreThanExecute } from '../../src/gate/table.ts';

it('asks more about these effects than about `execute` where the user is not heard', () => {
  expect(EFFECTS.filter(asksMoreThanExecute)).toEqual(expect.arrayContaining(['spend', 'configure', 'destroy']));
  expect(EFFECTS.filter(asksMoreThanExecute)).toHaveLength(3);
});
