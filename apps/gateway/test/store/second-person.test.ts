import type { Question } from '@sallyport/mcp-proxy';
import { expect, test } from 'vitest';
import { Approvals } from '../../src/store/approvals.ts';
import { searchAudit } from '../../src/store/audit/search.ts';
import { Keys } from '../../src/store/secrets/keys.ts';
import { openStore } from '../fixture/store.ts';

const { opened, bus, workspace, other } = await openStore();
const approvals = new Approvals(opened.database, bus);
const keys = new Keys(opened.database, bus, new Uint8Array(32));
let asked = 0;

/** Holds a call of a principal that needs a second person, and returns its id. */
async function hold(principal: string): Promise<string> {
  const conversation = `c${++asked}`;
  const question: Question = {
    ...{ server: 's', conversation, tool: 'pay', arguments: '{}', rule: 'r', reason: 'why', evidence: [], scopes: [] },
    secondPerson: true,
  };
  const enough = new AbortController();
  await approvals.approver({ workspace, principal }, () => enough.abort())(question, enough.signal);
  const found = (await approvals.pending(workspace)).find((each) => each.question.conversation === conversation);
  return found?.id as string;
}

interface Key {
  readonly principal: string;
  readonly person?: string;
  readonly isRevoked?: 'before' | 'after';
  readonly workspace?: string;
}

interface Row {
  readonly title: string;
  readonly keys: readonly Key[];
  readonly asker: string;
  readonly by: string;
  readonly expected: 'approved' | 'forbidden';
}

async function create({ principal, person, workspace: place = workspace }: Key): Promise<string> {
  const named = person === undefined ? {} : { person };
  return (await keys.create(place, { principal, label: 'test', scopes: ['mcp'], ...named }, 'operator')).id;
}

const rows: readonly Row[] = [
  {
    title: 'a login of the person whose key called',
    keys: [{ principal: 'a1', person: 'sub:ada' }],
    ...{ asker: 'a1', by: 'sub:ada', expected: 'forbidden' },
  },
  {
    title: 'a key of the person whose login or token called',
    keys: [{ principal: 'a2', person: 'sub:ada' }],
    ...{ asker: 'sub:ada', by: 'a2', expected: 'forbidden' },
  },
  {
    title: 'another key of the same person',
    keys: [
      { principal: 'a3', person: 'sub:ada' },
      { principal: 'b3', person: 'sub:ada' },
    ],
    ...{ asker: 'a3', by: 'b3', expected: 'forbidden' },
  },
  {
    title: 'the principal of a key that is the person of the key that called',
    keys: [{ principal: 'a4', person: 'boss4' }, { principal: 'boss4' }],
    ...{ asker: 'a4', by: 'boss4', expected: 'forbidden' },
  },
  {
    title: 'a login, if the key that called is of no known person',
    keys: [{ principal: 'a5' }],
    ...{ asker: 'a5', by: 'sub:carol', expected: 'forbidden' },
  },
  {
    title: 'a key of no known person, if a login or token called',
    keys: [{ principal: 'a6' }],
    ...{ asker: 'sub:ada', by: 'a6', expected: 'forbidden' },
  },
  {
    title: 'one of the persons who share the principal that called',
    keys: [
      { principal: 'a7', person: 'sub:ada' },
      { principal: 'a7', person: 'sub:bob' },
    ],
    ...{ asker: 'a7', by: 'sub:bob', expected: 'forbidden' },
  },
  {
    title: 'a person whose key was revoked after the call',
    keys: [
      { principal: 'a8', person: 'sub:ada', isRevoked: 'after' },
      { principal: 'a8', person: 'sub:bob' },
    ],
    ...{ asker: 'a8', by: 'sub:ada', expected: 'forbidden' },
  },
  {
    title: 'a person whose key was revoked before the call',
    keys: [
      { principal: 'a9', person: 'sub:ada', isRevoked: 'before' },
      { principal: 'a9', person: 'sub:bob' },
    ],
    ...{ asker: 'a9', by: 'sub:ada', expected: 'approved' },
  },
  {
    title: 'a login of another person than that of the key',
    keys: [{ principal: 'a10', person: 'sub:ada' }],
    ...{ asker: 'a10', by: 'sub:carol', expected: 'approved' },
  },
  {
    title: 'a key of another person than the login',
    keys: [{ principal: 'a11', person: 'sub:carol' }],
    ...{ asker: 'sub:ada', by: 'a11', expected: 'approved' },
  },
  {
    title: 'a key of another principal, both of no known person',
    keys: [{ principal: 'a12' }, { principal: 'b12' }],
    ...{ asker: 'a12', by: 'b12', expected: 'approved' },
  },
  {
    title: 'another login',
    keys: [],
    ...{ asker: 'sub:ada', by: 'sub:carol', expected: 'approved' },
  },
  {
    title: 'a person whose key of that name is in another workspace',
    keys: [
      { principal: 'a14', person: 'sub:ada', workspace: other },
      { principal: 'a14', person: 'sub:bob' },
    ],
    ...{ asker: 'a14', by: 'sub:ada', expected: 'approved' },
  },
];

test.each(rows)('$title answers a call that needs a second person: $expected', async (row) => {
  const ids = await Promise.all(row.keys.map(async (key) => ({ ...key, id: await create(key) })));
  const revoke = async (when: 'before' | 'after'): Promise<void> => {
    for (const { id, isRevoked } of ids) if (isRevoked === when) await keys.revoke(workspace, id, 'operator');
  };
  await revoke('before');
  const id = await hold(row.asker);
  await revoke('after');
  const answered = approvals.answer(workspace, id, 'approved', row.by).then(
    () => 'approved',
    ({ problem }) => problem,
  );
  expect(await answered).toBe(row.expected);
});

/** Why a login may not answer a call of `principal`, as the answer and as the list say it. */
async function refusals(principal: string, by: string): Promise<readonly unknown[]> {
  const id = await hold(principal);
  const problem = await approvals.answer(workspace, id, 'approved', by).catch(({ message }) => message);
  const listed = (await approvals.pending(workspace, undefined, by)).find((each) => each.id === id);
  return [problem, listed?.refused];
}

test.each([
  {
    title: 'names the key that names no person',
    keys: [{ principal: 'deploy' }, { principal: 'deploy', person: 'sub:ada' }],
    principal: 'deploy',
    says: 'the key ID ("test") of deploy names no person: revoke it, or revoke it and make it again with --person.',
  },
  {
    title: 'names the key of a person who has no login',
    keys: [{ principal: 'build', person: 'boss' }],
    principal: 'build',
    says: 'the key ID ("test") of build names boss in place of a login such as sub:ada: revoke it',
  },
  {
    title: 'counts the keys',
    keys: [{ principal: 'nightly' }, { principal: 'nightly' }],
    principal: 'nightly',
    says: 'names no person (and 1 more): revoke it',
  },
  {
    title: 'says no more if the person is the same',
    keys: [{ principal: 'own' }, { principal: 'own', person: 'sub:sam' }],
    principal: 'own',
    says: 'not by a key or a login that may be of the person who called',
  },
])('a refusal $title, also in the list', async ({ keys: made, principal, says }) => {
  const ids: string[] = [];
  for (const key of made) ids.push(await create(key));
  const contains = expect.stringContaining(says.replace('ID', ids[0] ?? ''));
  expect(await refusals(principal, 'sub:sam')).toEqual([contains, contains]);
});

test('a call can be answered once the key that names no person was revoked before it', async () => {
  await create({ principal: 'late', person: 'sub:ada' });
  const loose = await create({ principal: 'late' });
  const held = await hold('late');
  await keys.revoke(workspace, loose, 'operator');
  await expect(approvals.answer(workspace, held, 'approved', 'sub:sam')).rejects.toThrow(
    'Calls that are held from now on can be answered.',
  );
  expect(await refusals('late', 'sub:sam')).toEqual([undefined, undefined]);
});

test('the audit row of an answer has the person who gave it, and whose call it was', async () => {
  await create({ principal: 'payer', person: 'sub:ada' });
  await create({ principal: 'second-key', person: 'sub:grace' });
  const id = await hold('payer');
  await approvals.answer(workspace, id, 'approved', 'second-key', { person: 'sub:grace' });
  const expected = { by: 'second-key', person: 'sub:grace', principal: 'payer', server: 's', tool: 'pay' };
  for (const person of ['sub:grace', 'second-key', 'payer']) {
    const [row] = await searchAudit(opened.database, workspace, { person, type: 'approval', tool: 'pay', limit: 1 });
    expect(row?.event).toMatchObject({ type: 'approval', what: 'approved', id, ...expected });
  }
});

test('the list tells a caller without the scope for all that another must answer, and nothing of a call that they may answer', async () => {
  const id = await hold('solo');
  const [listed] = await approvals.pending(workspace, 'solo', 'solo');
  expect(listed).toMatchObject({ id, refused: expect.stringContaining('with the scope approve:any') });
  const other = await approvals.pending(workspace, undefined, 'other-key');
  expect(other.find((each) => each.id === id)).not.toHaveProperty('refused');
});

test('a rotated key is of the same person', async () => {
  const rotated = await keys.rotate(workspace, await create({ principal: 'r', person: 'sub:ada' }), 0, 'operator');
  expect((await keys.find(rotated.text))?.person).toBe('sub:ada');
});
