import type { Question } from '@sallyport/mcp-proxy';
import { afterEach, expect, test, vi } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { approveCommand } from '../src/approve/approve.ts';
import { runCommand, TestFolder } from './fixtures/rig.ts';

// An id has twelve digits: an attacker who chooses two calls can find a collision with about 2^24 tries. Here every id collides.
vi.mock('@sallyport/core/adapter', async (original) => ({
  ...(await original<typeof import('@sallyport/core/adapter')>()),
  digestText: () => '0123456789ab'.repeat(4),
}));

const testFolder = new TestFolder();
afterEach(() => testFolder.remove());

function question(to: string): Question {
  return {
    server: 'mail',
    conversation: 'local',
    tool: 'send',
    arguments: JSON.stringify({ to }),
    rule: 'requested',
    reason: 'x',
    evidence: [],
    scopes: ['once'],
  };
}

test('approving a call does not approve another call with the same id', async () => {
  const files = new ApprovalFiles(testFolder.state);
  const asked: string[] = [];
  const ask = files.approver((_, { arguments: values }) => asked.push(values));
  const stop = new AbortController();
  const one = ask(question('ada@fabrikam.example'), stop.signal);
  const two = ask(question('eve@evil.example'), stop.signal);
  // Only the first is asked about and listed.
  expect(asked).toEqual(['{"to":"ada@fabrikam.example"}']);
  const { out } = await runCommand(approveCommand, testFolder, []);
  expect(out).toContain('ada@fabrikam.example');
  expect(out).not.toContain('eve@evil.example');
  files.answer('0123456789ab', 'approved');
  expect(await Promise.race([one, two.then(() => 'the other')])).toMatchObject({ by: expect.any(String) });
  // Now the second is asked about, with its own arguments.
  await vi.waitUntil(() => asked.length === 2, 30_000);
  expect(files.pending().map((pending) => pending.question.arguments)).toEqual(['{"to":"eve@evil.example"}']);
  stop.abort();
  expect(await two).toBeUndefined();
});
