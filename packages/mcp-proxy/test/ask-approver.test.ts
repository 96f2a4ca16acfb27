import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Approver, META, type Question } from '../src/index.ts';
import { answered, ELICITS, held, PENDING, REJECTED } from './fixture/held.ts';
import { DOUBT, EVE, listed, POISON, type Rig } from './fixture/rig.ts';

const DENIED = { [META.decision]: { outcome: 'deny', rule: 'instructed' } };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('through the approver', () => {
  /** A rig with a held call, and the question that the approver received. */
  async function asking(approver: Approver, capabilities: unknown = {}): Promise<{ rig: Rig; asked: Question[] }> {
    const asked: Question[] = [];
    const rig = await listed({
      askTimeout: 1000,
      approver: (question, signal) => {
        asked.push(question);
        return approver(question, signal);
      },
    });
    await rig.initialize(capabilities);
    await rig.read(DOUBT);
    await rig.call(1, { to: EVE });
    await rig.settle();
    return { rig, asked };
  }

  it('asks the approver with the whole question', async () => {
    const { rig, asked } = await asking(async () => ({ by: 'Ann' }));
    expect(JSON.parse(rig.sent()).id).toBe(1);
    const about = { server: 'mail', tool: 'send', arguments: `{"to":"${EVE}"}`, rule: 'alarm' };
    expect(asked).toMatchObject([{ ...about, evidence: [{ path: '/to', source: 'read', excerpt: { match: EVE } }] }]);
  });

  describe('about a call of a conversation with a name', () => {
    const NAMED = { 'sallyport/conversation': 'c1' };

    /** What the person is asked if the conversation has read one text and the principal another. */
    async function askedAfter(own: string | undefined, shared: string) {
      const asked: Question[] = [];
      const rig = await listed({
        approver: async (question) => {
          asked.push(question);
          return { by: 'Ann' };
        },
      });
      if (own !== undefined) await rig.read(own, NAMED);
      await rig.read(shared);
      await rig.call(1, { to: EVE }, { _meta: NAMED });
      await rig.settle();
      return { rig, asked };
    }

    it('asks no person if the principal has read an instruction to make it', async () => {
      const { rig, asked } = await askedAfter(DOUBT, POISON);
      expect(asked).toEqual([]);
      expect(rig.message().result._meta).toMatchObject(DENIED);
    });

    it('shows what the principal has read, if that is why the call is held', async () => {
      const { rig, asked } = await askedAfter(undefined, DOUBT);
      expect(asked).toMatchObject([{ conversation: expect.any(String), evidence: [{ path: '/to' }] }]);
      expect(JSON.parse(rig.sent()).id).toBe(1);
    });
  });

  it.each([
    { scope: 'conversation', owner: undefined, expected: 1 },
    { scope: 'always', owner: 'ann mail', expected: 1 },
    { scope: 'always', owner: undefined, expected: 2 },
  ] as const)(
    'asks $expected times about two calls if the answer is: $scope, with owner $owner',
    async ({ scope, owner, expected }) => {
      const asked: Question[] = [];
      const rig = await listed({
        ...(owner !== undefined && { owner }),
        approver: async (question) => {
          asked.push(question);
          return { by: 'Ann', scope };
        },
      });
      await rig.initialize({});
      await rig.read(DOUBT);
      for (const id of [1, 2]) {
        await rig.call(id, { to: EVE });
        await rig.settle();
        expect(JSON.parse(rig.sent()).id).toBe(id);
      }
      expect(asked).toHaveLength(expected);
      expect(asked[0]?.scopes.includes('always')).toBe(owner !== undefined);
    },
  );

  it.each([
    ['declines', async () => 'declined' as const, REJECTED],
    ['says nothing', async () => undefined, PENDING],
    ['fails', () => Promise.reject(new Error('no')), PENDING],
  ])('does not send the call if the approver %s', async (_, approver: Approver, expected) => {
    const { rig } = await asking(approver);
    expect(rig.server).toEqual([]);
    expect(rig.message()).toMatchObject({ id: 1, result: { _meta: expected } });
  });

  it('stops waiting after the timeout, and aborts the signal', async () => {
    let signal: AbortSignal | undefined;
    const { rig } = await asking((_, given) => {
      signal = given;
      return new Promise(() => undefined);
    });
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    expect(rig.message()).toMatchObject({ id: 1, result: { _meta: PENDING } });
    expect(signal?.aborted).toBe(true);
  });

  it('is asked only if the client cannot ask', async () => {
    const { rig, asked } = await asking(async () => ({ by: 'Ann' }), ELICITS);
    expect(asked).toEqual([]);
    await answered(rig, { error: { code: -32601, message: 'Method not found' } });
    expect(asked).toHaveLength(1);
    await vi.waitUntil(() => rig.server.length > 0, 10_000);
    expect(JSON.parse(rig.sent()).id).toBe(1);
  });

  it('the call stays held without an approver', async () => {
    const rig = await held({});
    expect(rig.message()).toMatchObject({ id: 1, result: { isError: true, _meta: PENDING } });
  });
});
