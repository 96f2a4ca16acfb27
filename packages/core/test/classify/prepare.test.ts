import { describe, expect, it } from 'vitest';
import { digestText } from '../../src/adapter.ts';
import type { ClassifierV1 } from '../../src/index.ts';
import {
  type ClassifierRunnerOptions,
  createClassifierRunner,
  memoryVerdictCache,
  type Span,
  type Timer,
  type Verdict,
} from '../../src/stages.ts';

const SPAN: Span = { start: 0, end: 2, likelihood: 'high', tag: 'imperative' };
const CHECKED: Verdict = { type: 'checked', spans: [SPAN] };

/** A timer that the test fires. */
function alarm() {
  const log: string[] = [];
  let pending: (() => void) | undefined;
  const timer: Timer = {
    set: (callback, milliseconds) => {
      log.push(`set ${milliseconds}`);
      pending = callback;
      return 'handle';
    },
    clear: (handle) => {
      log.push(`clear ${handle}`);
    },
  };
  return { ...timer, log, fire: () => pending?.() };
}

function setUp(classifier: ClassifierV1, timer: Timer) {
  const log: string[] = [];
  const options: ClassifierRunnerOptions = {
    ...{ classifier, timer, timeout: 50, cache: memoryVerdictCache() },
    onUnchecked: ({ reason }, cause) => log.push(`${reason} ${cause}`),
  };
  const run = createClassifierRunner(options);
  return { log, run: (text: string) => run(text, digestText(text)) };
}

describe('prepare', () => {
  const soon = () => new Promise((resolve) => setImmediate(resolve));

  /** A classifier whose `prepare` settles when the test says so. */
  function prepared(timer: Timer = alarm()) {
    const calls: { finish(): void; fail(cause: Error): void }[] = [];
    const classifier: ClassifierV1 = {
      specificationVersion: 'v1',
      id: 'test-1',
      prepare: () => new Promise((resolve, reject) => calls.push({ finish: resolve, fail: reject })),
      doClassify: () => ({ spans: [SPAN] }),
    };
    return { calls, ...setUp(classifier, timer) };
  }

  it('is awaited once for many texts at the same time', async () => {
    const { calls, run, log } = prepared();
    const pending = Promise.all(['one', 'two', 'three'].map(run));
    await soon();
    expect([calls.length, log]).toEqual([1, []]);
    calls[0]?.finish();
    expect(await pending).toEqual([CHECKED, CHECKED, CHECKED]);
    expect(await run('four')).toEqual(CHECKED);
    expect(calls).toHaveLength(1);
  });

  it('does not consume the time limit of a text', async () => {
    const timer = alarm();
    const { calls, run } = prepared(timer);
    const pending = run('text');
    await soon();
    expect(timer.log).toEqual(['set 60000']);
    calls[0]?.finish();
    expect(await pending).toEqual(CHECKED);
    expect(timer.log).toEqual(['set 60000', 'clear handle', 'set 50', 'clear handle']);
  });

  it('leaves the text unchecked when it fails, and the next text tries again', async () => {
    const { calls, run, log } = prepared();
    const first = [run('one'), run('two')];
    await soon();
    calls[0]?.fail(new Error('no weights'));
    expect(await Promise.all(first)).toEqual(Array(2).fill({ type: 'unchecked', reason: 'error' }));
    expect(log).toEqual(Array(2).fill('error Error: no weights'));
    const next = run('one');
    await soon();
    calls[1]?.finish();
    expect(await next).toEqual(CHECKED);
  });

  it('leaves the text unchecked when it throws synchronously, and the next text tries again', async () => {
    let tries = 0;
    const prepare = () => {
      if (++tries === 1) throw new Error('no weights');
      return Promise.resolve();
    };
    const classifier: ClassifierV1 = {
      specificationVersion: 'v1',
      id: 'x',
      prepare,
      doClassify: () => ({ spans: [] }),
    };
    const { run } = setUp(classifier, alarm());
    expect(await run('text')).toEqual({ type: 'unchecked', reason: 'error' });
    expect(await run('text')).toEqual({ type: 'checked', spans: [] });
  });

  it('leaves the text unchecked when it hangs, and the next text tries again', async () => {
    const timer = alarm();
    const { calls, run, log } = prepared(timer);
    const pending = run('text');
    await soon();
    timer.fire();
    expect(await pending).toEqual({ type: 'unchecked', reason: 'timeout' });
    expect(log).toEqual(['timeout undefined']);
    const next = run('text');
    await soon();
    calls[1]?.finish();
    expect(await next).toEqual(CHECKED);
  });
});
