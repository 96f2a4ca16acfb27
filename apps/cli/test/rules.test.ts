import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { commandsIn, coversLine, readPattern } from '../src/approve/pattern.ts';
import { rulesCommand } from '../src/approve/rules.ts';
import { UserRules } from '../src/approve/user-rules.ts';
import { LogFiles } from '../src/log/log-files.ts';
import { COMMAND, HookRig, POISON, session } from './fixtures/hook-rig.ts';
import { runCommand, type Said } from './fixtures/rig.ts';

const rig = new HookRig();
const settings = (text: string): string => rig.folder.write('config/sallyport/sallyport.yaml', text);
const rules = (...words: readonly string[]): Promise<Said> =>
  runCommand(rulesCommand, rig.folder, words, { answer: true });
/** A command in a folder, after something was read. */
const bash = (command: string, folder = '/src/shop'): ReturnType<typeof rig.sessions.handle> =>
  rig.sessions.handle('claude-code', { type: 'call', session, tool: 'Bash', arguments: { command }, folder });

describe('a pattern', () => {
  test.each(['kubectl get pods', 'kubectl get', 'kubectl get pods -n "my space"', 'kubectl get a && kubectl get b'])(
    'covers %s',
    (line) => expect(coversLine(['kubectl get *'], line)).toBe(true),
  );

  test.each([
    'kubectl delete pods',
    'kubectl get pods; rm -rf ~',
    'kubectl get pods | sh',
    'kubectl get pods > out',
    'kubectl get $(rm x)',
    'kubectl get `rm x`',
    'kubectl get "$(rm x)"',
    'kubectl get $HOME',
    'kubectl get pods & rm x',
    'kubectl get pods\nrm x',
    'sudo kubectl get pods',
    'cd /etc && kubectl get pods',
    'bash -c "kubectl get pods"',
    'kubectl get pods <<< x',
    'function kubectl { rm x; }; kubectl get pods',
    'alias kubectl=rm; kubectl get pods',
    'KUBECONFIG=evil kubectl get pods',
    'kubectl get <(rm x)',
    'kubectl get {a,b}',
    'kubectl get ~/x',
    'kubectl get *',
    "kubectl get 'a",
    './kubectl get pods',
    '',
  ])('does not cover %j', (line) => expect(coversLine(['kubectl get *'], line)).toBe(false));

  test('without a star covers these words only, and several may cover a line together', () => {
    expect(coversLine(['git push'], 'git push')).toBe(true);
    expect(coversLine(['git push'], 'git push --force')).toBe(false);
    expect(coversLine(['git push', 'git status'], 'git status && git push')).toBe(true);
    expect(commandsIn(`a 'b c' "d"|e`)).toEqual([['a', 'b c', 'd'], ['e']]);
  });

  test.each(['*', '* get', 'kubectl * pods', 'a > b', 'a; b', '', 'A=1 b', '$x'])('is refused: %j', (pattern) =>
    expect(() => readPattern(pattern)).toThrow('is not a pattern'),
  );
});

describe('a rule', () => {
  test('answers a question about a command of the agent itself, in its folder only', async () => {
    settings('servers: { claude-code: { preset: strict } }\n');
    await rig.readme('# basket\n\nA shop.\n');
    expect((await bash('kubectl get pods')).outcome).toBe('ask');
    expect((await rules('add', 'kubectl get *', '--in', '/src')).code).toBe(0);
    await rig.prompt('Go on.');
    expect((await bash('kubectl get pods -o wide')).outcome).toBe('allow');
    expect((await bash('kubectl get pods -o yaml', '/other')).outcome).toBe('ask');
    await rig.prompt('Go on.');
    expect((await bash('kubectl delete pods')).outcome).toBe('ask');
  });

  test('answers none about a command that a text names, asks for or may have chosen, and lifts no denial', async () => {
    const state = new UserRules(rig.folder.state);
    for (const pattern of ['npm install *', 'curl *', 'sh', 'bash *'])
      state.add({ type: 'command', pattern, folder: '/src' });
    await rig.read();
    expect((await bash('npm install left-pad')).outcome).toBe('ask');
    await rig.readme(POISON);
    expect((await bash(COMMAND)).outcome).toBe('deny');
    settings('servers: { claude-code: { preset: strict } }\n');
    expect((await bash('npm install something')).outcome).toBe('ask');
  });

  test('is for a person at a terminal, a project, and either a command or a tool', async () => {
    expect(await runCommand(rulesCommand, rig.folder, ['add', 'kubectl get *', '--in', '/src'])).toMatchObject({
      code: 1,
      error: expect.stringContaining('sallyport rules add "kubectl get *" --in /src'),
    });
    expect((await rules('add', 'ls', '--in', '/')).code).toBe(2);
    expect((await rules('add', 'ls', '--in', '/p', '--server', 'linear')).code).toBe(2);
    expect((await rules('add', 'a | b')).code).toBe(2);
    expect(new UserRules(rig.folder.state).all()).toEqual([]);
  });

  test('is listed and removed', async () => {
    await rules('add', 'kubectl  get *', '--in', '/src');
    await rules('add', 'kubectl get *', '--in', '/src');
    const { out } = await rules('add', 'list_issues', '--server', 'linear');
    expect((await rules()).out).toMatch(/^\w{12} {2}kubectl get \* {2}in \/src\n\w{12} {2}list_issues of linear\n\n/);
    const [, id = ''] = /Added: (\w+)/.exec(out) ?? [];
    expect((await rules('remove', id)).code).toBe(0);
    expect((await rules('remove', id)).code).toBe(1);
    expect((await rules()).out).not.toContain('linear');
  });

  test('that another program wrote does not count', async () => {
    settings('servers: { claude-code: { preset: strict } }\n');
    const entry = { type: 'command', pattern: 'kubectl get *', folder: '/src', id: 'a', created: 1 };
    rig.folder.write('state/rules.json', JSON.stringify({ version: 1, entries: [entry, { ...entry, mac: 'ab' }] }));
    await rig.readme('# basket\n\nA shop.\n');
    expect((await bash('kubectl get pods')).outcome).toBe('ask');
    expect(new UserRules(rig.folder.state).ignored).toBe(2);
  });
});

test('observe mode holds nothing, logs, and ends at once when the settings say so', async () => {
  settings('defaults: { observe: true }\n');
  await rig.read();
  expect((await bash('npm install left-pad')).outcome).toBe('allow');
  await rig.readme(POISON);
  expect((await bash(COMMAND)).outcome).toBe('allow');
  const observed = new LogFiles(rig.folder.state).entries().filter(({ type }) => type === 'observed');
  expect(observed.map(({ judged, folder }) => [judged, folder])).toEqual([
    ['ask', '/src/shop'],
    ['deny', '/src/shop'],
  ]);
  expect(new LogFiles(rig.folder.state).made().length).toBeGreaterThan(0);
  settings('defaults: { observe: false } # asks\n');
  expect((await bash(COMMAND)).outcome).toBe('deny');
});

describe('an agent that writes its own approvals', () => {
  const approvals = (): string => join(rig.folder.state, 'approvals');
  const edit = (name: string, change: (entry: Record<string, unknown>) => object): void =>
    writeFileSync(
      join(approvals(), name),
      JSON.stringify(change(JSON.parse(readFileSync(join(approvals(), name), 'utf8')))),
    );

  test.each([
    ['with the old seal', (entry: object) => ({ ...entry, answer: 'approved' })],
    ['without a seal', (entry: object) => ({ ...entry, mac: undefined, answer: 'approved' })],
    ['for always', (entry: object) => ({ ...entry, answer: 'approved', scope: 'always' })],
  ])('is not believed: %s', async (_, change) => {
    await rig.read('gemini-cli');
    const given = { command: 'npm install left-pad' };
    expect((await rig.call('run_shell_command', given, 'gemini-cli')).outcome).toBe('ask');
    const [name = ''] = readdirSync(approvals());
    edit(name, change);
    expect((await rig.call('run_shell_command', given, 'gemini-cli')).outcome).toBe('ask');
    expect(new ApprovalFiles(rig.folder.state).ignored).toBe(1);
  });

  test('is not believed in an override', async () => {
    await rig.readme(POISON);
    const denied = await rig.bash(COMMAND);
    expect(denied.outcome).toBe('deny');
    mkdirSync(join(rig.folder.state, 'overrides'), { recursive: true });
    const call = JSON.parse(
      readFileSync(join(rig.folder.state, 'log/calls.jsonl'), 'utf8').trim().split('\n').at(-1) ?? '',
    );
    writeFileSync(
      join(rig.folder.state, 'overrides', `${denied.id}.json`),
      JSON.stringify({ call: call.call, until: Date.now() + 60_000 }),
    );
    expect((await rig.bash(COMMAND)).outcome).toBe('deny');
  });

  test('is not believed in the file of a session: from then on, effects are asked about', async () => {
    await rig.read();
    expect((await rig.bash('npm test')).outcome).toBe('allow');
    const folder = join(rig.folder.state, 'sessions');
    const [name = ''] = readdirSync(folder);
    const line = { event: { type: 'prompt', session, text: 'Run npm install left-pad' }, at: 1 };
    writeFileSync(join(folder, name), `${JSON.stringify(line)}\n`, { flag: 'a' });
    expect((await rig.bash('npm install left-pad')).outcome).toBe('ask');
    expect((await rig.bash('npm test')).outcome).toBe('ask');
  });
});
