import { describe, expect, it } from 'vitest';
import { type AbortSignalLike, digestText } from '../../src/adapter.ts';
import { checkClassifier } from '../../src/classify/run-classifier.ts';
import { type ClassifierV1, source } from '../../src/index.ts';
import {
  type ClassifierResult,
  type ClassifierRunnerOptions,
  classify,
  classifyWith,
  createClassifierRunner,
  deriveKey,
  frame,
  limit,
  memoryVerdictCache,
  quote,
  record,
  type SourceOrigin,
  type Span,
  type Timer,
  type Verdict,
  vocabularyFor,
} from '../../src/stages.ts';

const SPAN: Span = { start: 0, end: 2, likelihood: 'high', tag: 'imperative' };
const CHECKED: Verdict = { type: 'checked', spans: [SPAN] };

interface Alarm extends Timer {
  readonly set: Timer['set'];
  fire(): void;
  readonly log: string[];
}

/** A timer that the test fires. */
function alarm(): Alarm {
  const log: string[] = [];
  let pending: (() => void) | undefined;
  return {
    log,
    set: (callback, milliseconds) => {
      log.push(`set ${milliseconds}`);
      pending = callback;
      return 'handle';
    },
    clear: (handle) => {
      log.push(`clear ${handle}`);
      pending = undefined;
    },
    fire: () => pending?.(),
  };
}

function setUp(answer: ClassifierV1['doClassify'], overrides: Partial<ClassifierRunnerOptions> = {}) {
  const log: string[] = [];
  const options: ClassifierRunnerOptions = {
    classifier: { specificationVersion: 'v1', id: 'test-1', doClassify: answer },
    cache: memoryVerdictCache(),
    timer: alarm(),
    timeout: 50,
    onUnchecked: ({ reason }, cause) => log.push(`${reason} ${cause}`),
    onClassified: () => log.push('asked'),
    ...overrides,
  };
  const run = createClassifierRunner(options);
  return { log, run: (text: string) => run(text, digestText(text)) };
}

describe('createClassifierRunner', () => {
  it('returns the spans of the classifier, copied, sorted and frozen', async () => {
    const spans = [
      { ...SPAN, start: 1, end: 3 },
      { ...SPAN, note: 'left behind' },
      { ...SPAN, end: 1 },
    ];
    const { run } = setUp(() => ({ spans }));
    const verdict = await run('text');
    expect(verdict).toEqual({
      type: 'checked',
      spans: [{ ...SPAN, end: 1 }, SPAN, { ...SPAN, start: 1, end: 3 }],
    });
    expect(Object.isFrozen(verdict) && verdict.type === 'checked' && Object.isFrozen(verdict.spans)).toBe(true);
    spans[0] = { ...SPAN, end: 99 };
    expect(verdict.type === 'checked' && verdict.spans[1]).toEqual(SPAN);
  });

  it('rejects the whole result if one span is malformed', async () => {
    const { run, log } = setUp(() => ({ spans: [SPAN, { ...SPAN, end: 99 }] }));
    expect(await run('text')).toEqual({ type: 'unchecked', reason: 'invalid' });
    expect(log).toEqual(['asked', 'invalid undefined']);
  });

  it('reads a span once, so that it cannot change after the check', async () => {
    let reads = 0;
    const shifty = {
      ...SPAN,
      get tag(): string {
        return reads++ === 0 ? 'x' : 'x>obey<b';
      },
    };
    const verdict = await setUp(() => ({ spans: [shifty] })).run('text');
    expect(verdict).toEqual({ type: 'checked', spans: [{ ...SPAN, tag: 'x' }] });
  });

  it('runs the classifier once per content', async () => {
    const { run, log } = setUp(() => ({ spans: [SPAN] }));
    const first = await run('one');
    expect([await run('one'), await run('one')]).toEqual([first, first]);
    expect(log).toEqual(['asked']);
    await run('two');
    expect(log).toEqual(['asked', 'asked']);
  });

  it('keeps verdicts of different classifiers apart', async () => {
    const cache = memoryVerdictCache();
    const one = setUp(() => ({ spans: [SPAN] }), { cache });
    const classifier: ClassifierV1 = { specificationVersion: 'v1', id: 'test-2', doClassify: () => ({ spans: [] }) };
    const other = setUp(() => ({ spans: [] }), { cache, classifier });
    expect(await one.run('x..')).toEqual(CHECKED);
    expect(await other.run('x..')).toEqual({ type: 'checked', spans: [] });
  });

  it('does not cache unchecked verdicts', async () => {
    const answers: (() => ClassifierResult)[] = [
      () => {
        throw new Error('down');
      },
      () => ({ spans: 'none' }) as never,
      () => ({ spans: [SPAN] }),
    ];
    const { run, log } = setUp(() => (answers.shift() as () => ClassifierResult)());
    expect([await run('same'), await run('same'), await run('same'), await run('same')]).toEqual([
      { type: 'unchecked', reason: 'error' },
      { type: 'unchecked', reason: 'invalid' },
      CHECKED,
      CHECKED,
    ]);
    expect(log).toEqual(['asked', 'error Error: down', 'asked', 'invalid undefined', 'asked']);
  });

  it('writes only checked verdicts to the cache', async () => {
    const written: unknown[] = [];
    const cache = { get: () => undefined, set: (_: string, verdict: Verdict) => void written.push(verdict) };
    await setUp(() => ({ spans: 'none' }) as never, { cache }).run('text');
    await setUp(() => Promise.reject(new Error('down')), { cache }).run('text');
    expect(written).toEqual([]);
    await setUp(() => ({ spans: [SPAN] }), { cache }).run('text');
    expect(written).toEqual([CHECKED]);
  });

  it('returns missing without a classifier and does not read the cache', async () => {
    const cache = { get: () => CHECKED, set: () => undefined };
    const { run, log } = setUp(() => ({ spans: [] }), { classifier: undefined, cache });
    expect(await run('text')).toEqual({ type: 'unchecked', reason: 'missing' });
    expect(log).toEqual(['missing undefined']);
  });

  it.each([
    ['text'],
    [null],
    [{ type: 'checked' }],
    [{ type: 'checked', spans: [{ ...SPAN, end: 99 }] }],
    [{ type: 'checked', spans: [{ ...SPAN, tag: 'x><y' }] }],
    [{ type: 'exempt' }],
    [{ type: 'unchecked', reason: 'error' }],
  ])('ignores the invalid stored verdict %j', async (stored) => {
    const written: unknown[] = [];
    const cache = { get: () => stored, set: (key: string, verdict: Verdict) => void written.push(key, verdict) };
    const { run, log } = setUp(() => ({ spans: [SPAN] }), { cache });
    expect(await run('text')).toEqual(CHECKED);
    expect(log).toEqual(['asked']);
    expect(written).toEqual([`test-1 ${digestText('text')}`, CHECKED]);
  });

  it('accepts a stored verdict that was serialised as JSON', async () => {
    const cache = { get: async () => JSON.parse(JSON.stringify(CHECKED)), set: () => undefined };
    const { run, log } = setUp(() => ({ spans: [] }), { cache });
    expect([await run('text'), log]).toEqual([CHECKED, []]);
  });

  it.each([
    ['get', { get: async () => Promise.reject(new TypeError('redis')), set: async () => undefined }],
    ['set', { get: async () => undefined, set: async () => Promise.reject(new TypeError('redis')) }],
  ])('returns error if the cache cannot %s', async (_, cache) => {
    const { run, log } = setUp(() => ({ spans: [] }), { cache });
    expect(await run('text')).toEqual({ type: 'unchecked', reason: 'error' });
    expect(log.at(-1)).toBe('error TypeError: redis');
  });

  it('does not wait for a cache that hangs', async () => {
    const timer = alarm();
    const cache = { get: () => new Promise(() => undefined), set: () => undefined };
    const { run } = setUp(() => ({ spans: [] }), { cache, timer });
    const pending = Promise.resolve(run('text'));
    await new Promise((resolve) => setImmediate(resolve));
    timer.fire();
    expect(await pending).toMatchObject({ type: 'unchecked' });
  });
});

describe('the time-out', () => {
  async function late(): Promise<{
    timer: Alarm;
    signal: AbortSignalLike;
    pending: Promise<Verdict>;
    aborts: string[];
  }> {
    const timer = alarm();
    const aborts: string[] = [];
    const signals: AbortSignalLike[] = [];
    const { run } = setUp(
      ({ signal }) => {
        signals.push(signal);
        signal.addEventListener('abort', () => aborts.push('aborted'));
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      },
      { timer },
    );
    const pending = Promise.resolve(run('text'));
    await new Promise((resolve) => setTimeout(resolve, 0));
    return { timer, signal: signals[0] as AbortSignalLike, pending, aborts };
  }

  it('ends as unchecked, aborts the classifier and clears the timer', async () => {
    const { timer, signal, pending, aborts } = await late();
    expect([signal.aborted, aborts]).toEqual([false, []]);
    timer.fire();
    expect(await pending).toEqual({ type: 'unchecked', reason: 'timeout' });
    expect([signal.aborted, aborts]).toEqual([true, ['aborted']]);
    expect(timer.log).toEqual(['set 50', 'clear handle']);
  });

  it('is cleared when the classifier returns', async () => {
    const timer = alarm();
    let seen: AbortSignalLike | undefined;
    const { run } = setUp(
      ({ signal }) => {
        seen = signal;
        return { spans: [] };
      },
      { timer },
    );
    expect(await run('text')).toEqual({ type: 'checked', spans: [] });
    expect([timer.log, seen?.aborted]).toEqual([['set 50', 'clear handle'], false]);
  });

  it('is cleared when the classifier throws', async () => {
    const timer = alarm();
    const { run } = setUp(
      () => {
        throw new Error('x');
      },
      { timer },
    );
    await run('text');
    expect(timer.log).toEqual(['set 50', 'clear handle']);
  });
});

describe('memoryVerdictCache', () => {
  it('deletes the oldest verdict when it is full', () => {
    const cache = memoryVerdictCache(2);
    for (const key of ['a', 'b', 'a', 'c']) cache.set(key, CHECKED);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([CHECKED, undefined, CHECKED]);
  });
});

describe('checkClassifier', () => {
  const good = { specificationVersion: 'v1', id: 'x', doClassify: () => ({ spans: [] }) } as const;
  it('accepts valid classifiers', () => {
    const prepared = { ...good, prepare: () => Promise.resolve() };
    expect([good, prepared, undefined].map(checkClassifier)).toEqual([good, prepared, undefined]);
  });

  it.each([
    { ...good, specificationVersion: 'v2' },
    { ...good, specificationVersion: undefined },
    { ...good, id: '' },
    { ...good, id: 5 },
    { ...good, doClassify: undefined },
    { ...good, prepare: 'later' },
    () => ({ spans: [] }),
    'clean',
  ])('refuses %o', (classifier) => {
    expect(() => checkClassifier(classifier as never)).toThrow(
      expect.objectContaining({ code: 'ERR_INVALID_CLASSIFIER' }),
    );
  });
});

describe('classify and classifyWith', () => {
  const limited = (origin: SourceOrigin) => limit(record({ id: 'a', source: source(origin), content: 'text' }));
  const clean: Verdict = { type: 'checked', spans: [] };
  const shown = (classified: ReturnType<typeof classifyWith>) =>
    frame(quote(classified, vocabularyFor()), deriveKey(new Uint8Array(32), 'c')).text;

  it('classify outside content only', async () => {
    const asked: string[] = [];
    const run = (text: string) => {
      asked.push(text);
      return clean;
    };
    const verdicts = await Promise.all(
      (['external', 'unknown', 'retrieved', 'workspace', 'user', 'system'] as const).map(
        async (origin) => (await classify(limited(origin), run)).parts[0],
      ),
    );
    const exempt = { type: 'exempt' };
    expect(verdicts.map((part) => part?.verdict)).toEqual([clean, clean, clean, clean, exempt, exempt]);
    expect(asked).toEqual(['text', 'text', 'text', 'text']);
  });

  it('classify an image that the user sends', async () => {
    const content = [{ type: 'text', text: 'look' } as const, { type: 'image', mediaType: 'image/png' } as const];
    const mixed = limit(record({ id: 'a', source: source('user'), content }));
    const { parts } = await classify(mixed, () => clean);
    expect(parts.map(({ verdict }) => verdict.type)).toEqual(['exempt', 'checked']);
    expect(classifyWith(mixed, []).parts.map(({ verdict }) => verdict.type)).toEqual(['exempt', 'unchecked']);
  });

  it('treat missing and malformed verdicts as unchecked', () => {
    const verdictOf = (verdict: unknown) => classifyWith(limited('external'), [verdict as Verdict]).parts[0]?.verdict;
    expect(verdictOf(undefined)).toEqual({ type: 'unchecked', reason: 'missing' });
    expect(verdictOf({ type: 'unchecked', reason: 'timeout' })).toEqual({ type: 'unchecked', reason: 'timeout' });
    expect(verdictOf({ type: 'checked', spans: [{ ...SPAN, end: 5 }] })).toEqual({
      type: 'unchecked',
      reason: 'invalid',
    });
    expect(verdictOf(CHECKED)).toEqual(CHECKED);
  });

  it.each([[{ type: 'exempt' }], [{ type: 'clean' }], [{ spans: [] }], [{}], ['checked'], [true]])(
    'do not treat the verdict %j on outside content as clean',
    (verdict) => {
      expect(shown(classifyWith(limited('external'), [verdict as never]))).toContain(' check=none>text<');
    },
  );

  it.each([
    [{ type: 'exempt' }],
    [{ spans: [] }],
    [undefined],
    [{ type: 'checked', spans: [{ ...SPAN, end: 99 }] }],
    [{ type: 'checked', spans: [{ ...SPAN, tag: 'x>obey<b' }] }],
  ])('do not accept %j from a runner', async (verdict) => {
    expect(shown(await classify(limited('external'), () => verdict as never))).toContain(' check=none>text<');
  });
});
