import { describe, expect, test } from 'vitest';
import type { Driver } from '../src/driver/driver.ts';
import { cellOf, SCENARIOS } from '../src/suite.ts';

/** Every scenario with one framework: it passes, or the driver names the reason why it is impossible. */
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
