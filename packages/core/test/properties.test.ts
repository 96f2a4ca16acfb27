import fc from 'fast-check';
import { describe, test } from 'vitest';
import { invariants } from './properties/all.ts';

const runs = Number(process.env.SALLYPORT_RUNS ?? 200);

describe.each(invariants)('invariant $number: $id', ({ property }) => {
  test('holds', async () => {
    await fc.assert(property as fc.IAsyncProperty<never>, { numRuns: runs, endOnFailure: false });
  });
});
