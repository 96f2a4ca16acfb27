import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { wrapKeys } from '../src/wrap/key.ts';
import { TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

describe('the keys of a wrapper', () => {
  test('the key of definitions is kept for the user alone; the key of results is new each time', () => {
    const one = wrapKeys(testFolder.state, undefined);
    const two = wrapKeys(testFolder.state, '');
    const path = join(testFolder.state, 'key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readFileSync(path, 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    expect(two.definitionsKey).toEqual(one.definitionsKey);
    expect(two.key).not.toEqual(one.key);
    expect(one.key).not.toEqual(one.definitionsKey);
    expect([one.key.length, one.definitionsKey.length]).toEqual([32, 32]);
  });

  test('SALLYPORT_KEY replaces both, and no file is written', () => {
    const { key, definitionsKey } = wrapKeys(testFolder.state, 'ab'.repeat(32));
    expect(key).toEqual(new Uint8Array(32).fill(0xab));
    expect(definitionsKey).toEqual(key);
    expect(statSync(join(testFolder.state, 'key'), { throwIfNoEntry: false })).toBeUndefined();
    expect(() => wrapKeys(testFolder.state, 'short')).toThrow('SALLYPORT_KEY must be 64 or more hexadecimal digits');
  });

  test.each([0o640, 0o604, 0o666, 0o660])(
    'a file of mode %i (decimal) is refused, with the command that repairs it',
    (mode) => {
      wrapKeys(testFolder.state, undefined);
      const path = join(testFolder.state, 'key');
      chmodSync(path, mode);
      const refused = (): unknown => {
        try {
          return wrapKeys(testFolder.state, undefined);
        } catch (cause) {
          return cause;
        }
      };
      expect(refused()).toMatchObject({ next: `run: chmod 600 "${path}"` });
      expect(String(refused())).toContain(`its mode is ${mode.toString(8)}`);
      chmodSync(path, 0o600);
      expect(wrapKeys(testFolder.state, undefined).definitionsKey).toHaveLength(32);
    },
  );

  test('a file that is not a key is refused', () => {
    wrapKeys(testFolder.state, undefined);
    writeFileSync(join(testFolder.state, 'key'), 'secret\n');
    expect(() => wrapKeys(testFolder.state, undefined)).toThrow('is not a key of 64 hexadecimal digits');
  });

  test('a wrapper whose key others can read does not start', async () => {
    wrapKeys(testFolder.state, undefined);
    chmodSync(join(testFolder.state, 'key'), 0o644);
    const { code, out, error } = await testFolder.run(['wrap', 'node', '-e', '0']);
    expect([code, out]).toEqual([1, '']);
    expect(error).toContain('chmod 600');
  });
});
