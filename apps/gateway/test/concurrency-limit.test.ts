import { expect, test } from 'vitest';
import { ConcurrencyLimit } from '../src/concurrency-limit.ts';

test('a caller cannot exceed the limit, and does not affect others', () => {
  const limit = new ConcurrencyLimit(2);
  const leave = [limit.enter('a'), limit.enter('a')];
  expect(leave.every((each) => each !== undefined)).toBe(true);
  expect(limit.enter('a')).toBeUndefined();
  expect(limit.enter('b')).toBeDefined();
  leave[0]?.();
  expect(limit.enter('a')).toBeDefined();
  expect(limit.enter('a')).toBeUndefined();
});
