import type { Held } from '@sallyport/mcp-proxy';
import { describe, expect, test } from 'vitest';
import { PinBook } from '../../src/store/pins/pins.ts';
import { openStore } from '../fixture/store.ts';

const { opened, bus, workspace, other } = await openStore();

const definition = (text: string): Record<string, unknown> => ({ description: text, inputSchema: {} });

async function lastAudit(): Promise<unknown> {
  const [row] =
    await opened.attacker`select payload from audit where workspace_id = ${workspace} order by seq desc limit 1`;
  return JSON.parse(row?.payload);
}

describe('held definitions', () => {
  test('reject exactly one definition, as often as the server offers it, and keep the pinned one', async () => {
    const book = new PinBook(opened.database, bus);
    const store = book.store(workspace, 'flapping');
    const listed = { type: 'tools', names: ['send', 'read'], isWhole: true } as const;
    await store.add({ tools: { send: definition('1') } });
    const changed = (text: string): Held => ({
      type: 'changed',
      tool: 'send',
      before: definition('1'),
      after: definition(text),
    });
    const waiting = async (): Promise<readonly { digest: string; rejectedBy?: string }[]> =>
      (await book.held(workspace)).filter(({ server }) => server === 'flapping');
    await store.hold([changed('2')], listed);
    const [{ digest } = { digest: '' }] = await waiting();
    await expect(book.reject(other, 'flapping', digest, 'eve')).rejects.toMatchObject({ problem: 'missing' });
    await book.reject(workspace, 'flapping', digest, 'ann');
    expect(await lastAudit()).toMatchObject({ type: 'pin', what: 'rejected', tool: 'send', by: 'ann', digest });
    expect([await store.waits('send'), await store.waits('read')]).toEqual(['rejected', false]);
    expect(await waiting()).toMatchObject([{ digest, rejectedBy: 'ann' }]);
    // The server offers the pinned one, then another, then the rejected one again.
    await store.hold([], listed);
    expect([await store.waits('send'), await waiting()]).toEqual([false, []]);
    await store.hold([changed('3')], listed);
    expect(await store.waits('send')).toBe(true);
    await store.hold([changed('2')], listed);
    expect(await store.waits('send')).toBe('rejected');
    expect((await store.load())?.tools.send).toEqual(definition('1'));
    // A person may change their mind, and accept it.
    await book.accept(workspace, 'flapping', digest, 'ann');
    expect([await store.waits('send'), (await store.load())?.tools.send]).toEqual([false, definition('2')]);
  });

  test('withdraw what a server no longer offers: it cannot be accepted any more, and its row does not stay', async () => {
    const book = new PinBook(opened.database, bus);
    const store = book.store(workspace, 'fickle');
    const listed = (...names: string[]) => ({ type: 'tools', names, isWhole: true }) as const;
    const held = (tool: string, text: string): Held => ({
      type: 'changed',
      tool,
      before: definition('1'),
      after: definition(text),
    });
    await store.add({ tools: { a: definition('1'), b: definition('1') }, instructions: 'be kind' });
    await store.hold([held('a', '2'), held('b', '2')], listed('a', 'b'));
    await store.hold([{ type: 'instructions', before: 'be kind', after: 'obey' }], { type: 'instructions' });
    const before = (await book.held(workspace)).filter(({ server }) => server === 'fickle');
    expect(before).toHaveLength(3);
    // A page that does not name a tool says nothing about it. A whole listing does.
    await store.hold([], { type: 'tools', names: ['c'], isWhole: false });
    expect([await store.waits('a'), await store.waits('b')]).toEqual([true, true]);
    await store.hold([held('a', '2')], listed('a'));
    await store.hold([], { type: 'instructions' });
    expect([await store.waits('a'), await store.waits('b')]).toEqual([true, false]);
    for (const { digest, held: each } of before.filter(
      (row) => row.held.type === 'instructions' || row.held.tool === 'b',
    ))
      await expect(book.accept(workspace, 'fickle', digest, 'ann'), each.type).rejects.toMatchObject({
        problem: 'conflict',
        message: expect.stringContaining('no longer offers'),
      });
    const rows = (): Promise<readonly unknown[]> =>
      opened.attacker`select 1 from held where workspace_id = ${workspace} and server = 'fickle'`;
    for (let turn = 0; turn < 150; turn++) await store.hold([held('a', `turn ${turn}`)], listed('a'));
    expect((await rows()).length).toBeLessThanOrEqual(102);
    await opened.attacker`update held set withdrawn_at = now() - interval '2 days' where withdrawn_at is not null`;
    await store.hold([], listed('a'));
    expect(await rows()).toHaveLength(1);
  });

  test.each([
    {
      title: 'withdraw only by the principal that was offered it, if each has a server of its own',
      second: { principal: 'bob', isShared: (): boolean => false },
      listed: ['ann'],
      after: { ann: true, bob: false },
    },
    {
      title: 'stay while another principal is offered the same',
      second: { principal: 'bob', isShared: (): boolean => false },
      listed: ['ann', 'bob', 'bob again'],
      after: { ann: true, bob: false },
    },
    {
      title: 'withdraw by a listing that speaks for all',
      second: { principal: 'bob', isShared: (): boolean => true },
      listed: ['ann'],
      after: { ann: false, bob: false },
    },
    {
      title: 'of a shared server wait for each principal',
      first: { principal: 'ann', isShared: (): boolean => true },
      second: { principal: 'bob', isShared: (): boolean => false },
      listed: ['ann', 'nothing more'],
      after: { ann: true, bob: true },
    },
  ])(
    '$title',
    async ({ title, first = { principal: 'ann', isShared: (): boolean => false }, second, listed, after }) => {
      const book = new PinBook(opened.database, bus);
      const [ann, bob] = [book.store(workspace, title, first), book.store(workspace, title, second)];
      const whole = { type: 'tools', names: ['send'], isWhole: true } as const;
      const changed: Held = { type: 'changed', tool: 'send', before: definition('1'), after: definition('2') };
      await ann.add({ tools: { send: definition('1') } });
      await ann.hold([changed], whole);
      if (listed.includes('bob')) await bob.hold([changed], whole);
      if (!listed.includes('nothing more')) await bob.hold([], whole);
      expect({ ann: await ann.waits('send'), bob: await bob.waits('send') }).toEqual(after);
      const waiting = (await book.held(workspace)).filter(({ server }) => server === title);
      expect(waiting).toHaveLength(after.ann ? 1 : 0);
      await ann.hold([], whole);
      expect(await ann.waits('send')).toBe(false);
      await ann.hold([changed], whole);
      expect(await ann.waits('send')).toBe(true);
    },
  );
});
