import type { Facts } from '@sallyport/core';
import { describe, expect, it } from 'vitest';
import { META, type Question } from '../src/index.ts';
import { EVE, listed, POISON } from './fixture/rig.ts';

const APPROVAL = { by: 'ann', acknowledge: true } as const;
const DENIED = { [META.decision]: { outcome: 'deny', rule: 'instructed' } };

describe('a denied call that a person lets pass', () => {
  it('is made once, and the person is asked by what the gate found', async () => {
    const asked: Question[] = [];
    const answers = [undefined, APPROVAL];
    const rig = await listed({
      override: (question) => {
        asked.push(question);
        return answers[asked.length - 1];
      },
    });
    await rig.read(POISON);
    await rig.call(1, { to: EVE });
    expect(rig.message().result._meta).toEqual(DENIED);
    await rig.call(2, { to: EVE });
    expect(rig.server).toHaveLength(1);
    await rig.call(3, { to: EVE });
    expect(rig.server).toHaveLength(1);
    expect(asked).toHaveLength(3);
    expect(asked[0]).toMatchObject({ tool: 'send', rule: 'instructed', scopes: ['once'] });
    expect(asked[0]?.evidence[0]?.excerpt.match).toBe(EVE);
  });

  it.each([
    { title: 'the person did not see the denial', override: { by: 'ann' } },
    {
      title: 'a rule of the application denied it',
      override: APPROVAL,
      rules: {
        never: ({ tool }: Facts) => (tool === 'send' ? { outcome: 'deny' as const, reason: 'No.' } : undefined),
      },
    },
  ])('is not made if $title', async ({ override, rules = {} }) => {
    const rig = await listed({ override: () => override, gate: { rules } });
    await rig.read(POISON);
    rig.server.length = 0;
    await rig.call(1, { to: EVE });
    expect(rig.server).toEqual([]);
  });

  it('is not made if the override cannot be read', async () => {
    const rig = await listed({ override: () => Promise.reject(new Error('disk')) });
    await rig.read(POISON);
    await rig.call(1, { to: EVE });
    expect(rig.server).toEqual([]);
    expect(rig.message().error.code).toBe(-32603);
  });
});

it('a refusal has the note as a text of its own', async () => {
  const rig = await listed({ refusalNote: ({ tool, rule }) => `see ${tool} ${rule}` });
  await rig.read(POISON);
  await rig.call(1, { to: EVE });
  const [refusal, note] = rig.message().result.content;
  expect(refusal.text).toMatch(/^The call was not made/);
  expect(note).toEqual({ type: 'text', text: 'see send instructed' });
});
