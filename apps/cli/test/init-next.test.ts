import { chmodSync, existsSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { createRig, PLAIN, type Rig } from './init-rig.ts';

const FILE = 'home/.cursor/mcp.json';

function joined(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** A rig in which the program is a file in the home folder. */
function installed(isOnPath: boolean): { rig: Rig; run: (...args: readonly string[]) => ReturnType<Rig['run']> } {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const main = rig.write('home/checkout/sallyport/main.js', '');
  const node = rig.write('bin/node', '');
  chmodSync(node, 0o755);
  const bin = dirname(node);
  if (isOnPath) symlinkSync(main, join(bin, 'sallyport'));
  const options = { launcher: `${node} ${main}`, environment: { PATH: `/nowhere:${bin}` } };
  return { rig, run: (...args) => rig.run(args, options) };
}

test('init says what to do next', async () => {
  const { run } = installed(true);
  expect((await run('--yes')).out).toContain(`Restart the clients: they read their configuration when they start.
Then test the wrapper and your servers, and watch what is held, denied or
flagged:
  sallyport doctor
  sallyport log --follow
Sallyport asks from now on. To only watch:
  sallyport init --observe
To remove the wrapper again:
  sallyport init --undo
`);
});

test('commands to copy are short: by the name on the PATH, or else with ~', async () => {
  expect((await installed(true).run()).out).toContain('changes:\n  sallyport init --no-hooks --yes\n');
  const { rig, run } = installed(false);
  expect((await run()).out).toContain('changes:\n  node ~/checkout/sallyport/main.js init --no-hooks --yes\n');
  await run('--yes');
  expect(rig.read(FILE)).toContain(join(rig.home, 'checkout/sallyport/main.js'));
  const { out } = await run('--yes', '--undo');
  expect([out.includes('wrote ~/.cursor/mcp.json'), rig.read(FILE)]).toEqual([true, PLAIN]);
});

test('another program of the same name is not taken for this one', async () => {
  const { rig, run } = installed(false);
  rig.write('bin/sallyport', '');
  expect((await run()).out).toContain('  node ~/checkout/sallyport/main.js init --no-hooks --yes\n');
});

test('--undo says what stays and how to remove it, unless it was for some clients only', async () => {
  const { rig, run } = installed(true);
  await run('--yes');
  expect((await run('--undo', '--yes')).out).not.toContain('stay in');
  rig.write('state/key', '');
  await run('--yes');
  expect((await run('--undo', '--yes', '--client', 'cursor')).out).not.toContain('stay in');
  await run('--yes');
  const { out } = await run('--undo', '--yes');
  const state = join(dirname(rig.home), 'state');
  expect(out).toContain(`  sallyport daemon --stop\n  rm -r ${state}\n`);
  expect(joined(out)).toContain(`The pins, approvals, log and key stay in ${state}, and the local process`);
});

test('--undo removes the folders that were made for hooks, if they are empty', async () => {
  const rig = createRig();
  rig.write('home/.config/Code/User/settings.json', '{}');
  const run = (...args: readonly string[]): ReturnType<Rig['run']> => rig.run([...args, '--yes'], { hooks: true });
  await run();
  expect(existsSync(join(rig.home, '.copilot/hooks/sallyport.json'))).toBe(true);
  await run('--undo');
  expect(existsSync(join(rig.home, '.copilot'))).toBe(false);
  await run();
  rig.write('home/.copilot/hooks/mine.json', '{}');
  await run('--undo');
  expect(existsSync(join(rig.home, '.copilot/hooks/mine.json'))).toBe(true);
  expect(existsSync(join(rig.home, '.copilot/hooks/sallyport.json'))).toBe(false);
});

test('init says which command others need who use the project', async () => {
  const { rig, run } = installed(true);
  expect((await run('--dry-run')).out).not.toContain('Others who use');
  rig.write('project/.mcp.json', PLAIN);
  expect(joined((await run('--dry-run', '--project')).out)).toContain(
    'Others who use the project need the command that it starts from now on: sallyport',
  );
});
