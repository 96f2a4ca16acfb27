import { describe, expect, it } from 'vitest';
import { createOnnxClassifier, type OnnxClassifierOptions, type Tokenizer } from '../src/index.ts';
import { classify, fakeRuntime, fakeSession, floats, readFixture, signal } from './support.ts';

/** One token for each letter: its code. Blanks have none. */
const letters: Tokenizer = {
  prefix: [1],
  suffix: [2],
  encode: (text) => {
    const places = Array.from(text.matchAll(/\S/g), ({ index }) => index);
    return {
      ids: places.map((index) => text.charCodeAt(index)),
      offsets: places.map((index) => [index, index + 1] as const),
    };
  },
};

const X = 'x'.charCodeAt(0);
const logit = (id: number) => (id === X ? [-3, 3] : id === X - 1 ? [-1, 1] : [3, -3]);
const tokenSession = fakeSession((ids) => floats([1, ids.length, 2], ids.flatMap(logit)));
const wholeSession = fakeSession((ids) => floats([1, 2], ids.includes(X) ? [-3, 3] : [3, -3]));

function build(options: Partial<OnnxClassifierOptions> = {}) {
  return createOnnxClassifier({
    runtime: fakeRuntime,
    id: 'test-1',
    kind: 'token',
    labels: [null, 'injection'],
    session: tokenSession,
    tokenizer: letters,
    ...options,
  });
}

const span = (start: number, end: number, likelihood = 'high') => ({ start, end, likelihood, tag: 'injection' });

describe('a token model', () => {
  it('marks runs of tokens, joined over short gaps, as likely as the likeliest', async () => {
    const classifier = await build();
    expect(classifier).toMatchObject({ specificationVersion: 'v1', id: 'test-1' });
    expect(await classify(classifier, 'aa xx aa')).toEqual([span(3, 5)]);
    expect(await classify(classifier, 'axwaawxa')).toEqual([span(1, 7)]);
    expect(await classify(classifier, 'awaaawax')).toEqual([span(1, 2, 'medium'), span(5, 8)]);
    expect(await classify(await build({ bridge: 0 }), 'xax')).toEqual([span(0, 1), span(2, 3)]);
    expect(await classify(classifier, 'aaaa')).toEqual([]);
    expect(await classify(classifier, '')).toEqual([]);
  });

  it('finds the same in a text of any number of windows', async () => {
    const text = `${'a'.repeat(100)}xx${'a'.repeat(100)}x`;
    for (const [window, stride] of [[512], [10], [10, 8], [10, 1], [3, 1]] as const)
      expect(await classify(await build({ window, ...(stride && { stride }) }), text)).toEqual([
        span(100, 102),
        span(202, 203),
      ]);
  });

  it('puts the special tokens round every window, and never more tokens than it holds', async () => {
    const seen: (readonly number[])[] = [];
    const session = fakeSession((ids) => {
      seen.push(ids);
      return floats([1, ids.length, 2], ids.flatMap(logit));
    });
    await classify(await build({ session, window: 10 }), 'a'.repeat(50));
    expect(seen.length).toBeGreaterThan(5);
    for (const ids of seen) {
      expect(ids.length).toBeLessThanOrEqual(10);
      expect([ids[0], ids.at(-1)]).toEqual([1, 2]);
    }
  });

  it('takes the highest of the scores a token has in several windows', async () => {
    const session = fakeSession((ids) =>
      floats(
        [1, ids.length, 2],
        ids.flatMap((id) => (id === X && ids[1] === X ? [-3, 3] : [3, -3])),
      ),
    );
    expect(await classify(await build({ session, window: 6, stride: 1 }), 'aaaxaaaa')).toEqual([span(3, 4)]);
  });
});

describe('a sequence model', () => {
  it('marks the windows it finds something in, without the blanks round them', async () => {
    const classifier = await build({ kind: 'sequence', session: wholeSession, window: 6, stride: 4 });
    expect(await classify(classifier, '  aaxa aaaa aaaa ')).toEqual([span(2, 6)]);
    expect(await classify(classifier, 'aaaaaa')).toEqual([]);
  });

  it('scores sentences as well as windows on request', async () => {
    const short = fakeSession((ids) => floats([1, 2], ids.includes(X) && ids.length < 8 ? [-3, 3] : [3, -3]));
    const text = 'Aaaa aaaa aaa. Axa! Aaa aaa aaaa';
    const options = { kind: 'sequence', session: short } as const;
    expect(await classify(await build(options), text)).toEqual([]);
    expect(await classify(await build({ ...options, sentences: true }), text)).toEqual([span(15, 19)]);
    const long = await build({ kind: 'sequence', session: wholeSession, sentences: true });
    expect(await classify(long, text)).toEqual([span(0, text.length)]);
  });

  it('adds up the classes that are not harmless, and names the likeliest', async () => {
    const session = fakeSession(() => floats([1, 3], [0, 2, 1.9]));
    const labels = { HARMLESS: null, JAILBREAK: 'jailbreak', INJECTION: 'injection' };
    const config = { id2label: { 0: 'HARMLESS', 1: 'INJECTION', 2: 'JAILBREAK' } };
    const classifier = await build({ kind: 'sequence', session, labels, config });
    expect(await classify(classifier, 'aa')).toEqual([span(0, 2, 'medium')]);
    const sigmoid = await build({ kind: 'sequence', session, labels, config, activation: 'sigmoid' });
    expect(await classify(sigmoid, 'aa')).toEqual([span(0, 2, 'medium')]);
    expect(await classify(await build({ kind: 'sequence', session, labels: ['a', null, null] }), 'aa')).toEqual([]);
  });
});

describe('what must not read as clean', () => {
  const nth = (index: number, answer: () => ReturnType<typeof floats>) => {
    let count = 0;
    return fakeSession((ids) => (count++ < index ? floats([1, ids.length, 2], ids.flatMap(logit)) : answer()));
  };

  it.each<[string, () => ReturnType<typeof floats>]>([
    ['too few rows', () => floats([1, 3, 2], [3, -3, 3, -3, 3, -3])],
    ['a sequence model', () => floats([1, 2], [3, -3])],
    ['another number of classes', () => floats([1, 4, 3], new Array(12).fill(0))],
    ['less data than it says', () => floats([1, 4, 2], [3, -3])],
    ['NaN', () => floats([1, 4, 2], [3, -3, Number.NaN, 0, 3, -3, 3, -3])],
    ['infinity', () => floats([1, 4, 2], [3, -3, Number.POSITIVE_INFINITY, 0, 3, -3, 3, -3])],
    ['half precision', () => ({ type: 'float16', dims: [1, 4, 2], data: new Uint16Array(8) })],
    ['nothing', () => undefined as never],
  ])('%s for logits throws', async (_, answer) => {
    const classifier = await build({ session: nth(1, answer) });
    await expect(classify(classifier, 'aa')).rejects.toThrow('The model gave logits');
  });

  it('a model that does not fit its options is refused when it is built', async () => {
    const built = build({ labels: [null, 'a', 'b'] });
    await expect(built).rejects.toMatchObject({ code: 'ERR_INVALID_OPTION', cause: expect.any(Error) });
  });

  it('a run that fails throws, and the next one is not held up by it', async () => {
    let isBroken = false;
    const session = fakeSession((ids) => {
      if (isBroken) throw new Error('out of memory');
      return floats([1, ids.length, 2], ids.flatMap(logit));
    });
    const classifier = await build({ session });
    isBroken = true;
    await expect(classify(classifier, 'x')).rejects.toThrow('out of memory');
    isBroken = false;
    expect(await classify(classifier, 'x')).toEqual([span(0, 1)]);
  });

  it.each<[string, ReturnType<Tokenizer['encode']>]>([
    ['outside the text', { ids: [1], offsets: [[0, 4]] }],
    [
      'backwards',
      {
        ids: [1, 1],
        offsets: [
          [1, 2],
          [0, 1],
        ],
      },
    ],
    ['turned round', { ids: [1], offsets: [[2, 1]] }],
    ['missing', { ids: [1, 1], offsets: [[0, 1]] }],
    ['broken', { ids: [1], offsets: [[0.5, 1]] }],
  ])('offsets %s throw', async (_, encoding) => {
    const tokenizer = { ...letters, encode: (text: string) => (text === 'abc' ? encoding : letters.encode(text)) };
    await expect(classify(await build({ tokenizer }), 'abc')).rejects.toThrow('The tokenizer gave');
  });

  it('a token of no characters is marked on its neighbours', async () => {
    const tokenizer = { ...letters, encode: () => ({ ids: [X], offsets: [[1, 1] as const] }) };
    expect(await classify(await build({ tokenizer }), 'abc')).toEqual([span(0, 2)]);
  });
});

describe('a long text', () => {
  it('stops between two windows when it is aborted', async () => {
    const abort = signal();
    let runs = 0;
    const session = fakeSession((ids) => {
      if (runs++ === 3) abort.abort();
      return floats([1, ids.length, 2], ids.flatMap(logit));
    });
    const classifier = await build({ session, window: 10 });
    await expect(classify(classifier, 'a'.repeat(1000), abort)).rejects.toThrow('aborted');
    expect(runs).toBe(4);
    await expect(classify(classifier, '', abort)).rejects.toThrow('aborted');
  });

  it('never has two windows in the model at once', async () => {
    let inside = 0;
    let most = 0;
    const session = fakeSession(async (ids) => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inside--;
      return floats([1, ids.length, 2], ids.flatMap(logit));
    });
    const classifier = await build({ session });
    await Promise.all(['x', 'ax', 'aax'].map((text) => classify(classifier, text)));
    expect(most).toBe(1);
  });
});

describe('options', () => {
  it.each<[string, Partial<OnnxClassifierOptions>]>([
    ['no id', { id: '' }],
    ['an unknown kind', { kind: 'text' as 'token' }],
    ['two models', { modelPath: 'model.onnx' }],
    ['no runtime', { runtime: {} as never }],
    ['two tokenizers', { tokenizerPath: 'tokenizer.json' }],
    ['a tokenizer without specials', { tokenizer: { encode: letters.encode } as Tokenizer }],
    ['a tokenizer file that is not there', { tokenizer: undefined as never, tokenizerPath: 'no such file' }],
    ['a window of special tokens only', { window: 2 }],
    ['a stride that leaves tokens unread', { window: 10, stride: 9 }],
    ['a stride of nothing', { stride: 0 }],
    ['a bridge of half a token', { bridge: 0.5 }],
    ['thresholds that fall', { thresholds: { low: 0.9, medium: 0.8, high: 0.95 } }],
    ['a threshold of NaN', { thresholds: { low: Number.NaN, medium: 0.8, high: 0.95 } }],
    ['no finding among the labels', { labels: [null, null] }],
    ['no harmless one among them', { labels: ['a', 'b'] }],
    ['a label that is not a tag', { labels: [null, 'Injection!'] }],
    ['labels by name without a config', { labels: { A: null, B: 'b' } }],
    ['a class that labels do not name', { labels: { A: null }, config: { id2label: { 0: 'A', 1: 'constructor' } } }],
    ['an unknown activation', { activation: 'relu' as 'softmax' }],
    ['an unknown input', { session: fakeSession(() => floats([1], []), { inputNames: ['input_ids', 'past'] }) }],
    ['unknown outputs', { session: fakeSession(() => floats([1], []), { outputNames: ['a', 'b'] }) }],
  ])('refuse %s', async (_, options) => {
    await expect(build(options)).rejects.toMatchObject({ code: 'ERR_INVALID_OPTION' });
  });

  it('take a single output of any name, and a config by path', async () => {
    const session = fakeSession((ids) => floats([1, ids.length, 2], ids.flatMap(logit)), { outputNames: ['output_0'] });
    const config = readFixture('config.json');
    const classifier = await build({ session, config, labels: { BENIGN: null, MALICIOUS: 'injection' } });
    expect(await classify(classifier, 'x')).toEqual([span(0, 1)]);
  });
});
