import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRig, PLAIN, type Rig } from './init-rig.ts';

const SETTINGS = 'home/.config/sallyport/sallyport.yaml';

function rigWithServer(): Rig {
  const rig = createRig();
  rig.write('home/.cursor/mcp.json', PLAIN);
  return rig;
}

test('at a terminal, watching first is offered and recommended, once', async () => {
  const rig = rigWithServer();
  const { questions, out } = await rig.run([], { answer: true, mode: 'w' });
  expect(questions).toEqual([expect.stringContaining('(recommended)'), 'Write these changes?']);
  expect(rig.read(SETTINGS)).toBe('defaults:\n  observe: true\n');
  expect(out).toContain('cli log --summary\n');
  await rig.run(['--undo', '--yes']);
  expect((await rig.run([], { answer: true, mode: 'a' })).questions).toEqual(['Write these changes?']);
});

test('nothing is written if the changes are not confirmed', async () => {
  const rig = rigWithServer();
  await rig.run([], { answer: false, mode: 'w' });
  await rig.run(['--observe', '--dry-run'], { answer: true });
  expect(existsSync(join(rig.home, '.config/sallyport'))).toBe(false);
});

test('without a terminal it asks unless it is told to watch', async () => {
  const rig = rigWithServer();
  const { out, questions } = await rig.run(['--yes']);
  expect(questions).toEqual([]);
  expect(out).toContain('Sallyport asks from now on. To only watch:');
  expect(existsSync(join(rig.home, '.config/sallyport'))).toBe(false);
  const other = rigWithServer();
  expect((await other.run(['--observe'])).out).toContain('init --observe --no-hooks --yes\n');
  expect((await other.run(['--observe', '--yes'])).out).toContain('Sallyport only watches');
});

test('one word switches asking on and off later, and keeps the other settings', async () => {
  const rig = rigWithServer();
  await rig.run(['--yes']);
  rig.write(SETTINGS, '# mine\ndefaults: { preset: strict }\nservers:\n  a: { trusted: true } # its owner is me\n');
  expect(await rig.run(['--observe'])).toMatchObject({ code: 0, out: expect.stringContaining('only watches') });
  expect(rig.read(SETTINGS)).toBe(
    '# mine\ndefaults: { preset: strict, observe: true }\nservers:\n  a: { trusted: true } # its owner is me\n',
  );
  expect(await rig.run(['--ask'])).toMatchObject({ code: 0, out: expect.stringContaining('asks from now on') });
  expect(rig.read(SETTINGS)).toContain('observe: false');
});

test.each([
  ['--observe', '--ask'],
  ['--observe', '--undo'],
  ['--ask', '--undo'],
])('%s and %s do not go together', async (...words) => {
  expect((await rigWithServer().run(words)).code).toBe(2);
});
