import type { Question } from '@sallyport/mcp-proxy';
import { afterEach, expect, test, vi } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { approveCommand } from '../src/approve/approve.ts';
import { Place, runCommand } from './fixtures/rig.ts';

// Twelve digits are few: whoever can choose two calls can make them share an id with some 2^24 tries. Here it takes none.
vi.mock('@sallyport/core/adapter', async (original) => ({
  ...(await original<typeof import('@sallyport/core/adapter')>()),
  digestText: () => '0123456789ab'.repeat(4),
}));

const place = new Place();
afterEach(() => place.remove());

function question(to: string): Question {
  return {
    server: 'mail',
    conversation: 'local',
    tool: 'send',
    arguments: JSON.stringify({ to }),
    rule: 'requested',
    reason: 'x',
    evidence: [],
  };
}

test('a call that was made to share the id of another is not approved with it', async () => {
  const files = new ApprovalFiles(place.state);
  const told: string[] = [];
  const ask = files.approver((_, { arguments: given }) => told.push(given));
  const stop = new AbortController();
  const one = ask(question('ada@fabrikam.example'), stop.signal);
  const two = ask(question('eve@evil.example'), stop.signal);
  // Only the first is told and shown.
  expect(told).toEqual(['{"to":"ada@fabrikam.example"}']);
  const { out } = await runCommand(approveCommand, place, []);
  expect(out).toContain('ada@fabrikam.example');
  expect(out).not.toContain('eve@evil.example');
  files.answer('0123456789ab', 'approved');
  expect(await Promise.race([one, two.then(() => 'the other')])).toMatchObject({ by: expect.any(String) });
  // Now it can be asked about, with its own words.
  await vi.waitUntil(() => told.length === 2, 30_000);
  expect(files.pending().map(({ question: asked }) => asked.arguments)).toEqual(['{"to":"eve@evil.example"}']);
  stop.abort();
  expect(await two).toBeUndefined();
});
