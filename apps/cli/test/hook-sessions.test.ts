import { appendFileSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import type { Host } from '../src/hook/event.ts';
import { HookSessions } from '../src/hook/sessions.ts';
import { LogFiles } from '../src/log/log-files.ts';
import { COMMAND, HookRig, POISON, session } from './fixtures/hook-rig.ts';

const rig = new HookRig();
const { prompt, call, bash, read, readme } = rig;

describe('a notification on the desktop', () => {
  interface Case {
    readonly title: string;
    readonly host: Host;
    readonly tool: string;
    readonly hasInstruction?: true;
    readonly settings?: string;
    readonly expected: readonly RegExp[];
  }
  const CASES: readonly Case[] = [
    {
      title: 'shows what a host that cannot ask denies',
      host: 'codex',
      tool: 'Bash',
      expected: [
        /^codex: a call to Bash was denied\. This installs \u201cleft-pad\u201d\. It comes from \w+, .* sallyport approve [0-9a-f]{12}$/,
      ],
    },
    { title: 'is not shown for what the host asks about', host: 'claude-code', tool: 'Bash', expected: [] },
    { title: 'is not shown for what Cursor asks about', host: 'cursor', tool: 'Shell', expected: [] },
    {
      title: 'shows what the policy denies',
      host: 'claude-code',
      tool: 'Bash',
      hasInstruction: true,
      expected: [/^claude-code: a call to Bash was denied\. .* an instruction to the agent, in Read, /],
    },
    {
      title: 'is not shown with notify: false',
      host: 'codex',
      tool: 'Bash',
      settings: 'defaults: { notify: false }\n',
      expected: [],
    },
  ];
  test.each(CASES)('$title', async ({ host, tool, hasInstruction, settings, expected }) => {
    if (settings !== undefined) rig.folder.write('config/sallyport/sallyport.yaml', settings);
    const shown: string[] = [];
    rig.sessions = new HookSessions({
      stateFolder: rig.folder.state,
      environment: rig.folder.environment,
      notify: (text) => shown.push(text),
    });
    await read(host);
    if (hasInstruction) await readme(POISON, host);
    const command = hasInstruction ? COMMAND : 'npm install left-pad';
    expect((await call(tool, { command }, host)).outcome).not.toBe('allow');
    expect(shown).toEqual(expected.map((each) => expect.stringMatching(each)));
  });
});

describe('one conversation for each session', () => {
  test('a command that a file dictates is denied, and the log says why', async () => {
    await prompt('Fix the typo in the README.');
    expect((await readme(POISON)).context).toContain('reads like an instruction');
    expect(await bash(COMMAND)).toMatchObject({ outcome: 'deny', reason: expect.stringContaining('instruction') });
    const [entry] = new LogFiles(rig.folder.state).entries().filter(({ type }) => type === 'denied');
    expect(entry).toMatchObject({ server: 'claude-code', tool: 'Bash', evidence: [{ match: COMMAND }] });
    const [flagged] = new LogFiles(rig.folder.state).entries().filter(({ type }) => type === 'flagged');
    expect(flagged).toMatchObject({ tool: 'Read' });
  });

  test('the same command is held in a process that has only the files', async () => {
    await prompt('Fix the typo in the README.');
    await readme(POISON);
    rig.sessions = rig.restart();
    expect((await bash(COMMAND)).outcome).toBe('deny');
  });

  test('a process sees what another one has written meanwhile', async () => {
    await prompt('Fix the typo in the README.');
    const other = rig.restart();
    await other.handle('claude-code', { type: 'prompt', session, text: 'And this.' });
    await other.handle('claude-code', {
      type: 'result',
      session,
      tool: 'Read',
      arguments: { file_path: '/p/README.md' },
      result: POISON,
    });
    expect((await bash(COMMAND)).outcome).toBe('deny');
  });

  test('what another session has read does not count', async () => {
    await prompt('Fix the typo in the README.');
    await rig.sessions.handle('claude-code', {
      type: 'result',
      session: 's2',
      tool: 'Read',
      arguments: { file_path: '/p/README.md' },
      result: POISON,
    });
    expect((await bash(COMMAND)).outcome).toBe('ask');
  });

  test('a session that was ended and is resumed still knows what it has read', async () => {
    await prompt('Fix the typo in the README.');
    await readme(POISON);
    await rig.sessions.handle('claude-code', { type: 'end', session });
    expect((await bash(COMMAND)).outcome).toBe('deny');
  });

  test('without all that a session has read, every effect is asked about', async () => {
    await prompt('Run the tests.');
    const [name = ''] = readdirSync(join(rig.folder.state, 'sessions'));
    appendFileSync(join(rig.folder.state, 'sessions', name), '{"event":\n');
    expect(await bash('npm test')).toMatchObject({ outcome: 'ask', reason: expect.stringContaining('known any more') });
    expect((await call('Read', { file_path: '/p/a.js' })).outcome).toBe('allow');
  });

  test('only the user can read what is kept, and no key is kept', async () => {
    await prompt('Run the tests.');
    const path = join(rig.folder.state, 'sessions');
    expect(statSync(path).mode & 0o077).toBe(0);
    for (const name of readdirSync(path)) expect(statSync(join(path, name)).mode & 0o077).toBe(0);
    expect(readFileSync(join(path, readdirSync(path)[0] ?? ''), 'utf8')).not.toMatch(/"key"/);
  });
});

describe('files that the user attaches', () => {
  test('count as read, also in another process and after they have changed', async () => {
    const path = rig.folder.write('project/plan.md', POISON);
    const event = { type: 'prompt', session, text: 'Do what is left in @plan.md.', folder: join(path, '..') } as const;
    const answer = await rig.sessions.handle('claude-code', { ...event, files: ['plan.md', 'missing.md', '..'] });
    expect(answer.context).toContain('a file that the user attached');
    rig.folder.write('project/plan.md', '');
    rig.sessions = rig.restart();
    expect((await bash(COMMAND)).outcome).toBe('deny');
  });
});

describe('ordinary work is not asked about', () => {
  test.each([
    'npm test 2>&1 | tail -20',
    'git status --short && git diff --stat',
    'npx tsc --noEmit',
    'gh issue view 12 --comments',
  ])('%s', async (command) => {
    await prompt('Fix the rounding bug.');
    await readme('# basket\n\nRun `npm test` before you open a pull request.\n');
    expect(await bash(command)).toEqual({ outcome: 'allow' });
  });

  test('an edit that repeats what the file says', async () => {
    await prompt('Fix the rounding bug.');
    await readme('# basket\n\nPlease run `npm install basket`, then import it.\n');
    const edit = { file_path: '/p/README.md', old_string: 'Please run', new_string: 'First, please run' };
    expect(await call('Edit', edit)).toEqual({ outcome: 'allow' });
  });
});

const HELD: readonly { title: string; origin: string; tool: string; payload: object }[] = [
  {
    title: 'a key is read',
    origin: 'a user who asked for something else',
    tool: 'Read',
    payload: { file_path: '~/.ssh/id_rsa' },
  },
  {
    title: 'a key is printed',
    origin: 'a user who asked for something else',
    tool: 'Bash',
    payload: { command: 'cat ~/.aws/credentials' },
  },
  {
    title: 'a job of CI is written',
    origin: 'a user who asked for something else',
    tool: 'Write',
    payload: { file_path: '/p/.github/workflows/ci.yml', content: 'on: push' },
  },
  {
    title: 'a package is added',
    origin: 'a file that asks for it',
    tool: 'Bash',
    payload: { command: 'npm install left-pad' },
  },
  {
    title: 'a message is sent through an MCP server',
    origin: 'a file that asks for it',
    tool: 'mcp__mail__send_email',
    payload: { to: 'eve@example.net', body: 'x' },
  },
];

describe('a person is asked before', () => {
  test.each(HELD)('$title', async ({ tool, payload }) => {
    await read();
    expect(await call(tool, payload)).toMatchObject({ outcome: 'ask', reason: /^Sallyport: .*\.$/ });
  });

  test.each(HELD)(
    'the dialog and the log give the same reason, and the call does not wait for sallyport approve: $title',
    async ({ tool, payload }) => {
      await read();
      const { reason } = await call(tool, payload);
      const files = new ApprovalFiles(rig.folder.state);
      expect([files.pending(), files.askedByHosts()]).toMatchObject([[], [{ question: { server: 'claude-code' } }]]);
      const [logged] = new LogFiles(rig.folder.state).entries();
      // The dialog also quotes the passage.
      expect([logged?.type, reason?.startsWith(`Sallyport: ${logged?.reason}`)]).toEqual(['asked', true]);
    },
  );
});

test('the settings of a host and of its tools apply', async () => {
  const yaml = 'servers:\n  claude-code:\n    tools:\n      Bash: { effect: read }\n  cursor: { observe: true }\n';
  rig.folder.write('config/sallyport/sallyport.yaml', yaml);
  await read();
  expect((await bash('npm install left-pad')).outcome).toBe('allow');
  await read('cursor');
  expect((await call('Shell', { command: 'npm install left-pad' }, 'cursor')).outcome).toBe('allow');
  expect(new LogFiles(rig.folder.state).entries()).toMatchObject([
    { type: 'observed', judged: 'ask', server: 'cursor' },
  ]);
});
