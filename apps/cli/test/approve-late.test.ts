import type { Question } from '@sallyport/mcp-proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalFiles, idOf } from '../src/approve/approval-files.ts';
import { approveCommand } from '../src/approve/approve.ts';
import type { EntryType } from '../src/log/entry.ts';
import { LogFiles } from '../src/log/log-files.ts';
import { runCommand, type Said, TestFolder, uncolored } from './fixtures/rig.ts';

const QUESTION: Question = {
  server: 'gemini-cli',
  conversation: 'local',
  tool: 'run_shell_command',
  arguments: '{"command":"npm install left-pad"}',
  rule: 'table',
  reason: 'This command installs a package.',
  scopes: ['once', 'always'],
  evidence: [],
};
const ID = idOf(QUESTION);

let folder: TestFolder;
let files: ApprovalFiles;
beforeEach(() => {
  folder = new TestFolder();
  files = new ApprovalFiles(folder.state);
});
afterEach(() => folder.remove());

async function run(...words: readonly string[]): Promise<Said> {
  const said = await runCommand(approveCommand, folder, words, { answer: true });
  return { ...said, out: uncolored(said.out).replaceAll(/\s+/g, ' ') };
}

describe('an answer to a call that its host has denied meanwhile', () => {
  test.each([
    [[ID], 'so it was not made. Ask the agent to make it again within ten minutes: then it passes.'],
    [[ID, '--scope', 'always'], 'sallyport rules lists it once the call is made.'],
    [['--deny', ID], 'If the agent makes it again within ten minutes, it is denied once without a question.'],
    [[], 'Approved. The call no longer waits, so it was not made.'],
  ] as const)('%j says what follows', async (words, said) => {
    files.askNow(QUESTION);
    expect((await run(...words)).out).toContain(said);
  });

  test('says that a call which still waits is made', async () => {
    const stop = new AbortController();
    const given = files.approver(() => undefined)(QUESTION, stop.signal);
    expect((await run(ID)).out).toBe(`Approved: ${ID} The call is made now. `);
    stop.abort();
    await given;
  });
});

describe('a second answer', () => {
  test.each([
    ['approved', 'you have already approved this call.', 'ask the agent to make the call again if it was not made.'],
    ['denied', 'you have already denied this call.', 'make the call again to be asked again, after one more denial.'],
  ] as const)('says that the call was %s', async (answer, message, next) => {
    files.askNow(QUESTION);
    files.answer(ID, answer);
    const { code, error } = await run(ID);
    expect([code, error]).toEqual([1, expect.stringContaining(`error: ${message}\n next: `)]);
    expect(error).toContain(next);
  });

  const ENDED: readonly (readonly [EntryType, string])[] = [
    ['approved', 'this call was approved and has passed.'],
    ['declined', 'you denied this call, so it was not made.'],
    ['asked', 'gemini-cli asked about it in its own dialog.'],
    ['held', 'the question about this call has expired, so it was not made.'],
    ['unanswered', 'the question about this call has expired, so it was not made.'],
  ];
  test.each(ENDED)('says how the call ended: %s', async (type, message) => {
    const time = new Date().toISOString();
    new LogFiles(folder.state).append({ time, type, server: 'gemini-cli', tool: 'run_shell_command', id: ID });
    for (const words of [[ID], ['--deny', ID]])
      expect(await run(...words)).toMatchObject({ code: 1, error: expect.stringContaining(message) });
  });
});
