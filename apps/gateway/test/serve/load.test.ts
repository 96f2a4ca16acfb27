import { expect, test } from 'vitest';
import { Load } from '../../src/serve/load.ts';
import { excessIn } from '../../src/serve/message-limits.ts';

const MIB = 1024 * 1024;

test.each([
  ['a small message', '{"a":[1,2,"b,{["]}', undefined],
  ['9,000 values', `[${'1,'.repeat(8999)}1]`, undefined],
  ['20,000 values', `[${'1,'.repeat(19_999)}1]`, 'more than 10000 values'],
  [
    '20,000 members',
    `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":0`).join()}}`,
    'more than 10000 values',
  ],
  ['20,000 empty arrays', `[${'[],'.repeat(19_999)}[]]`, 'more than 10000 values'],
  ['64 levels', '['.repeat(64) + ']'.repeat(64), undefined],
  ['65 levels', '['.repeat(65) + ']'.repeat(65), 'more than 64 levels'],
  ['commas and brackets in a string', JSON.stringify(`\\"${'[,'.repeat(20_000)}`), undefined],
  ['a string that does not end', `"${'\\"'.repeat(20_000)}`, undefined],
])('%s', (_, text, reason) => {
  if (reason === undefined) expect(excessIn(text)).toBeUndefined();
  else expect(excessIn(text)).toContain(reason);
});

test('requests are refused while too many bytes are read or checked', () => {
  let checking = 0;
  const load = new Load({ checking: () => checking, maxBytesOfPrincipal: 64 * MIB });
  const upload = load.upload('ann');
  expect(upload.add(40 * MIB)).toBeUndefined();
  expect(load.excess).toBeUndefined();
  checking = 30 * MIB;
  expect(load.excess).toBe('bytes');
  // A request that was admitted before sends no more either.
  expect(load.upload('bob').add(1)).toBe('bytes');
  upload.arrived();
  expect(load.excess).toBeUndefined();
  load.close();
});

test('the open requests of one principal have a limit of bytes, and those of others are not counted', () => {
  const load = new Load({ checking: () => 0 });
  const [first, second, other] = [load.upload('ann'), load.upload('ann'), load.upload('bob')];
  expect(first.add(12 * MIB)).toBeUndefined();
  // What has arrived counts until the request has ended: its text is kept until then.
  first.arrived();
  expect(second.add(5 * MIB)).toBe('share');
  expect(other.add(12 * MIB)).toBeUndefined();
  first.end();
  first.end();
  expect(second.add(1)).toBeUndefined();
  second.end();
  expect(load.upload('ann').add(16 * MIB)).toBeUndefined();
  load.close();
});

test('requests are refused while the event loop is late, but not after one pause', () => {
  const load = new Load({ checking: () => 0 });
  load.recordDelay(2000);
  expect(load.excess).toBeUndefined();
  load.recordDelay(2000);
  expect(load.excess).toBe('delay');
  for (let sample = 0; sample < 10; sample++) load.recordDelay(0);
  expect(load.excess).toBeUndefined();
  load.close();
});
