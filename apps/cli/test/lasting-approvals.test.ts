import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredApproval } from '@sallyport/core';
import type { Question } from '@sallyport/mcp-proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { approveCommand } from '../src/approve/approve.ts';
import { LastingApprovals } from '../src/approve/lasting-approvals.ts';
import { rulesCommand } from '../src/approve/rules.ts';
import { Seal } from '../src/approve/seal.ts';
import { linesOf, runCommand, type Said, TestFolder, UNSAFE } from './fixtures/rig.ts';

const APPROVAL: StoredApproval = {
  id: 'a1',
  key: 'k1',
  scope: 'always',
  conversation: 'local',
  owner: 'mail',
  tool: 'mail.send',
  values: [{ path: '/to', value: 'ada@fabrikam.example' }],
  rule: 'requested',
  by: 'the user',
  created: 1000,
};
const PLACE = { conversation: 'local', owner: 'mail' };
const QUESTION: Question = {
  server: 'mail',
  conversation: 'local',
  tool: 'send',
  arguments: '{}',
  rule: 'requested',
  reason: 'Why.',
  evidence: [],
  scopes: ['once', 'task', 'conversation', 'always'],
};

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const store = (): LastingApprovals => new LastingApprovals(testFolder.state);
const path = (): string => join(testFolder.state, 'lasting-approvals.json');
const run = (...words: readonly string[]): Promise<Said> =>
  runCommand(approveCommand, testFolder, words, { answer: true });
const rules = (...words: readonly string[]): Promise<Said> => runCommand(rulesCommand, testFolder, words);

describe('the file of lasting approvals', () => {
  test('is read by other processes, and only by this user', () => {
    store().add(APPROVAL);
    expect(JSON.parse(readFileSync(path(), 'utf8'))).toEqual({
      version: 1,
      entries: [{ ...APPROVAL, mac: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    expect(statSync(path()).mode & 0o777).toBe(0o600);
    expect(store().take(['x', 'k1'], 2000)).toEqual(APPROVAL);
    expect(store().take(['x'], 2000)).toBeUndefined();
    expect(store().list(PLACE)).toEqual([APPROVAL]);
    expect(store().list({ conversation: 'local', owner: 'other' })).toEqual([]);
  });

  test('counts uses over all processes, and forgets what has expired', () => {
    store().add({ ...APPROVAL, uses: 2 });
    store().add({ ...APPROVAL, id: 'a2', key: 'k2', until: 3000 });
    expect([store(), store(), store()].map((each) => each.take(['k1'], 2000)?.uses)).toEqual([2, 1, undefined]);
    expect(store().take(['k2'], 3000)).toBeUndefined();
    expect(JSON.parse(readFileSync(path(), 'utf8')).entries).toEqual([]);
  });

  test.each(['once', 'task', 'conversation'] as const)('does not hold what ends with the process: %s', (scope) => {
    const one = store();
    one.add({ ...APPROVAL, scope });
    expect(store().take(['k1'], 2000)).toBeUndefined();
    expect(one.take(['k1'], 2000)).toMatchObject({ scope });
    expect(one.list(PLACE)).toMatchObject([{ scope }]);
    expect(one.revoke('a1')).toBe(true);
    expect(one.revoke('a1')).toBe(false);
  });

  test.each([
    ['is not JSON', '{'],
    ['is of a later version', { version: 2, entries: [] }],
    ['has another form', { version: 1, entries: { k1: true } }],
  ])('approves nothing and stays as it is if it %s', (_, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    testFolder.write('state/lasting-approvals.json', text);
    expect(() => store().take(['k1'], 2000)).toThrow();
    expect(() => store().add(APPROVAL)).toThrow();
    expect(readFileSync(path(), 'utf8')).toBe(text);
  });

  test.each([
    ['without a seal', (sealed: object) => ({ ...sealed, mac: undefined })],
    ['with another value', (sealed: object) => ({ ...sealed, values: [{ path: '/to', value: 'eve@evil.example' }] })],
    ['with the seal of another file', () => new Seal(testFolder.state, 'rule').put(APPROVAL)],
    ['with another key', () => new Seal(testFolder.path('other'), 'always').put(APPROVAL)],
  ])('ignores and counts an entry %s, and keeps it', (_, forge) => {
    store().add(APPROVAL);
    const { entries } = JSON.parse(readFileSync(path(), 'utf8'));
    testFolder.write('state/lasting-approvals.json', JSON.stringify({ version: 1, entries: [forge(entries[0])] }));
    expect(store().take(['k1'], 2000)).toBeUndefined();
    expect(store().ignored).toBe(1);
    store().add({ ...APPROVAL, id: 'a2', key: 'k2' });
    expect(store().take(['k2'], 2000)).toMatchObject({ id: 'a2' });
    expect(store().ignored).toBe(1);
  });
});

describe('the command', () => {
  /** Holds a call, and returns its id and the answer that the wrapper receives. */
  function hold(question: Question): { readonly id: string; readonly given: Promise<unknown>; stop(): void } {
    const stop = new AbortController();
    let id = '';
    const given = new ApprovalFiles(testFolder.state).approver((asked) => {
      id = asked;
    })(question, stop.signal);
    return { id, given, stop: () => stop.abort() };
  }

  test.each([
    [['--scope', 'always'], { by: 'the user, by sallyport approve', scope: 'always' }],
    [['--scope', 'conversation'], { by: 'the user, by sallyport approve', scope: 'conversation' }],
    [['--scope', 'once'], { by: 'the user, by sallyport approve' }],
  ])('approves in a scope: %j', async (words, expected) => {
    const { id, given } = hold(QUESTION);
    expect(await run(id, ...words)).toMatchObject({ code: 0 });
    expect(await given).toEqual(expected);
  });

  test.each(['always', 'conversation'])('says when an approval is listed: %s', async (scope) => {
    const { id, given, stop } = hold(QUESTION);
    stop();
    await given;
    const { out } = await run(id, '--scope', scope);
    expect(out.replaceAll(/\s+/g, ' ').includes('sallyport rules lists it once the call is made.')).toBe(
      scope === 'always',
    );
  });

  test('refuses a scope that the call does not have', async () => {
    const { id, given, stop } = hold({ ...QUESTION, scopes: ['once', 'task', 'conversation'] });
    const { code, error } = await run(id, '--scope', 'always');
    expect(code).toBe(2);
    expect(error).toBe(
      'error: this call cannot be always approved.\n next: choose another --scope: once, task, conversation\n',
    );
    stop();
    expect(await given).toBeUndefined();
  });

  test('lists and revokes lasting approvals', async () => {
    expect(await rules()).toMatchObject({
      code: 0,
      out: `There are no rules, and no call is always approved. To add one:
  sallyport rules add "kubectl get *"
  sallyport approve <id> --scope always
What you approved after the call had timed out is listed once the call is made
again.
`,
    });
    store().add(APPROVAL);
    store().add({ ...APPROVAL, id: 'a2', tool: 'pay\u001b[2J', uses: 3 });
    const { out } = await rules();
    expect(linesOf(out).slice(0, 2)).toEqual(['a1  mail: send  by the user', '  /to: ada@fabrikam.example']);
    expect(out).toContain('3 more calls');
    store().add({ ...APPROVAL, id: 'a3', tool: 'my%20files%202%2E0.send' });
    store().add({ ...APPROVAL, id: 'a4', tool: '100%.send' });
    store().add({ ...APPROVAL, id: 'a5', owner: 'gemini-cli hooks', tool: 'run_shell_command' });
    expect((await rules()).out).toContain('\na5  gemini-cli: run_shell_command  by the user\n');
    expect((await rules()).out).toMatch(/^a3 {2}my files 2\.0: send {2}.*\n.*\na4 {2}100%: send {2}/m);
    expect(linesOf(out).some((line) => UNSAFE.test(line))).toBe(false);
    expect(await rules('remove', 'a1')).toMatchObject({ code: 0, out: expect.stringMatching(/^Removed: a1\./) });
    expect(await rules('remove', 'a1')).toMatchObject({ code: 1 });
    expect(store().list(PLACE)).toMatchObject([{ id: 'a2' }, { id: 'a3' }, { id: 'a4' }]);
  });
});
