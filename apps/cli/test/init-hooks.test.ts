import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { claudeCode } from '../src/hook/hosts/claude-code.ts';
import { planHooks } from '../src/init/hooks/plan.ts';
import { createRig, PLAIN, type Rig } from './init-rig.ts';

const YES = ['--yes', '--launcher', 'sallyport'];
const SETTINGS = 'home/.claude/settings.json';
const HOOK = 'sallyport hook claude-code';

function run(rig: Rig, ...args: readonly string[]): ReturnType<Rig['run']> {
  return rig.run([...args, ...YES], { hooks: true });
}

const FILES: readonly { title: string; origin: string; payload: string }[] = [
  { title: 'an empty table', origin: 'a new user', payload: '{}' },
  { title: 'an empty table in lines', origin: 'a new user', payload: '{\n}\n' },
  { title: 'other settings', origin: 'a user', payload: '{\n  "model": "opus"\n}\n' },
  { title: 'other settings on one line', origin: 'a user', payload: '{"model":"opus"}' },
  {
    title: 'a trailing comma and comments',
    origin: 'a user',
    payload: '{\n  // mine\n  "model": "opus", // best\n}\n',
  },
  { title: 'tabs and carriage returns', origin: 'Windows', payload: '{\r\n\t"model": "opus"\r\n}\r\n' },
  { title: 'no hooks yet', origin: 'a user', payload: '{ "hooks": {} }' },
  {
    title: 'empty lists',
    origin: 'a user',
    payload: '{\n  "hooks": {\n    "PreToolUse": [],\n    "SessionEnd": [ ]\n  }\n}\n',
  },
  {
    title: 'hooks of the user',
    origin: 'a user',
    payload: `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "./check.sh" }] }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]
  },
  "model": "opus"
}
`,
  },
];

describe('hooks are added and removed, byte for byte', () => {
  test.each(FILES)('$title', async ({ payload }) => {
    const rig = createRig();
    rig.write(SETTINGS, payload);
    expect((await run(rig)).code).toBe(0);
    const after = rig.read(SETTINGS);
    expect(after.split(HOOK).length - 1).toBe(claudeCode.events.length);
    expect(after.includes('./check.sh')).toBe(payload.includes('./check.sh'));
    expect((await run(rig)).out).toContain('already has hooks');
    expect(rig.read(SETTINGS)).toBe(after);
    expect((await run(rig, '--undo')).code).toBe(0);
    expect(rig.read(SETTINGS)).toBe(payload);
    expect(existsSync(join(rig.home, '.claude', 'settings.json.sallyport-backup'))).toBe(false);
  });

  test('a file that did not exist is removed again', async () => {
    const rig = createRig();
    rig.write('home/.cursor/mcp.json', '{}');
    rig.write('home/.config/Code/User/settings.json', '{}');
    await run(rig);
    expect(JSON.parse(rig.read('home/.cursor/hooks.json'))).toMatchObject({
      version: 1,
      hooks: { beforeShellExecution: [{ command: 'sallyport hook cursor' }] },
    });
    expect(JSON.parse(rig.read('home/.copilot/hooks/sallyport.json'))).toMatchObject({
      hooks: { PreToolUse: [{ type: 'command', command: 'sallyport hook vscode' }] },
    });
    expect((await run(rig, '--undo')).out).toContain('deleted ~/.cursor/hooks.json');
    expect(existsSync(join(rig.home, '.cursor', 'hooks.json'))).toBe(false);
    expect(existsSync(join(rig.home, '.copilot', 'hooks', 'sallyport.json'))).toBe(false);
  });

  test('a file with servers and hooks gets both', async () => {
    const rig = createRig();
    rig.write('home/.gemini/settings.json', PLAIN);
    const { out } = await run(rig);
    expect(out).toContain('This will wrap 1 server and add hooks to 1 host, in 1 file:');
    expect(rig.read('home/.gemini/settings.json')).toContain('sallyport hook gemini-cli');
    expect(rig.read('home/.gemini/settings.json')).toContain('"--server"');
    await run(rig, '--undo');
    expect(rig.read('home/.gemini/settings.json')).toBe(PLAIN);
  });

  test('hooks that the user adds later stay', async () => {
    const rig = createRig();
    rig.write(SETTINGS, '{}');
    await run(rig);
    const settings = JSON.parse(rig.read(SETTINGS)) as { hooks: { PreToolUse: unknown[] } };
    settings.hooks.PreToolUse.unshift({ matcher: 'Bash', hooks: [{ type: 'command', command: './mine.sh' }] });
    rig.write(SETTINGS, JSON.stringify(settings, null, 2));
    await run(rig, '--undo');
    expect(JSON.parse(rig.read(SETTINGS))).toEqual({
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: './mine.sh' }] }] },
    });
  });
});

const OTHERS: readonly {
  readonly title: string;
  readonly sign: string;
  readonly file: string;
  readonly command: string;
  readonly origin: string;
  readonly payload: string;
}[] = [
  {
    title: 'Codex',
    sign: '.codex/config.toml',
    file: '.codex/hooks.json',
    command: 'sallyport hook codex',
    origin: 'a user',
    payload: '{\n  "hooks": {\n    "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }]\n  }\n}\n',
  },
  {
    title: 'Windsurf',
    sign: '.codeium/windsurf/mcp_config.json',
    file: '.codeium/windsurf/hooks.json',
    command: 'sallyport hook windsurf',
    origin: 'a user',
    payload: '{ "hooks": { "pre_run_command": [{ "command": "python3 check.py", "show_output": true }] } }',
  },
  {
    title: 'Copilot CLI',
    sign: '.copilot/config.json',
    file: '.copilot/hooks/sallyport.json',
    command: 'sallyport hook vscode',
    origin: 'a user',
    payload: '{\n  "version": 1,\n  "hooks": {}\n}\n',
  },
];

describe.each(OTHERS)('$title', ({ sign, file, command, payload }) => {
  test('hooks are added to those of the user, and removed byte for byte', async () => {
    const rig = createRig();
    rig.write(`home/${sign}`, '');
    rig.write(`home/${file}`, payload);
    await run(rig);
    const after = rig.read(`home/${file}`);
    expect(after).toContain(`"${command}"`);
    await run(rig);
    expect(rig.read(`home/${file}`)).toBe(after);
    await run(rig, '--undo');
    expect(rig.read(`home/${file}`)).toBe(payload);
  });

  test('a file that did not exist is removed again', async () => {
    const rig = createRig();
    rig.write(`home/${sign}`, '');
    await run(rig);
    expect(rig.read(`home/${file}`)).toContain(`"${command}"`);
    await run(rig, '--undo');
    expect(existsSync(join(rig.home, file))).toBe(false);
    expect(existsSync(join(rig.home, sign))).toBe(true);
  });
});

test('one file of hooks serves VS Code and Copilot CLI', async () => {
  const rig = createRig();
  rig.write('home/.copilot/config.json', '{}');
  rig.write('home/.config/Code/User/settings.json', '{}');
  await rig.run(['--client', 'copilot', '--yes'], { hooks: true });
  await rig.run(['--client', 'vscode', '--yes'], { hooks: true });
  const { hooks } = JSON.parse(rig.read('home/.copilot/hooks/sallyport.json')) as { hooks: Record<string, unknown[]> };
  expect(Object.values(hooks).map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
});

test('what a host lacks and how hooks fail is said before anything is written', async () => {
  const rig = createRig();
  rig.write('home/.gemini/settings.json', '{}');
  const { out } = await rig.run(['--dry-run'], { hooks: true });
  expect(out.replaceAll('\n', ' ')).toContain('Gemini CLI: Versions before 0.36');
  expect(out.replaceAll('\n', ' ')).toContain('If sallyport cannot check an event of a host, you are asked');
  expect(rig.read('home/.gemini/settings.json')).toBe('{}');
});

test.each([
  { version: '0.33.2', code: 1, has: false },
  { version: '0.36.0', code: 0, has: true },
  { version: '0.36.0-preview.1', code: 0, has: true },
  { version: '1.0.0', code: 0, has: true },
])('Gemini CLI $version gets hooks: $has', async ({ version, code, has }) => {
  const rig = createRig();
  rig.write('home/.gemini/settings.json', '{}');
  rig.write('home/lib/gemini-cli/package.json', JSON.stringify({ name: '@google/gemini-cli', version }));
  const program = rig.write('home/lib/gemini-cli/bundle/gemini', '');
  const ran = await rig.run(YES, { hooks: true, environment: { PATH: dirname(program) } });
  expect([ran.code, ran.error.includes('update it to 0.36.0')]).toEqual([code, !has]);
  expect(rig.read('home/.gemini/settings.json').includes('sallyport hook')).toBe(has);
});

test('Codex skips hooks until they are trusted, which is said', async () => {
  const rig = createRig();
  rig.write('home/.codex/config.toml', '');
  const { out } = await rig.run(['--dry-run'], { hooks: true });
  expect(out.replaceAll(/\s+/g, ' ')).toContain(
    'Codex: It skips hooks that you have not trusted: type /hooks in Codex',
  );
});

test('--on-failure is part of the command, and Cursor then fails closed too', async () => {
  const rig = createRig();
  rig.write('home/.cursor/mcp.json', '{}');
  await run(rig, '--on-failure', 'deny');
  expect(rig.read('home/.cursor/hooks.json')).toContain('sallyport hook cursor --on-failure deny');
  expect(rig.read('home/.cursor/hooks.json')).toContain('"failClosed": true');
  await run(rig, '--undo');
  expect(existsSync(join(rig.home, '.cursor', 'hooks.json'))).toBe(false);
});

test('--no-hooks, another --client and --file leave hooks alone', async () => {
  const rig = createRig();
  rig.write(SETTINGS, '{}');
  const file = rig.write('project/mcp.json', PLAIN);
  for (const args of [['--no-hooks'], ['--client', 'cursor'], ['--file', file]]) await run(rig, ...args);
  expect(rig.read(SETTINGS)).toBe('{}');
});

test('the diff shows what is added, and masks what was there', async () => {
  const rig = createRig();
  rig.write(SETTINGS, '{\n  "apiKeyHelper": "print-secret-7"\n}\n');
  const { out } = await rig.run(['--dry-run', '--diff', '--launcher', 'sallyport'], { hooks: true });
  expect(out).toContain(`"command": "${HOOK}"`);
  expect(out).not.toContain('print-secret-7');
});

test.each([
  { title: 'hooks that are not a table', payload: '{ "hooks": [] }' },
  { title: 'an event that is not a list', payload: '{ "hooks": { "PreToolUse": {} } }' },
  { title: 'an empty file', payload: '' },
  { title: 'a file that is not JSON', payload: '{' },
])('$title is left alone, and said', async ({ payload }) => {
  const rig = createRig();
  rig.write(SETTINGS, payload);
  const { code, error } = await run(rig);
  expect([code, error]).toEqual([1, expect.stringContaining('~/.claude/settings.json')]);
  expect(rig.read(SETTINGS)).toBe(payload);
});

test('an entry that was changed by hand is not removed', () => {
  const text = '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"sallyport hook claude-code; echo"}]}]}}';
  const options = { action: 'unwrap', launcher: ['sallyport'], onFailure: 'ask', tables: [] } as const;
  expect(planHooks(text, claudeCode, options)).toMatchObject({ type: 'planned', after: text });
});

const MISSING: readonly {
  readonly title: string;
  readonly folders: readonly string[];
  readonly onFailure?: string;
  readonly expected: string;
}[] = [
  {
    title: 'hosts that continue',
    folders: ['.claude', '.cursor'],
    expected: 'its calls are made as if there were no hooks.',
  },
  {
    title: 'a host that denies, among others',
    folders: ['.claude', '.cursor'],
    onFailure: 'deny',
    expected: 'its calls are made as if there were no hooks in Claude Code, and its calls are denied in Cursor.',
  },
  { title: 'a host that denies', folders: ['.cursor'], onFailure: 'deny', expected: 'its calls are denied.' },
];

test.each(MISSING)('the report says what a missing command does: $title', async ({ folders, onFailure, expected }) => {
  const rig = createRig();
  for (const folder of folders) rig.write(`home/${folder}/settings.txt`, '');
  const { out } = await run(rig, ...(onFailure === undefined ? [] : ['--on-failure', onFailure]));
  expect(out.replace(/\s+/g, ' ')).toContain(`If the command itself is missing or crashes, ${expected}`);
});
