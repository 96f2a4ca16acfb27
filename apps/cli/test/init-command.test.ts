import { expect, test } from 'vitest';
import { createRig, PLAIN } from './init-rig.ts';

const FILE = 'home/.cursor/mcp.json';

test('on a terminal, the user is asked how to begin and whether to write', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  rig.write('home/.codeium/windsurf/mcp_config.json', PLAIN);
  const no = await rig.run([], { answer: false });
  expect([no.code, no.questions.at(-1), rig.read(FILE)]).toEqual([3, 'Write these changes?', PLAIN]);
  const yes = await rig.run([], { answer: true });
  expect([yes.code, yes.questions.length]).toEqual([0, 2]);
  expect(yes.out).toContain('This will wrap 2 servers in 2 files:');
  expect(rig.read(FILE)).toContain('@sallyport/cli');
});

test('--yes writes without asking', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const { code, questions, out } = await rig.run(['-y'], { answer: false });
  expect([code, questions]).toEqual([0, []]);
  expect(out).toContain('To remove the wrapper again:\n  npx -y @sallyport/cli init --undo\n');
});

test('without a terminal nothing is written, and the complete next command is printed', async () => {
  const rig = createRig();
  const path = rig.write(FILE, PLAIN);
  const args = ['--client', 'cursor', '--file', path];
  const bare = await rig.run(args);
  expect([bare.code, bare.questions, rig.read(FILE)]).toEqual([3, [], PLAIN]);
  expect(bare.out).toContain(
    `To write the changes:\n  npx -y @sallyport/cli init --client cursor --file ${path} --no-hooks --yes\n`,
  );
  await rig.run(['--yes']);
  const undo = await rig.run([...args, '--launcher', 'sallyport', '--undo']);
  expect(undo.out).toContain(
    `To write the changes:\n  sallyport init --client cursor --file ${path} --undo --no-hooks --launcher sallyport --yes\n`,
  );
});

test('--dry-run shows the changes, writes nothing and exits with 0', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  const { code, questions, out } = await rig.run(['--dry-run', '--diff'], { answer: true });
  expect([code, questions, rig.read(FILE)]).toEqual([0, [], PLAIN]);
  expect(out).toContain('"--server", "files"');
});

test('the exit code of an unreadable file takes precedence over that of a missing confirmation', async () => {
  const rig = createRig();
  rig.write(FILE, PLAIN);
  rig.write('project/.mcp.json', '{');
  expect((await rig.run([])).code).toBe(1);
  expect((await rig.run(['--dry-run'])).code).toBe(1);
  expect((await rig.run(['--yes'])).code).toBe(1);
});

test('wrong usage exits with 2, and says what is wrong', async () => {
  const wrong = [
    [['--client', 'emacs'], 'Allowed choices are claude-desktop, claude-code, cursor, vscode, codex, windsurf'],
    [['--nonsense'], "unknown option '--nonsense'"],
    [['excess'], 'too many arguments'],
    [['--yes', '--dry-run'], 'cannot be used with'],
    [['--launcher', ' '], "option '--launcher' must be a command; received an empty text"],
    [['--launcher', 'node ./main.js'], 'received ./main.js'],
    [['--launcher', '~/bin/sallyport'], 'give the absolute path'],
  ] as const;
  for (const [args, message] of wrong) {
    const rig = createRig();
    rig.write(FILE, PLAIN);
    const { code, error } = await rig.run(args);
    expect([code, error.replace(/\s+/g, ' ')]).toEqual([2, expect.stringContaining(message)]);
    expect(rig.read(FILE)).toBe(PLAIN);
  }
});

test('--help shows examples and exit codes', async () => {
  const { code, out } = await createRig().run(['--help']);
  expect(code).toBe(0);
  for (const part of ['Usage: init', 'sallyport init --client cursor', 'sallyport init --undo', 'Exit codes:'])
    expect(out).toContain(part);
});
