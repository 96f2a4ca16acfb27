import { expect, test } from 'vitest';
import { Callers, type CallersOptions } from '../../src/serve/auth/auth.ts';
import type { TokenVerdict } from '../../src/serve/auth/token.ts';

const KEY = `sp_abcdefgh_${'a'.repeat(43)}`;
const VERIFIED: TokenVerdict = {
  type: 'verified',
  workspace: 'team',
  principal: 'ada',
  scopes: new Set(['mcp', 'root']),
  expires: 0,
};
const ROLES = {
  staff: { workspace: 'team', scopes: ['mcp', 'approve:own'] },
  guests: { workspace: 'elsewhere', scopes: ['mcp'] },
};

function callers(
  verdict: TokenVerdict = VERIFIED,
  find = async (): Promise<unknown> => ({ type: 'unknown' }),
  groups: object = ROLES,
): Callers {
  const options = {
    keys: { find },
    tokens: { verify: async () => verdict },
    groups,
    workspaceOf: async (name: string) => (name === 'team' ? 'w1' : undefined),
  };
  return new Callers(options as unknown as CallersOptions);
}

test('the subject of a token is never the principal of a key', async () => {
  const caller = { workspace: 'w1', principal: 'sub:ada', scopes: new Set(['mcp']), groups: [] };
  expect(await callers().identify('Bearer a.b.c')).toEqual({ type: 'caller', caller });
});

test.each([
  { title: 'their scopes', given: { groups: ['staff', 'unknown', 'constructor'] }, expected: ['mcp', 'approve:own'] },
  { title: 'no scope without a role', given: { groups: ['unknown'] }, expected: [] },
  {
    title: 'only what the token asks for too',
    given: { groups: ['staff'], scopes: new Set(['mcp', 'admin']) },
    expected: ['mcp'],
  },
  { title: 'nothing in another workspace', given: { groups: ['guests'] }, expected: [] },
  {
    title: 'the workspace, if it is one',
    given: { groups: ['staff'], workspace: undefined },
    expected: ['mcp', 'approve:own'],
  },
])('groups give a caller $title', async ({ given, expected }) => {
  const verdict = { ...VERIFIED, scopes: undefined, ...given } as TokenVerdict;
  expect(await callers(verdict).identify('Bearer a.b.c')).toMatchObject({
    type: 'caller',
    caller: { workspace: 'w1', scopes: new Set(expected), groups: given.groups },
  });
});

test('without roles, groups of a token only say which servers it reaches', async () => {
  const verdict = { ...VERIFIED, groups: ['finance'] } as TokenVerdict;
  expect(await callers(verdict, undefined, {}).identify('Bearer a.b.c')).toMatchObject({
    caller: { scopes: new Set(['mcp']), groups: ['finance'] },
  });
});

test('groups of two workspaces identify no caller, unless the token names one', async () => {
  const verdict: TokenVerdict = { ...VERIFIED, scopes: undefined, workspace: undefined, groups: ['staff', 'guests'] };
  expect(await callers(verdict).identify('Bearer a.b.c')).toEqual({ type: 'unknown' });
  expect(await callers({ ...verdict, workspace: 'team' }).identify('Bearer a.b.c')).toMatchObject({ type: 'caller' });
});

test.each([null, '', 'Basic a', 'Bearer', 'Bearer a b'])('%j identifies no caller', async (header) => {
  expect(await callers().identify(header)).toEqual({ type: 'unknown' });
});

test('a token for an unknown workspace identifies no caller', async () => {
  expect(await callers({ ...VERIFIED, workspace: 'other' }).identify('Bearer a.b.c')).toEqual({ type: 'unknown' });
});

test('a refused token identifies no caller', async () => {
  expect(await callers({ type: 'refused', reason: 'expired' }).identify('Bearer a.b.c')).toEqual({ type: 'unknown' });
});

test('credentials that cannot be checked are unavailable, with the cause', async () => {
  const cause = new Error('no database');
  const failing = callers(VERIFIED, () => Promise.reject(cause));
  expect(await failing.identify(`Bearer ${KEY}`)).toEqual({ type: 'unavailable', cause });
  expect(await callers({ type: 'unavailable', cause }).identify('Bearer a.b.c')).toEqual({
    type: 'unavailable',
    cause,
  });
});
