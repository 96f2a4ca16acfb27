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

test('requests are refused while too many bytes are read or checked', async () => {
  let checking = 0;
  const load = new Load({ checking: () => checking });
  let end: () => void = () => undefined;
  const reading = load.reading(40 * MIB, () => new Promise<void>((resolve) => (end = resolve)));
  expect(load.excess).toBeUndefined();
  checking = 30 * MIB;
  expect(load.excess).toBe('bytes');
  end();
  await reading;
  expect(load.excess).toBeUndefined();
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
