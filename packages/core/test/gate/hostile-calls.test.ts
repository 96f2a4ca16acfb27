import { describe, expect, it } from 'vitest';
import { createBoundary } from '../../src/index.ts';
import { TOOLS, talk } from '../world.ts';

const EVIL = { for: 'eve@evil.example' };

class WithGetter {
  readonly id = 'c1';
  readonly tool = 'order';
  get arguments(): object {
    return EVIL;
  }
}

describe('a call whose arguments are not an own, plain member', () => {
  it.each([
    { title: 'a getter of a class', payload: () => new WithGetter() },
    { title: 'an inherited member', payload: () => Object.create({ id: 'c1', tool: 'order', arguments: EVIL }) },
    {
      title: 'a hidden member',
      payload: () => Object.defineProperty({ id: 'c1', tool: 'order' }, 'arguments', { value: EVIL }),
    },
  ])('is checked with them: $title', async ({ payload }) => {
    const { conversation } = await talk();
    expect((await conversation.check(payload() as never)).outcome).toBe('deny');
  });

  it.each([
    { title: 'another name', payload: { id: 'c1', tool: 'order', input: EVIL } },
    { title: 'a map', payload: { id: 'c1', tool: 'order', arguments: new Map(Object.entries(EVIL)) } },
    { title: 'a promise', payload: { id: 'c1', tool: 'order', arguments: Promise.resolve(EVIL) } },
  ])('is refused: $title', async ({ payload }) => {
    const { conversation } = await talk();
    await expect(conversation.check(payload as never)).rejects.toMatchObject({ code: 'ERR_INVALID_CALL' });
  });
});

it('a call that another conversation recorded is refused', async () => {
  const { conversation } = await talk();
  const other = createBoundary({ tools: TOOLS }).conversation('other');
  await other.request();
  const call = conversation.recordCall({ id: 'c1', tool: 'order', arguments: EVIL });
  await expect(other.check(call)).rejects.toMatchObject({ code: 'ERR_STAGE_SKIPPED' });
});

it('a conversation that has shown content cannot be restored into', async () => {
  const { conversation } = await talk();
  const other = createBoundary({ tools: TOOLS }).conversation('c');
  await other.request();
  expect(() => other.restore(conversation.snapshot())).toThrow(/needs a new conversation/);
});

it('an answer of null declines a held call', async () => {
  const { conversation } = await talk();
  const call = { id: 'c1', tool: 'order', arguments: { account: 'FR11-2044' } };
  expect(await conversation.check(call, { ask: () => null as never })).toMatchObject({ rule: 'rejected' });
});
