import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileName, readJsonFile, settingsFile, stateFolder, withLock, writeJsonFile } from '../src/state.ts';
import { TestFolder } from './fixtures/rig.ts';

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

describe('folders', () => {
  test('of the state', () => {
    expect(stateFolder({ SALLYPORT_STATE: '/a' })).toBe('/a');
    expect(stateFolder({ XDG_STATE_HOME: '/b' })).toBe('/b/sallyport');
    expect(stateFolder({ SALLYPORT_STATE: '', XDG_STATE_HOME: '' })).toMatch(/\/\.local\/state\/sallyport$/);
  });

  test('of the settings: never the working folder', () => {
    expect(settingsFile({ XDG_CONFIG_HOME: '/c' })).toBe('/c/sallyport/sallyport.yaml');
    expect(settingsFile({})).toMatch(/^\/.*\/\.config\/sallyport\/sallyport\.yaml$/);
  });
});

describe('names of files', () => {
  test.each([
    '../x',
    '..',
    '.',
    '/etc/passwd',
    'a/b',
    'a\\b',
    'C:\\x',
    '\u0000',
    '\n',
    'con*',
    "it's",
    '__proto__',
    '',
  ])('%j stays in the folder', (name) => {
    expect(fileName(name)).toMatch(/^[\w%!~-]*\.json$/);
    expect(resolve('/state/pins', fileName(name))).toBe(`/state/pins/${fileName(name)}`);
  });

  test('different names have different files', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(fileName(one) === fileName(other)).toBe(one === other);
        expect(fileName(one)).toMatch(/^[\w%!~-]*\.json$/);
      }),
    );
  });
});

describe('files', () => {
  test('are readable only by the user, as are their folders', () => {
    const path = join(testFolder.state, 'pins', 'a.json');
    writeJsonFile(path, { a: 1 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    for (const folder of [testFolder.state, join(testFolder.state, 'pins')])
      expect(statSync(folder).mode & 0o777).toBe(0o700);
    chmodSync(path, 0o644);
    writeJsonFile(path, { a: 2 });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readJsonFile(path)).toEqual({ a: 2 });
    expect(readdirSync(join(testFolder.state, 'pins'))).toEqual(['a.json']);
  });

  test('a missing file is undefined; the error for invalid JSON names the file', () => {
    expect(readJsonFile(testFolder.path('none.json'))).toBeUndefined();
    const path = testFolder.write('broken.json', '{');
    expect(() => readJsonFile(path)).toThrow(`${path} is not valid JSON.`);
  });
});

describe('withLock', () => {
  test('removes the lock afterwards, even after a failure', () => {
    const path = testFolder.path('x.json');
    expect(withLock(path, () => existsSync(`${path}.lock`))).toBe(true);
    expect(() =>
      withLock(path, () => {
        throw new Error('in the work');
      }),
    ).toThrow('in the work');
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('fails if the lock is held, and ignores a stale lock', () => {
    const path = testFolder.path('x.json');
    mkdirSync(`${path}.lock`);
    utimesSync(`${path}.lock`, new Date(50_000), new Date(50_000));
    let worked = 0;
    let waited = 0;
    const pause = (milliseconds: number): void => {
      waited += milliseconds;
    };
    const attempt = (now: number) => withLock(path, () => worked++, { pause, clock: () => now });
    expect(() => attempt(60_000)).toThrow(`another process holds the lock ${path}.lock.`);
    expect([worked, waited]).toEqual([0, 2000]);
    attempt(60_001);
    expect([worked, waited]).toEqual([1, 2000]);
  });

  test('concurrent processes lose no update', async () => {
    const path = testFolder.path('count.json');
    const state = new URL('../dist/state.js', import.meta.url).href;
    const code = `
      const { readJsonFile, withLock, writeJsonFile } = await import(${JSON.stringify(state)});
      const path = ${JSON.stringify(path)};
      // A longer pause, so that two hundred tries are enough on a busy machine.
      const cell = new Int32Array(new SharedArrayBuffer(4));
      const pause = () => Atomics.wait(cell, 0, 0, 150);
      for (let index = 0; index < 100; index++)
        withLock(path, () => writeJsonFile(path, [...(readJsonFile(path) ?? []), process.pid]), { pause });
    `;
    const ended = await Promise.all(
      [0, 1, 2].map(() => {
        const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' });
        return new Promise((done) => child.on('close', done));
      }),
    );
    expect(ended).toEqual([0, 0, 0]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveLength(300);
  });
});
