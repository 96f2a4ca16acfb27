import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Question } from '@sallyport/mcp-proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { approveCommand } from '../src/approve/approve.ts';
import { linesOf, runCommand, type Said, type SayOptions, TestFolder, UNSAFE, uncolored } from './fixtures/rig.ts';

const QUESTION: Question = {
  server: 'mail',
  conversation: 'local',
  tool: 'send',
  arguments: '{"to":"ada@fabrikam.example"}',
  rule: 'requested',
  reason: 'The value of "to" comes from a mail.',
  scopes: ['once', 'task', 'conversation'],
  evidence: [
    {
      path: '/to',
      source: 'read_mail',
      excerpt: { before: 'send it to ', match: 'ada@fabrikam.example', after: ' "now"' },
    },
  ],
};

let testFolder: TestFolder;
let files: ApprovalFiles;
let stops: AbortController[];
beforeEach(() => {
  testFolder = new TestFolder();
  files = new ApprovalFiles(testFolder.state);
  stops = [];
});
afterEach(() => {
  for (const stop of stops) stop.abort();
  return testFolder.remove();
});

function run(words: readonly string[], options?: SayOptions): Promise<Said> {
  return runCommand(approveCommand, testFolder, words, options);
}

/** Asks as a wrapper does. `given` is the answer, `id` that of the question. */
function ask(question: Question, by: ApprovalFiles = files): { id: string; given: Promise<unknown>; stop(): void } {
  const stop = new AbortController();
  stops.push(stop);
  let id = '';
  const given = by.approver((asked) => {
    id = asked;
  })(question, stop.signal);
  return { id, given, stop: () => stop.abort() };
}

function folder(): string {
  return join(testFolder.state, 'approvals');
}

function put(name: string, value: unknown): void {
  mkdirSync(folder(), { recursive: true });
  writeFileSync(join(folder(), name), typeof value === 'string' ? value : JSON.stringify(value));
}

function fileOf(id: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder(), `${id}.json`), 'utf8'));
}

describe('the command', () => {
  test('says that no call is held', async () => {
    expect(await run([])).toEqual({ code: 0, out: 'No call is held.\n', error: '' });
  });

  test.each(['0123456789ab', '../x', '..', '/etc/passwd', '', '\u001b[2J'])(
    'refuses an id without a held call: %j',
    async (id) => {
      testFolder.write('state/x.json', JSON.stringify({ id: '../x', question: QUESTION, askedAt: 1, until: 9e15 }));
      const before = readFileSync(testFolder.path('state/x.json'), 'utf8');
      for (const words of [[id], ['--deny', id]]) {
        const { code, out, error } = await run(words);
        expect(code).toBe(1);
        expect(out).toBe('');
        expect(error).toMatch(
          /^error: no held call has the id .{0,20}\.\n next: list held calls: sallyport approve\n$/,
        );
        expect(linesOf(error).some((line) => UNSAFE.test(line))).toBe(false);
      }
      expect(readFileSync(testFolder.path('state/x.json'), 'utf8')).toBe(before);
    },
  );

  test('prints an error and the next step; exits with 1, and with 2 if --watch has no terminal', async () => {
    const [unknown, watching] = await Promise.all([
      testFolder.run(['approve', '0123456789ab']),
      testFolder.run(['approve', '--watch']),
    ]);
    expect(unknown).toEqual({
      code: 1,
      out: '',
      error: 'error: no held call has the id 0123456789ab.\n next: list held calls: sallyport approve\n',
    });
    expect(watching).toEqual({
      code: 2,
      out: '',
      error:
        'error: --watch needs a terminal.\n next: run it in a terminal. To list held calls without one: sallyport approve\n',
    });
  });

  test('lists all held calls, oldest first', async () => {
    let now = 0;
    const clock = (): number => now;
    const late = new ApprovalFiles(testFolder.state, clock);
    const one = ask({ ...QUESTION, tool: 'one' }, late);
    now += 30_000;
    const two = ask({ ...QUESTION, tool: 'two' }, late);
    now += 30_000;
    const { out } = await runCommand((io) => approveCommand(io, clock), testFolder, []);
    expect(linesOf(out).filter((line) => /^\S/.test(line))).toEqual([
      expect.stringMatching(`^${one.id}  mail: one  60 s ago$`),
      expect.stringMatching(`^${two.id}  mail: two  30 s ago$`),
      'Answer in a terminal: sallyport approve <id>, or sallyport approve --deny <id>',
    ]);
    expect(out).toContain(`  to from read_mail: "send it to [ada@fabrikam.example] 'now'"\n`);
  });

  test('lists a call that a coding agent asks about in its own dialog as one to answer there', async () => {
    files.askNow({ ...QUESTION, server: 'claude-code', tool: 'Bash', scopes: ['once', 'always'] }, true);
    const { out } = await run([], { answer: true });
    expect(out).not.toContain('Approve this call?');
    expect(linesOf(uncolored(out))).toEqual([
      'No call is held.',
      '',
      'Asked in the dialog of a coding agent. Answer there:',
      expect.stringMatching(/^ {2}[0-9a-f]{12} {2}claude-code: Bash {2}0 s ago$/),
      'To not be asked about one again: sallyport approve <id>',
      '--scope always',
      '',
    ]);
    files.askNow({ ...QUESTION, server: 'claude-code', tool: 'Bash', scopes: ['once', 'always'] });
    expect((await run([])).out).not.toContain('Answer there');
    files.askNow({ ...QUESTION, server: 'claude-code', tool: 'Edit', scopes: ['once'] }, true);
    expect((await run([])).out).toMatch(/Answer there:\n {2}[0-9a-f]{12} {2}claude-code: Edit {2}0 s ago\n$/);
  });

  test('lists the newest last, and says which calls no longer wait', async () => {
    let now = 0;
    const clocked = new ApprovalFiles(testFolder.state, () => now);
    const first = ask({ ...QUESTION, tool: 'one' }, clocked);
    now += 1000;
    ask({ ...QUESTION, tool: 'two' }, clocked);
    first.stop();
    await first.given;
    const { out } = await runCommand((io) => approveCommand(io, () => now), testFolder, []);
    expect(linesOf(out).filter((line) => / ago/.test(line))).toEqual([
      expect.stringMatching(/ {2}mail: one {2}1 s ago, no longer waiting$/),
      expect.stringMatching(/ {2}mail: two {2}0 s ago$/),
    ]);
  });

  test('lists calls that still wait before those whose clients have ended', async () => {
    let now = 0;
    const clocked = new ApprovalFiles(testFolder.state, () => now);
    const timedOut = ask({ ...QUESTION, tool: 'one' }, clocked);
    now += 1000;
    const killed = ask({ ...QUESTION, tool: 'two' }, clocked);
    timedOut.stop();
    killed.stop();
    await Promise.all([timedOut.given, killed.given]);
    const before = new Date(Date.now() - 10_000);
    utimesSync(join(folder(), `${killed.id}.json`), before, before);
    now += 1000;
    const waiting = ask({ ...QUESTION, tool: 'three' }, clocked);
    expect(clocked.pending().map(({ id }) => id)).toEqual([waiting.id, timedOut.id, killed.id]);
    await pause(4000);
    expect(clocked.pending()[0]?.id).toBe(waiting.id);
  });

  test.each([
    [true, 'Approved.', { by: 'the user, by sallyport approve' }],
    [false, 'Denied.', 'declined'],
  ] as const)('asks about each call on a terminal: %j', async (answer, word, given) => {
    const asked = ask(QUESTION);
    const { out, code } = await run([], { answer });
    expect(out).toContain(`  Approve this call?\n  ${word}`);
    expect(code).toBe(0);
    expect(await asked.given).toEqual(given);
  });

  test.each([
    {
      choice: 'y',
      scopes: ['once', 'conversation', 'always'],
      given: { by: 'the user, by sallyport approve', scope: 'once' },
    },
    {
      choice: 'c',
      scopes: ['once', 'conversation'],
      given: { by: 'the user, by sallyport approve', scope: 'conversation' },
    },
    {
      choice: 'a',
      scopes: ['once', 'conversation', 'always'],
      given: { by: 'the user, by sallyport approve', scope: 'always' },
    },
    { choice: 'a', scopes: ['once', 'conversation'], given: 'declined' },
    { choice: 'n', scopes: ['once', 'conversation', 'always'], given: 'declined' },
    { choice: 'x', scopes: ['once', 'conversation', 'always'], given: 'declined' },
  ] as const)('the key $choice of a call that can be approved for $scopes', async ({ choice, scopes, given }) => {
    const asked = ask({ ...QUESTION, scopes });
    const { out } = await run([], { answer: true, choice });
    expect(out.includes('  a  yes, and always')).toBe(scopes.length === 3);
    const answer = given === 'declined' || given.scope !== 'once' ? given : { by: given.by };
    expect(await asked.given).toEqual(answer);
  });

  test('a question fits the terminal', async () => {
    ask({ ...QUESTION, arguments: JSON.stringify({ to: 'word '.repeat(50) }), reason: 'word '.repeat(50) });
    const { out } = await run([], { answer: false });
    expect(linesOf(uncolored(out)).filter((line) => line.length > 75)).toEqual([]);
  });

  test('an answer is too late if another terminal answered first', async () => {
    const asked = ask(QUESTION);
    const meanwhile = (): unknown => files.answer(asked.id, 'denied');
    expect((await run([], { answer: true, meanwhile })).out).toContain('Too late');
    expect(await asked.given).toBe('declined');
  });

  test('a second answer does not change the first', async () => {
    const asked = ask(QUESTION);
    asked.stop();
    await asked.given;
    expect((await run(['--deny', asked.id])).code).toBe(0);
    expect((await run([asked.id])).code).toBe(1);
    expect(fileOf(asked.id).answer).toBe('denied');
  });
});

describe('files', () => {
  test('forged and broken files are not listed or answered, and are put aside or removed', async () => {
    const { id } = ask(QUESTION);
    const whole = fileOf(id);
    const other = '0123456789ab';
    put(`${other}.json`, { ...whole, id: other });
    put('%1b%5b2J.json', { ...whole, id: '\u001b[2J' });
    put('%zz.json', whole);
    put('..json', whole);
    put('a.json', 'no JSON');
    put('b.json', 'null');
    put('c.json', '[]');
    put('d.json', { id: 'd', question: {}, askedAt: 1, until: 9e15 });
    put('e.json', { id: 'e', question: { ...QUESTION, evidence: [null] }, askedAt: 1, until: 9e15 });
    put('f.json', { id: 'f', question: null, until: 9e15 });
    const { out, code } = await run([]);
    expect(code).toBe(0);
    expect(linesOf(out).filter((line) => /^\S.* ago$/.test(line))).toEqual([expect.stringContaining(id)]);
    expect(readdirSync(folder()).filter((name) => name.endsWith('.json'))).toEqual([`${id}.json`]);
    expect(files.ignored).toBe(6);
    expect(files.answer(other, 'approved')).toBe(false);
  });

  test('a broken file is replaced by a new question', async () => {
    const first = ask(QUESTION);
    first.stop();
    await first.given;
    for (const broken of ['no JSON', { ...fileOf(first.id), answer: 'yes' }, { ...fileOf(first.id), until: 'ever' }]) {
      put(`${first.id}.json`, broken);
      const asked = ask(QUESTION);
      expect(asked.id).toBe(first.id);
      expect(fileOf(first.id).answer).toBeUndefined();
      files.answer(asked.id, 'denied');
      expect(await asked.given).toBe('declined');
    }
  });

  test('an expired question is removed, and its answer does not apply', async () => {
    const past = new ApprovalFiles(testFolder.state, () => Date.now() - 10 * 60_000);
    const asked = ask(QUESTION, past);
    expect(past.answer(asked.id, 'approved')).toBe(true);
    asked.stop();
    expect(files.answer(asked.id, 'approved')).toBe(false);
    expect((await run([])).out).toBe('No call is held.\n');
    expect(readdirSync(folder())).toEqual([]);

    put(`${asked.id}.json`, {
      id: asked.id,
      question: QUESTION,
      askedAt: 0,
      until: Date.now() - 1,
      answer: 'approved',
    });
    const again = ask(QUESTION);
    expect(fileOf(asked.id).answer).toBeUndefined();
    again.stop();
    expect(await again.given).toBeUndefined();
  });

  test('a question that expires while its call waits is asked again', async () => {
    let now = Date.now();
    const clocked = new ApprovalFiles(testFolder.state, () => now);
    const asked = ask(QUESTION, clocked);
    now += 11 * 60_000;
    expect(clocked.answer(asked.id, 'approved')).toBe(false);
    await expect.poll(() => clocked.pending().map(({ id }) => id)).toEqual([asked.id]);
    clocked.answer(asked.id, 'approved');
    expect(await asked.given).toMatchObject({ by: expect.any(String) });
  });

  test('the question stays for a late answer after its call has timed out', async () => {
    const asked = ask(QUESTION);
    asked.stop();
    expect(await asked.given).toBeUndefined();
    files.answer(asked.id, 'approved');
    expect(fileOf(asked.id).answer).toBe('approved');
  });

  test('calls that differ in any part have different ids', () => {
    const ids = [
      QUESTION,
      { ...QUESTION, server: 'mai' },
      { ...QUESTION, tool: 'sen' },
      { ...QUESTION, arguments: '{"to":"ada@fabrikam.exampl"}' },
      // The same letters, split differently.
      { ...QUESTION, server: 'mails', tool: 'end' },
    ].map((question) => ask(question).id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{12}$/);
  });
});
