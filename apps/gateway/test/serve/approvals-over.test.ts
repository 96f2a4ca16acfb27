import type { Decision } from '@sallyport/core';
import { expect, test, vi } from 'vitest';
import { approvalsOver } from '../../src/serve/thread/services.ts';

const decided = (outcome: string): Decision => ({ outcome, call: { tool: 'mail.send' } }) as Decision;
const FOUND = { id: 'x', key: 'k' };

test.each([
  { title: 'a call that is asked about', decision: decided('ask'), asked: [['approvals.take', ['mail.send', ['k']]]] },
  { title: 'a call that is denied', decision: decided('deny'), asked: [] },
])('the database is asked about $title: $asked.length times', async ({ decision, asked }) => {
  const ask = vi.fn(async () => FOUND);
  const taken = await approvalsOver(ask).take(['k'], 0, decision);
  expect([ask.mock.calls, taken]).toEqual([asked, asked.length === 0 ? undefined : FOUND]);
});

test('the database is not asked about a call that was approved once here', async () => {
  const ask = vi.fn(async () => undefined);
  const store = approvalsOver(ask);
  const about = { id: 'x', conversation: 'c', tool: 't', values: [], rule: 'r', by: 'ann', created: 0 };
  await store.add({ ...about, key: 'k', scope: 'once', uses: 1 });
  expect(await store.take(['k'], 0, decided('ask'))).toMatchObject({ by: 'ann' });
  expect(ask).not.toHaveBeenCalled();
  expect(await store.take(['k'], 0, decided('ask'))).toBeUndefined();
  expect(ask).toHaveBeenCalledOnce();
});
