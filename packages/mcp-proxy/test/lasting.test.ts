import type { ApprovalStore, StoredApproval } from '@sallyport/core';
import { memoryApprovalStore } from '@sallyport/core/stages';
import { describe, expect, it } from 'vitest';
import { META, type ProxyOptions, type Question } from '../src/index.ts';
import { DOUBT, EVE, listed, type Rig } from './fixture/rig.ts';

const meta = (id: string) => ({ _meta: { [META.conversation]: id } });

/** A proxy whose approver keeps approvals that last in a store, as another process would. */
async function opened(scope: 'conversation' | 'always', options: Partial<ProxyOptions> = {}) {
  const store: ApprovalStore = memoryApprovalStore();
  const asked: Question[] = [];
  const rig = await listed({
    approvals: store,
    owner: 'ann',
    keepsApprovals: true,
    approver: async (question) => {
      asked.push(question);
      const about = {
        scope,
        conversation: '',
        owner: 'ann',
        tool: 'send',
        values: [],
        rule: '',
        by: 'bob',
        created: 0,
      };
      for (const key of question.keys?.[scope] ?? []) store.add({ ...about, id: key, key } satisfies StoredApproval);
      return { by: 'bob' };
    },
    ...options,
  });
  await rig.initialize({});
  return { rig, asked };
}

async function isSent(rig: Rig, given: unknown, more = {}): Promise<boolean> {
  rig.server.length = 0;
  rig.client.length = 0;
  await rig.call('c', given, more);
  await rig.arrival();
  if (rig.server.length === 0) return false;
  await rig.tell({ jsonrpc: '2.0', id: 'c', result: {} });
  return true;
}

/** What the server tells every conversation. */
const announce = (rig: Rig): Promise<boolean> =>
  rig.tell({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: DOUBT } });

describe('an approver that keeps approvals', () => {
  it('gets the effect, the values that stay the same, and a key for each lasting scope', async () => {
    const { rig, asked } = await opened('always');
    await rig.read(DOUBT);
    expect(await isSent(rig, { to: EVE })).toBe(true);
    expect(asked).toMatchObject([
      {
        effect: 'send',
        cell: expect.stringContaining('send'),
        fixed: ['/to'],
        scopes: expect.arrayContaining(['always']),
      },
    ]);
    expect(Object.keys(asked[0]?.keys ?? {})).toEqual(['task', 'conversation', 'always']);
    expect(await isSent(rig, { to: EVE })).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it.each([
    { scope: 'conversation', expected: 2 },
    { scope: 'always', expected: 1 },
  ] as const)('is asked $expected times by two conversations if it approves: $scope', async ({ scope, expected }) => {
    const { rig, asked } = await opened(scope);
    // Read by no single conversation: the memory that all of them share asks.
    await announce(rig);
    for (const id of ['one', 'one', 'two']) expect(await isSent(rig, { to: EVE }, meta(id))).toBe(true);
    expect(asked).toHaveLength(expected);
  });

  it('is asked again about another value', async () => {
    const { rig, asked } = await opened('always');
    await rig.read(`${DOUBT} ~~or mallory@evil.example~~`);
    expect(await isSent(rig, { to: EVE })).toBe(true);
    expect(await isSent(rig, { to: 'mallory@evil.example' })).toBe(true);
    expect(asked.map((each) => each.arguments)).toEqual([`{"to":"${EVE}"}`, '{"to":"mallory@evil.example"}']);
  });

  it('can approve a call that needs a second person only once', async () => {
    const { rig, asked } = await opened('always', { secondPerson: ['send'] });
    await rig.read(DOUBT);
    for (const _ of [1, 2]) expect(await isSent(rig, { to: EVE })).toBe(true);
    expect(asked).toMatchObject([
      { scopes: ['once'], secondPerson: true },
      { scopes: ['once'], secondPerson: true },
    ]);
    expect(asked[0]?.keys).toBeUndefined();
  });
});

it('questions have no keys if no approval is kept', async () => {
  const { rig, asked } = await opened('always', { keepsApprovals: false });
  await rig.read(DOUBT);
  expect(await isSent(rig, { to: EVE })).toBe(true);
  expect(asked[0]).not.toHaveProperty('keys');
});
