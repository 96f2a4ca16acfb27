import type { Answer, Question } from '@sallyport/mcp-proxy';
import { describe, expect, test, vi } from 'vitest';
import { ManualTime } from '../../../../packages/core/test/fixture/time.ts';
import { Bus } from '../../src/cache/bus.ts';
import { openRedis } from '../../src/cache/redis.ts';
import { Approvals, type Asker } from '../../src/store/approvals.ts';
import { REDIS_URL, randomName } from '../fixture/database.ts';
import { eventually } from '../fixture/eventually.ts';
import { openStore } from '../fixture/store.ts';

const { opened, bus, workspace, other } = await openStore();

async function lastAudit(): Promise<unknown> {
  const [row] =
    await opened.attacker`select payload from audit where workspace_id = ${workspace} order by seq desc limit 1`;
  return JSON.parse(row?.payload);
}

describe('an approval', () => {
  const asks = (conversation: string): Question => ({
    server: 's',
    conversation,
    tool: 'pay',
    arguments: '{"to":1}',
    rule: 'r',
    reason: 'why',
    evidence: [],
    scopes: ['once'],
  });
  const asker = (): Asker => ({ workspace, principal: 'agent' });
  const patient = (): AbortSignal => new AbortController().signal;

  /** Asks, and stops waiting as soon as the question is stored. */
  async function askOnce(approvals: Approvals, who: Asker, question: Question): Promise<Answer> {
    const enough = new AbortController();
    return approvals.approver(who, () => enough.abort())(question, enough.signal);
  }

  async function idOf(approvals: Approvals, conversation: string): Promise<string> {
    return eventually(async () => {
      const found = (await approvals.pending(workspace)).find((each) => each.question.conversation === conversation);
      expect(found).toBeDefined();
      return (found as { id: string }).id;
    });
  }

  test('is awaited, names its author, and is used once', async () => {
    const approvals = new Approvals(opened.database, bus);
    const asked = vi.fn();
    const answer = approvals.approver(asker(), asked)(asks('c1'), patient());
    const id = await idOf(approvals, 'c1');
    expect(asked).toHaveBeenCalledExactlyOnceWith(id, asks('c1'));
    await expect(approvals.answer(other, id, 'approved', 'eve')).rejects.toMatchObject({ problem: 'missing' });
    await expect(approvals.answer(workspace, 'no-uuid', 'approved', 'ann')).rejects.toMatchObject({
      problem: 'missing',
    });
    await approvals.answer(workspace, id, 'approved', 'ann');
    expect(await answer).toEqual({ by: 'ann' });
    expect(await lastAudit()).toMatchObject({ type: 'approval', what: 'approved', id, by: 'ann' });
    await expect(approvals.answer(workspace, id, 'denied', 'bob')).rejects.toMatchObject({ problem: 'missing' });
    expect(await askOnce(approvals, asker(), asks('c1'))).toBeUndefined();
    expect((await approvals.pending(workspace)).find((each) => each.question.conversation === 'c1')?.id).not.toBe(id);
  });

  test('that arrives late applies once to the same call made again', async () => {
    const approvals = new Approvals(opened.database, bus);
    expect(await askOnce(approvals, asker(), asks('c2'))).toBeUndefined();
    await approvals.answer(workspace, await idOf(approvals, 'c2'), 'approved', 'ann');
    const taken = await Promise.all(Array.from({ length: 8 }, () => askOnce(approvals, asker(), asks('c2'))));
    expect(taken.filter((answer) => answer !== undefined)).toEqual([{ by: 'ann' }]);
  });

  test('that denies the call refuses it', async () => {
    const approvals = new Approvals(opened.database, bus);
    const answer = approvals.approver(asker())(asks('c3'), patient());
    await approvals.answer(workspace, await idOf(approvals, 'c3'), 'denied', 'ann');
    expect(await answer).toBe('declined');
  });

  const CHANGES: readonly { title: string; asker?: Partial<Asker>; question?: Partial<Question> }[] = [
    { title: 'server', question: { server: 't' } },
    { title: 'tool', question: { tool: 'pay2' } },
    { title: 'arguments', question: { arguments: '{"to":2}' } },
    { title: 'number that JavaScript rounds', question: { arguments: '{"to":1.00000000000000000001}' } },
    { title: 'principal', asker: { principal: 'other' } },
    { title: 'revision of what it is judged by', asker: { revision: 'other' } },
    { title: 'conversation', question: { conversation: 'c5' } },
  ];

  test.each(CHANGES)('does not apply to another $title', async ({ title, ...change }) => {
    const approvals = new Approvals(opened.database, bus);
    const own = asker();
    const question = asks(`of ${title}`);
    expect(await askOnce(approvals, own, question)).toBeUndefined();
    await approvals.answer(workspace, await idOf(approvals, `of ${title}`), 'approved', 'ann');
    const changed = askOnce(approvals, { ...own, ...change.asker }, { ...question, ...change.question });
    expect(await changed).toBeUndefined();
    expect(await askOnce(approvals, own, question)).toEqual({ by: 'ann' });
  });

  test('expires with its term', async () => {
    const approvals = new Approvals(opened.database, bus, 1234);
    /** As if the questions had been asked `seconds` earlier. */
    const age = (seconds: number): Promise<unknown> =>
      opened.attacker`update approvals set until = until - make_interval(secs => ${seconds}) where conversation = '"c6"'`;
    expect(await askOnce(approvals, asker(), asks('c6'))).toBeUndefined();
    await age(600);
    const id = await idOf(approvals, 'c6');
    await approvals.answer(workspace, id, 'approved', 'ann');
    await age(634);
    expect(await askOnce(approvals, asker(), asks('c6'))).toBeUndefined();
    await age(1234);
    const second = await opened.attacker`select id from approvals where conversation = '"c6"' and answer is null`;
    await expect(approvals.answer(workspace, second[0]?.id, 'approved', 'ann')).rejects.toMatchObject({
      problem: 'missing',
    });
  });

  test('wakes a caller in another replica: with Redis at once, without Redis by polling', async () => {
    const prefix = randomName('test');
    const links = [openRedis(REDIS_URL, { prefix }), openRedis(REDIS_URL, { prefix })];
    const time = new ManualTime();
    const { timer } = time;
    const heard = links.map((link) => new Bus(link, { timer }));
    await eventually(() => expect(heard.every(({ isSubscribed }) => isSubscribed)).toBe(true));
    const pairs: [Bus[], string][] = [
      [heard, 'c7'],
      [[new Bus(undefined, { timer }), new Bus(undefined, { timer })], 'c8'],
    ];
    for (const [buses, conversation] of pairs) {
      const [one, two] = buses.map((each) => new Approvals(opened.database, each)) as [Approvals, Approvals];
      const waiting: Promise<Answer> = one.approver(asker())(asks(conversation), patient());
      const id = await idOf(two, conversation);
      await two.answer(workspace, id, 'approved', 'ann');
      // With Redis the clock does not move: the notice wakes the caller. Without it the caller waits for the poll.
      if (buses !== heard) {
        const turns = [1, 2, 3].map(() => two.pending(workspace));
        expect(await Promise.race([waiting, Promise.all(turns).then(() => 'waits')])).toBe('waits');
        time.advance(500);
      }
      expect(await waiting).toEqual({ by: 'ann' });
    }
    for (const each of [...heard, ...links]) each.close();
  });

  test('is refused at once if fifty questions of a principal are pending', async () => {
    const approvals = new Approvals(opened.database, bus);
    const crowded = { workspace, principal: 'crowded' };
    const asking = Array.from({ length: 50 }, (_, index) => askOnce(approvals, crowded, asks(`q${index}`)));
    expect(await Promise.all(asking)).toEqual(Array.from({ length: 50 }));
    await expect(approvals.approver(crowded)(asks('q50'), patient())).rejects.toThrow();
    // Pending questions are still awaited, and other principals are not affected.
    expect(await askOnce(approvals, crowded, asks('q7'))).toBeUndefined();
    expect(await askOnce(approvals, { workspace, principal: 'calm' }, asks('q50'))).toBeUndefined();
  });

  test('in a form is shown under its id, and can be answered only by the caller', async () => {
    const approvals = new Approvals(opened.database, bus);
    const show = vi.fn();
    const waiting = approvals.approver(asker())(asks('c9'), patient(), show);
    const id = await idOf(approvals, 'c9');
    await eventually(() => expect(show).toHaveBeenCalledExactlyOnceWith(`sallyport-${id}`));
    const stranger = approvals.answerOwn({ workspace, principal: 'other' }, id, 'approved');
    await expect(stranger).rejects.toMatchObject({ problem: 'missing' });
    await approvals.answerOwn({ ...asker(), person: 'sub:ada' }, id, 'approved');
    expect(await waiting).toEqual({ by: 'agent, asked by the client' });
    expect(await lastAudit()).toMatchObject({ id, principal: 'agent', person: 'sub:ada' });
  });
});
