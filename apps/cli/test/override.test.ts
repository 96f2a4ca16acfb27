import { callDigest, type Question } from '@sallyport/mcp-proxy';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApprovalFiles } from '../src/approve/approval-files.ts';
import { TestFolder } from './fixtures/rig.ts';

const QUESTION: Question = {
  server: 'mail',
  conversation: 'local',
  tool: 'send',
  arguments: '{"to":"ada@fabrikam.example"}',
  rule: 'instructed',
  reason: 'The value of "to" comes from a mail.',
  scopes: ['once'],
  evidence: [],
};

let testFolder: TestFolder;
let files: ApprovalFiles;
beforeEach(() => {
  testFolder = new TestFolder();
  files = new ApprovalFiles(testFolder.state);
});
afterEach(() => testFolder.remove());

describe('an override of a denied call', () => {
  const digest = callDigest(QUESTION);
  const APPROVAL = { by: 'the user, by sallyport approve', acknowledge: true };

  test('applies to this call, once', () => {
    files.override(digest);
    expect(files.takeOverride({ ...QUESTION, arguments: '{}' })).toBeUndefined();
    expect(files.takeOverride(QUESTION)).toEqual(APPROVAL);
    expect(files.takeOverride(QUESTION)).toBeUndefined();
  });

  test('does not apply to another call with the same short id', () => {
    files.override(`${digest.slice(0, 12)}${'0'.repeat(52)}`);
    expect(files.takeOverride(QUESTION)).toBeUndefined();
  });

  test('expires after ten minutes', () => {
    let now = 1e12;
    const timed = new ApprovalFiles(testFolder.state, () => now);
    timed.override(digest);
    now += 10 * 60 * 1000;
    expect(timed.takeOverride(QUESTION)).toBeUndefined();
    now -= 1;
    expect(timed.takeOverride(QUESTION)).toEqual(APPROVAL);
  });

  test.each(['no JSON', { call: digest }, { call: digest, until: 'ever' }, { until: 9e15 }])(
    'is not read from %j',
    (content) => {
      const text = typeof content === 'string' ? content : JSON.stringify(content);
      testFolder.write(`state/overrides/${digest.slice(0, 12)}.json`, text);
      expect(files.takeOverride(QUESTION)).toBeUndefined();
    },
  );
});
