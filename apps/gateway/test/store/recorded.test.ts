import { afterAll, beforeAll, expect, test } from 'vitest';
import { nameOf } from '../../src/store/log.ts';
import { type RecordedEntry, readEntries } from '../../src/store/policy/recorded.ts';
import { createWorkspace } from '../../src/store/workspaces.ts';
import { freshDatabase, type TestDatabase } from '../fixture/database.ts';

let given: TestDatabase;

beforeAll(async () => {
  given = await freshDatabase();
});
afterAll(() => given?.drop());

// `payload`: the lengths of the entries. `expected`: the lengths of those that are passed on at once.
test.each([
  { title: 'short ones together', payload: [10, 20, 30], expected: [[10, 20, 30]] },
  {
    title: 'long ones apart',
    payload: [400_000, 400_000, 400_000, 400_000, 900_000, 200_000],
    expected: [[400_000, 400_000], [400_000, 400_000], [900_000], [200_000]],
  },
  { title: 'one beyond the limit alone', payload: [10, 1_200_000, 10], expected: [[10], [1_200_000], [10]] },
])('entries of the log are read in portions of limited length: $title', async ({ title, payload, expected }) => {
  const workspace = await createWorkspace(given.database, title.replaceAll(' ', '-'));
  for (const length of payload)
    await given.attacker`insert into log (workspace_id, conversation, body)
      values (${workspace}, ${nameOf('ann', 'own')}, ${'a'.repeat(length)})`;
  const portions: (readonly RecordedEntry[])[] = [];
  let turns = 0;
  const principal = { name: 'ann', conversations: ['own'], groups: [] };
  const unread = await readEntries(given.database, workspace, principal, new Date(0), (portion) => {
    portions.push(portion);
    setImmediate(() => turns++);
    // Others had their turn since the last portion.
    expect(turns).toBe(portions.length - 1);
  });
  expect(portions.map((portion) => portion.map(({ text }) => text.length))).toEqual(expected);
  expect(unread).toBe(0);
});
