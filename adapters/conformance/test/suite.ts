import { describe, expect, test } from 'vitest';
import type { Driver } from '../src/driver/driver.ts';
import { cellOf, SCENARIOS } from '../src/suite.ts';

/** Every scenario against one framework: it passes, or the driver says why it cannot exist. */
export function testDriver(driver: Driver): void {
  describe(driver.name, () => {
    for (const scenario of SCENARIOS)
      test(scenario.title, async () => {
        const reason = driver.impossible[scenario.id];
        const expected = reason === undefined ? { type: 'passed' } : { type: 'impossible', reason };
        expect(await cellOf(driver, scenario)).toEqual(expected);
      });
  });
}
