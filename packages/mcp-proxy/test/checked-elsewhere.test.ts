import { expect, it } from 'vitest';
import { type Decided, META, type ProxyOptions } from '../src/index.ts';
import { DOUBT, EVE, listed, POISON } from './fixture/rig.ts';

const MEMBER: ProxyOptions['checkedElsewhere'] = () => () => true;

it.each<{ title: string; text: string; checkedElsewhere: ProxyOptions['checkedElsewhere']; outcome: string }>([
  { title: 'is made if its question was answered', text: DOUBT, checkedElsewhere: MEMBER, outcome: 'allow' },
  { title: 'is held if not', text: DOUBT, checkedElsewhere: () => () => false, outcome: 'ask' },
  { title: 'is held if it was not checked there', text: DOUBT, checkedElsewhere: () => undefined, outcome: 'ask' },
  { title: 'stays denied', text: POISON, checkedElsewhere: MEMBER, outcome: 'deny' },
])('a call that was checked elsewhere $title', async ({ text, checkedElsewhere, outcome }) => {
  const calls: unknown[] = [];
  const decided: Decided[] = [];
  const rig = await listed({
    checkedElsewhere: (tool, given) => {
      calls.push([tool, given]);
      return checkedElsewhere?.(tool, given);
    },
    journal: { decided: (each) => void decided.push(each) },
  });
  await rig.read(text);
  await rig.call(1, { to: EVE });
  await rig.settle();
  expect(calls).toEqual([
    ['read', {}],
    ['send', { to: EVE }],
  ]);
  expect(rig.server).toHaveLength(outcome === 'allow' ? 1 : 0);
  expect(decided.at(-1)?.isCheckedElsewhere).toBe(outcome === 'allow' ? true : undefined);
  if (outcome !== 'allow') expect(rig.message().result._meta[META.decision].outcome).toBe(outcome);
});

it('a call that a person has approved for longer was not let pass by the check elsewhere', async () => {
  const decided: Decided[] = [];
  let isChecked = false;
  const rig = await listed({
    approver: async () => ({ by: 'ann', scope: 'conversation' }),
    checkedElsewhere: () => (isChecked ? () => true : undefined),
    journal: { decided: (each) => void decided.push(each) },
  });
  await rig.read(DOUBT);
  for (const id of [1, 2]) {
    await rig.call(id, { to: EVE });
    await rig.settle();
    expect(rig.server.splice(0)).toHaveLength(1);
    expect(decided.at(-1)).toMatchObject({ decision: { outcome: 'allow', rule: 'approved' } });
    expect(decided.at(-1)?.isCheckedElsewhere).toBeUndefined();
    isChecked = true;
  }
});
