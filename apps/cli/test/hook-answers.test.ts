import { afterEach, describe, expect, test, vi } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { LastingApprovals } from '../src/approve/lasting-approvals.ts';
import type { HookAnswer, Host } from '../src/hook/event.ts';
import { LogFiles } from '../src/log/log-files.ts';
import { COMMAND, HookRig, POISON, REQUEST, session } from './fixtures/hook-rig.ts';

const rig = new HookRig();
const { prompt, call, done, bash, read, readme } = rig;
afterEach(() => void vi.useRealTimers());

describe('answers of a person', () => {
  const given = { command: 'npm install left-pad' };

  test('an approval at the terminal applies when the call is made again', async () => {
    await read('gemini-cli');
    const { id = '' } = await call('run_shell_command', given, 'gemini-cli');
    expect(new ApprovalFiles(rig.folder.state).answer(id, 'approved')).toBe(true);
    rig.sessions = rig.restart();
    expect((await call('run_shell_command', given, 'gemini-cli')).outcome).toBe('allow');
    expect((await call('run_shell_command', given, 'gemini-cli')).outcome).toBe('ask');
  });

  test('an approval for the session lasts, also in another process', async () => {
    await read();
    const { id = '' } = await call('Bash', given);
    new ApprovalFiles(rig.folder.state).answer(id, 'approved', { scope: 'conversation' });
    expect((await call('Bash', given)).outcome).toBe('allow');
    rig.sessions = rig.restart();
    expect((await call('Bash', given)).outcome).toBe('allow');
    expect((await bash('npm install right-pad')).outcome).toBe('ask');
  });

  test('a yes for a change of a file is not ended by that change', async () => {
    await prompt('Fix the failing test.');
    const change = { file_path: '/p/.github/workflows/ci.yml', content: 'on: push' };
    await done('Write', change, 'written');
    expect((await call('Write', change)).outcome).toBe('allow');
  });

  const HOUR = 3_600_000;
  test.each([
    { title: 'an approval for the session at the terminal', origin: 'terminal', hours: 24 },
    { title: 'an approval until a time', origin: 'terminal', until: HOUR, hours: 1 },
  ])('$title does not last longer because another process goes on', async ({ until, hours }) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const start = Date.now();
    await read();
    const { id = '' } = await call('Bash', given);
    const term = until === undefined ? {} : { until: start + until };
    new ApprovalFiles(rig.folder.state).answer(id, 'approved', { scope: 'conversation', ...term });
    expect((await call('Bash', given)).outcome).toBe('allow');
    for (const [hour, expected] of [
      [hours - 0.1, 'allow'],
      [hours + 0.1, 'ask'],
    ] as const) {
      vi.setSystemTime(start + hour * HOUR);
      rig.sessions = rig.restart();
      expect((await call('Bash', given)).outcome).toBe(expected);
    }
  });

  test('an approval for always applies to other sessions of the host', async () => {
    await read();
    const { id = '' } = await call('Bash', given);
    new ApprovalFiles(rig.folder.state).answer(id, 'approved', { scope: 'always' });
    expect((await call('Bash', given)).outcome).toBe('allow');
    const other = { type: 'call', session: 's2', tool: 'Bash', arguments: given } as const;
    await rig.restart().handle('claude-code', { type: 'prompt', session: 's2', text: 'What is this?' });
    const seen = { type: 'result', session: 's2', tool: 'Read', arguments: {}, result: REQUEST } as const;
    await rig.restart().handle('claude-code', seen);
    expect((await rig.restart().handle('claude-code', other)).outcome).toBe('allow');
  });

  test('a declined call is denied', async () => {
    await read();
    const { id = '' } = await call('Bash', given);
    new ApprovalFiles(rig.folder.state).answer(id, 'denied');
    expect((await call('Bash', given)).outcome).toBe('deny');
  });

  test("what a person allowed in the host's dialog is not asked about again, and no longer waits", async () => {
    await read();
    await done('Bash', given, 'added 1 package');
    expect(new ApprovalFiles(rig.folder.state).pending()).toEqual([]);
    expect((await call('Bash', given)).outcome).toBe('allow');
    rig.sessions = rig.restart();
    expect((await call('Bash', given)).outcome).toBe('allow');
  });

  interface Unanswered {
    readonly title: string;
    readonly origin: string;
    readonly host?: Host;
    readonly tool: string;
    readonly call?: { readonly isUnattended: true };
    readonly result?: { readonly isFailed: true };
  }
  const UNANSWERED: readonly Unanswered[] = [
    {
      title: 'a call that the host made without asking',
      origin: 'a mode in which no one answers',
      tool: 'Bash',
      call: { isUnattended: true },
    },
    {
      title: 'a call that failed or was stopped',
      origin: 'a user who stops it',
      tool: 'Bash',
      result: { isFailed: true },
    },
    {
      title: 'a call that the host cannot ask about',
      origin: 'a host that made a denied call',
      host: 'cursor',
      tool: 'Delete',
    },
  ];
  test.each(UNANSWERED)('$title has not been allowed by a person', async ({ host, tool, ...rest }) => {
    await read(host);
    const event = { session, tool, arguments: { ...given, path: '/srv/data' }, id: 'first' };
    const check = (): Promise<HookAnswer> => call(tool, event.arguments, host);
    const asked = await rig.sessions.handle(host ?? 'claude-code', { type: 'call', ...event, ...rest.call });
    await rig.sessions.handle(host ?? 'claude-code', { type: 'result', ...event, result: 'done', ...rest.result });
    expect([asked.outcome, (await check()).outcome]).toEqual(['ask', 'ask']);
    rig.sessions = rig.restart();
    expect((await check()).outcome).toBe('ask');
  });

  test('an approval for once is not one for the session in another process', async () => {
    await read();
    const { id = '' } = await call('Bash', given);
    new ApprovalFiles(rig.folder.state).answer(id, 'approved');
    await done('Bash', given, 'added 1 package');
    expect((await call('Bash', given)).outcome).toBe('ask');
    rig.sessions = rig.restart();
    expect((await call('Bash', given)).outcome).toBe('ask');
  });

  test('an approval for always that was removed stays removed', async () => {
    await read();
    const { id = '' } = await call('Bash', given);
    new ApprovalFiles(rig.folder.state).answer(id, 'approved', { scope: 'always' });
    expect((await call('Bash', given)).outcome).toBe('allow');
    const lasting = new LastingApprovals(rig.folder.state);
    for (const approval of lasting.all()) lasting.revoke(approval.id);
    rig.sessions = rig.restart();
    expect((await call('Bash', given)).outcome).toBe('ask');
  });

  test('a person can let a denied call pass once', async () => {
    await prompt('Fix the typo in the README.');
    await readme(POISON);
    const { id = '' } = await bash(COMMAND);
    const files = new ApprovalFiles(rig.folder.state);
    files.override(new LogFiles(rig.folder.state).denial(id)?.call ?? '');
    expect((await bash(COMMAND)).outcome).toBe('allow');
    expect((await bash(COMMAND)).outcome).toBe('deny');
  });
});
