import {
  createClassifierRunner,
  LIKELIHOODS,
  memoryVerdictCache,
  type Span,
  type Timer,
  type Verdict,
} from '@sallyport/core/stages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { highest } from '../src/base/span.ts';
import { combine } from '../src/index.ts';
import { classifierOf, classify, signal } from './support.ts';

const LENGTH = 24;
const TEXT = 'x'.repeat(LENGTH);
const anySpan: fc.Arbitrary<Span> = fc
  .record({
    start: fc.nat(LENGTH - 1),
    width: fc.integer({ min: 1, max: LENGTH }),
    likelihood: fc.constantFrom(...LIKELIHOODS),
    tag: fc.constantFrom('a', 'b', 'c'),
  })
  .map(({ start, width, likelihood, tag }) => ({ start, end: Math.min(LENGTH, start + width), likelihood, tag }));
const anySpans = fc.array(anySpan, { maxLength: 8 });

/** The rank at every offset: -1 where there is no span at all. */
function ranks(spans: readonly Span[]): number[] {
  return Array.from({ length: LENGTH }, (_, at) =>
    spans
      .filter(({ start, end }) => start <= at && at < end)
      .reduce((most, { likelihood }) => Math.max(most, LIKELIHOODS.indexOf(likelihood)), -1),
  );
}

const fixed = (id: string, spans: readonly Span[]) => classifierOf(id, () => ({ spans }));
const failing = (id: string) => classifierOf(id, () => Promise.reject(new Error(`${id} is down`)));
const HIGH: Span = { start: 4, end: 8, likelihood: 'high', tag: 'b' };
const MEDIUM: Span = { start: 2, end: 10, likelihood: 'medium', tag: 'a' };

/** A timer that goes off when told to. */
function alarm() {
  const pending = new Map<number, () => void>();
  let next = 0;
  const timer: Timer = {
    set: (callback) => {
      pending.set(++next, callback);
      return next;
    },
    clear: (handle) => pending.delete(handle as number),
  };
  return { timer, pending, fire: () => [...pending.values()].forEach((callback) => void callback()) };
}

describe('properties', () => {
  it('never lowers the likelihood at any offset, whatever the other tiers say', async () => {
    await fc.assert(
      fc.asyncProperty(anySpans, fc.array(anySpans, { maxLength: 3 }), async (first, others) => {
        const classifier = combine(fixed('first', first), ...others.map((spans, index) => fixed(`${index}`, spans)));
        const after = ranks(await classify(classifier, TEXT));
        for (const [at, rank] of ranks(first).entries()) expect(after[at]).toBeGreaterThanOrEqual(rank);
        expect(after).toEqual(ranks([first, ...others].flat()));
      }),
      { numRuns: 300 },
    );
  });

  it('gives spans in order, without overlap, each with a tag of that likelihood at its offsets', () => {
    fc.assert(
      fc.property(anySpans, (given) => {
        const spans = highest(given);
        for (const [index, { start, end, likelihood, tag }] of spans.entries()) {
          expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.end ?? 0);
          for (let at = start; at < end; at++)
            expect(
              given.some((one) => one.start <= at && at < one.end && one.likelihood === likelihood && one.tag === tag),
            ).toBe(true);
        }
      }),
    );
  });

  it('never lowers it when later tiers fail and the first is kept', async () => {
    await fc.assert(
      fc.asyncProperty(anySpans, anySpans, async (first, other) => {
        const tiers = [{ classifier: failing('down'), onFailure: 'keep-first' as const }, fixed('other', other)];
        const after = await classify(combine(fixed('first', first), ...tiers), TEXT);
        expect(ranks(after)).toEqual(ranks([...first, ...other]));
      }),
      { numRuns: 100 },
    );
  });
});

describe('combine', () => {
  it('unites, and names all tiers in its id', async () => {
    const classifier = combine(fixed('one-1', [MEDIUM]), fixed('two-3', [HIGH]));
    expect(classifier).toMatchObject({ specificationVersion: 'v1', id: 'one-1+two-3' });
    expect(await classify(classifier, TEXT)).toEqual([{ ...MEDIUM, end: 4 }, HIGH, { ...MEDIUM, start: 8 }]);
  });

  it('keeps a request that another tier calls harmless, and lets a finding hide it', async () => {
    const request = { start: 2, end: 6, likelihood: 'none', tag: 'request', asks: true } as const;
    const harmless = { start: 0, end: 8, likelihood: 'none', tag: 'benign' } as const;
    const low = { start: 0, end: 8, likelihood: 'low', tag: 'imperative' } as const;
    expect(await classify(combine(fixed('one', [request]), fixed('two', [harmless])), TEXT)).toEqual([
      { ...harmless, end: 2 },
      request,
      { ...harmless, start: 6 },
    ]);
    expect(await classify(combine(fixed('one', [request]), fixed('two', [low])), TEXT)).toEqual([low]);
  });

  it('prefers a request to nothing but what is harmless: among findings its name is worth no more', async () => {
    const named = { start: 2, end: 6, likelihood: 'low', tag: 'request', asks: true } as const;
    const low = { start: 0, end: 8, likelihood: 'low', tag: 'imperative' } as const;
    expect(await classify(combine(fixed('one', [named]), fixed('two', [low])), TEXT)).toEqual([low]);
  });

  it('fails when the first tier fails, and tells the others to stop', async () => {
    let stopped = false;
    const second = classifierOf('second', ({ signal: given }) => {
      given.addEventListener('abort', () => {
        stopped = true;
      });
      return new Promise(() => undefined);
    });
    const classifier = combine(failing('first'), { classifier: second, onFailure: 'keep-first' });
    await expect(classify(classifier, TEXT)).rejects.toThrow('first is down');
    expect(stopped).toBe(true);
  });

  it('fails when a later tier fails, unless told to keep what the others say', async () => {
    await expect(classify(combine(fixed('first', [HIGH]), failing('second')), TEXT)).rejects.toThrow('second is down');
    const causes: unknown[] = [];
    const tier = {
      classifier: failing('second'),
      onFailure: 'keep-first',
      onError: (cause: unknown) => causes.push(cause),
    };
    expect(await classify(combine(fixed('first', [HIGH]), tier as never), TEXT)).toEqual([HIGH]);
    expect(String(causes)).toContain('second is down');
  });

  it.each<[string, unknown]>([
    ['no spans', {}],
    ['nothing', undefined],
    ['a span past the end', { spans: [{ ...HIGH, end: LENGTH + 1 }] }],
    ['an empty span', { spans: [{ ...HIGH, end: HIGH.start }] }],
    ['an unknown likelihood', { spans: [{ ...HIGH, likelihood: 'certain' }] }],
    ['a hole in the list', { spans: new Array(1) }],
    ['an invalid tag', { spans: [{ ...HIGH, tag: '<b>' }] }],
  ])('does not let %s pass as a verdict', async (_, result) => {
    const broken = classifierOf('broken', () => result);
    await expect(classify(combine(broken, fixed('second', [])), TEXT)).rejects.toThrow('A classifier gave');
    await expect(classify(combine(fixed('first', []), broken), TEXT)).rejects.toThrow('A classifier gave');
    const kept = combine(fixed('first', [HIGH]), { classifier: broken, onFailure: 'keep-first' });
    expect(await classify(kept, TEXT)).toEqual([HIGH]);
  });

  it('gives each tier its own time, and clears its timer', async () => {
    const slow = classifierOf('slow', () => new Promise(() => undefined));
    for (const onFailure of ['unchecked', 'keep-first'] as const) {
      const { timer, pending, fire } = alarm();
      const tier = { classifier: slow, timeout: 50, timer, onFailure };
      const answer = classify(combine(fixed('first', [HIGH]), tier), TEXT);
      expect(pending.size).toBe(1);
      fire();
      if (onFailure === 'unchecked') await expect(answer).rejects.toThrow('slow took more than 50 ms');
      else expect(await answer).toEqual([HIGH]);
      expect(pending.size).toBe(0);
    }
    const { timer, pending } = alarm();
    const quick = { classifier: fixed('quick', [HIGH]), timeout: 50, timer };
    expect(await classify(combine(fixed('first', []), quick), TEXT)).toEqual([HIGH]);
    expect(pending.size).toBe(0);
  });

  it('aborts a tier that took too long, and all of them when it is aborted', async () => {
    const stopped: string[] = [];
    const waiting = (id: string) =>
      classifierOf(id, ({ signal: given }) => {
        given.addEventListener('abort', () => stopped.push(id));
        return new Promise(() => undefined);
      });
    const { timer, fire } = alarm();
    const outer = signal();
    const tiers = [{ classifier: waiting('timed'), timeout: 50, timer }, waiting('other')];
    const answer = classify(combine(waiting('first'), ...tiers), TEXT, outer);
    outer.abort();
    expect(stopped.sort()).toEqual(['first', 'other', 'timed']);
    fire();
    await expect(answer).rejects.toThrow('timed took');
    await expect(classify(combine(fixed('first', [])), TEXT, outer)).rejects.toThrow('aborted');
  });

  it('does not keep the first when it is aborted', async () => {
    const outer = signal();
    const tier = classifierOf('tier', () => {
      outer.abort();
      throw new Error('stopped');
    });
    const classifier = combine(fixed('first', []), { classifier: tier, onFailure: 'keep-first' });
    await expect(classify(classifier, TEXT, outer)).rejects.toThrow('stopped');
  });

  it('is unchecked in core when a tier throws', async () => {
    const timer: Timer = { set: () => 0, clear: () => undefined };
    const run = createClassifierRunner({
      classifier: combine(fixed('first', []), failing('second')),
      cache: memoryVerdictCache(),
      timer,
      timeout: 50,
      onUnchecked: () => undefined,
    });
    expect(await run(TEXT, 'digest')).toEqual({ type: 'unchecked', reason: 'error' } satisfies Verdict);
  });

  it.each<[string, unknown, string]>([
    ['an invalid first', [{}], 'ERR_INVALID_CLASSIFIER'],
    ['no first', [undefined], 'ERR_INVALID_CLASSIFIER'],
    ['an invalid other', [fixed('a', []), {}], 'ERR_INVALID_CLASSIFIER'],
    ['no other', [fixed('a', []), undefined], 'ERR_INVALID_CLASSIFIER'],
    ['a timeout without a timer', [fixed('a', []), { classifier: fixed('b', []), timeout: 5 }], 'ERR_INVALID_OPTION'],
    ['a timeout of nothing', [fixed('a', []), { classifier: fixed('b', []), timeout: 0 }], 'ERR_INVALID_OPTION'],
    ['another onFailure', [fixed('a', []), { classifier: fixed('b', []), onFailure: 'pass' }], 'ERR_INVALID_OPTION'],
  ])('refuses %s', (_, tiers, code) => {
    expect(() => combine(...(tiers as [never]))).toThrow(expect.objectContaining({ code }));
  });
});

describe('prepare', () => {
  const loading = (id: string, prepare: () => Promise<void>) => ({ ...fixed(id, [HIGH]), prepare });
  const broken = loading('broken', () => Promise.reject(new Error('no model')));

  it('prepares every classifier that has something to load', async () => {
    const prepared: string[] = [];
    const note = (id: string) => loading(id, async () => void prepared.push(id));
    await combine(note('one'), fixed('two', []), { classifier: note('three') }).prepare?.();
    expect(prepared).toEqual(['one', 'three']);
  });

  it('fails when the first classifier or a tier fails', async () => {
    await expect(combine(broken, fixed('two', [])).prepare?.()).rejects.toThrow('no model');
    await expect(combine(fixed('one', []), broken).prepare?.()).rejects.toThrow('no model');
  });

  it("reports the failure of a tier with onFailure 'keep-first' and goes on", async () => {
    const causes: unknown[] = [];
    const onError = (cause: unknown) => causes.push(cause);
    await combine(fixed('one', []), { classifier: broken, onFailure: 'keep-first', onError }).prepare?.();
    expect(causes).toEqual([new Error('no model')]);
  });
});
