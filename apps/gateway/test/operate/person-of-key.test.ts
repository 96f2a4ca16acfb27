import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bus } from '../../src/cache/bus.ts';
import { withOperations } from '../../src/index.ts';
import { Keys } from '../../src/store/secrets/keys.ts';
import { Logins } from '../../src/store/secrets/logins.ts';
import { Installation } from '../fixture/replica.ts';

let installation: Installation;
let acme: string;

beforeAll(async () => {
  installation = await Installation.make();
  acme = await installation.workspace('acme');
  await installation.workspace('keys-only');
  const bus = new Bus();
  const logins = new Logins(installation.test.database, bus, installation.configFor().keysFor('logins'));
  await logins.start(acme, 'sub:ada', new Set(['approve:own']));
  logins.close();
  bus.close();
});

afterAll(() => installation?.drop());

/** Creates a key of a person, and returns the warnings. */
async function warnings(workspace: string, person: string): Promise<readonly string[]> {
  const warned: string[] = [];
  const input = { principal: `agent of ${person}`, label: 'test', scopes: ['mcp'], person } as const;
  const key = await withOperations(installation.configFor(), (operations) =>
    operations.makeKey(workspace, input, { onWarning: (text) => warned.push(text) }),
  );
  expect(key).toMatch(/^sp_/);
  return warned;
}

test.each([
  { title: 'who has logged in', workspace: 'acme', person: 'sub:ada', expected: [] },
  {
    title: 'whose name is mistyped',
    workspace: 'acme',
    person: 'sub:adda',
    expected: [expect.stringContaining('sub:adda has not logged in to acme')],
  },
  {
    title: 'who has logged in elsewhere',
    workspace: 'keys-only',
    person: 'sub:ada',
    expected: [expect.stringContaining('sub:ada has not logged in to keys-only')],
  },
  {
    title: 'who is known by keys only',
    workspace: 'keys-only',
    person: 'ada',
    expected: [expect.stringContaining('no login matches ada')],
  },
])('a key of a person $title', async ({ workspace, person, expected }) => {
  expect(await warnings(workspace, person)).toEqual(expected);
});

test('a key of a person that no login can match is refused where people log in', async () => {
  await expect(warnings('acme', 'ada')).rejects.toMatchObject({
    problem: 'invalid',
    message: expect.stringContaining('must begin with "sub:"'),
  });
  const bus = new Bus();
  const keys = new Keys(installation.test.database, bus, installation.configFor().keyFor('keys'));
  expect((await keys.list(acme)).map(({ principal }) => principal)).not.toContain('agent of ada');
  keys.close();
  bus.close();
});

test('a warning without a receiver is one of the process', async () => {
  const heard = new Promise<Error>((resolve) => process.once('warning', resolve));
  const input = { principal: 'quiet', label: 'test', scopes: ['mcp'], person: 'sub:bob' } as const;
  await withOperations(installation.configFor(), (operations) => operations.makeKey('acme', input));
  expect((await heard).message).toContain('sub:bob has not logged in to acme');
});
