import { expect, test } from 'vitest';
import { Crowd } from '../../src/serve/concurrency-limit.ts';

test('nobody has more open than he may, and others do not suffer', () => {
  const crowd = new Crowd(2);
  const leave = [crowd.enter('a'), crowd.enter('a')];
  expect(leave.every((each) => each !== undefined)).toBe(true);
  expect(crowd.enter('a')).toBeUndefined();
  expect(crowd.enter('b')).toBeDefined();
  leave[0]?.();
  expect(crowd.enter('a')).toBeDefined();
  expect(crowd.enter('a')).toBeUndefined();
});
