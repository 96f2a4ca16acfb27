import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type KeyPlace, keepKey, readKey, removeKey } from '../src/judge/key.ts';
import { JudgeRig, KEY } from './fixtures/judge-rig.ts';

const rig = new JudgeRig();

/** The programs of keychains, with a file each. They write down their arguments and variables. */
function keychain(isLocked = false): void {
  const code = `
    const { appendFileSync, readFileSync, writeFileSync, rmSync } = require('node:fs');
    const file = ${JSON.stringify(rig.folder.path('chain'))};
    const input = readFileSync(0, 'utf8');
    appendFileSync(${JSON.stringify(rig.folder.path('started'))}, JSON.stringify([process.argv.slice(2), process.env]) + '\\n');
    if (${isLocked}) process.exit(0);
    const all = process.argv.slice(2).join(' ');
    const added = /^add-generic-password .* -w "(.*)"\\n$/.exec(input)?.[1].replace(/\\\\(.)/g, '$1');
    try {
      if (all.startsWith('store')) writeFileSync(file, input);
      else if (added !== undefined) writeFileSync(file, added);
      else if (/^(lookup|find)/.test(all)) process.stdout.write(readFileSync(file, 'utf8') + '\\n');
      else rmSync(file);
    } catch { process.exit(1); }`;
  for (const name of ['secret-tool', 'security']) rig.program(name, code);
}

function place(platform: NodeJS.Platform): KeyPlace {
  mkdirSync(rig.folder.state, { recursive: true });
  return { stateFolder: rig.folder.state, platform, environment: { ...rig.environment, OPENAI_API_KEY: KEY } };
}

describe.each(['linux', 'darwin'] as const)('a key on %s', (platform) => {
  test.each([KEY, 'a"b\\c$(d)'])('is kept in the keychain: %s', async (key) => {
    keychain();
    const where = await keepKey(place(platform), key);
    expect(where).toBe('keychain');
    expect(await readKey(place(platform), where)).toBe(key);
    // Neither an argument nor a variable of the program has it.
    expect(readFileSync(rig.folder.path('started'), 'utf8')).not.toContain(KEY);
    expect(existsSync(join(rig.folder.state, 'judge-key'))).toBe(false);
    await removeKey(place(platform));
    await expect(readKey(place(platform), where)).rejects.toThrow('the keychain does not give the key.');
  });

  test('is kept in a file if the keychain is locked', async () => {
    keychain(true);
    expect(await keepKey(place(platform), KEY)).toBe('file');
    expect(await readKey(place(platform), 'file')).toBe(KEY);
  });
});

test('the command ends at once where the program of the keychain does not exist', async () => {
  const setUp = { type: 'endpoint', endpoint: rig.endpoint, format: 'openai', model: 'a', key: 'keychain' };
  mkdirSync(rig.folder.state);
  writeFileSync(join(rig.folder.state, 'judge.json'), JSON.stringify(setUp), { mode: 0o600 });
  const started = Date.now();
  const { code, error } = await rig.folder.run(['judge', 'test'], { env: rig.environment });
  expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining('the keychain does not give the key') });
  expect(Date.now() - started).toBeLessThan(8000);
});

test('a key that others can read is not used', async () => {
  expect(await keepKey(place('linux'), KEY)).toBe('file');
  chmodSync(join(rig.folder.state, 'judge-key'), 0o644);
  await expect(readKey(place('linux'), 'file')).rejects.toThrow('can be used by other users');
});

test('a key that is gone is an error that says what to do', async () => {
  await expect(readKey(place('linux'), 'file')).rejects.toMatchObject({ next: expect.stringContaining('judge set') });
});
