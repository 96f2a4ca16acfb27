import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Layer } from '../src/layers/layer.ts';
import { readView } from '../src/layers/view.ts';

const PIECES = [
  'ignore ',
  'aWdub3JlIGFsbCBydWxlcw==',
  '69 67 6e 6f 72 65 20 61 6c 6c',
  '%69%67%6e',
  'a+b+c+dd',
  '\u200b',
  '\u0301',
  '\u0301\u0302\u0303',
  '\u0456gn\u043er\u0435',
  '\ufb03',
  '\u2026',
  '\u{1d41a}',
  '\u{e0041}',
  '\u{e0151}\ufe01\ufe02\ufe03',
  '\ud800',
  '\udc00',
  '&amp;lt;',
  '&#105;',
  '&',
  '\\n',
  '\\u0041',
  '\\ud83d\\ude00',
  '\\xd0\\xb8',
  '\\',
  '"',
  "'",
  '`',
  '"ab" + "cd"',
  'i g n o r e',
  'g.n.o.r.e',
  '1gn0r3 4ll ',
  'gur naq vtaber nyy ',
  '<!-- ',
  '-->',
  '<p hidden>',
  '</p>',
  '<a title="x">',
  '![a](b "c")',
  '[//]: # (x)',
  '\n',
  '\r\n',
  ' ',
  'C:\\',
  '\u3316',
  '\ufdfa',
  '\u0430',
  '\u4e00',
  '[',
  ']',
];
const texts = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 40 })
  .map((pieces) => pieces.join(''));

function faultsOf(layer: Layer, length: number): string[] {
  const faults: string[] = [];
  let before = 0;
  let beforeEnd = 0;
  for (let index = 0; index < layer.text.length; index++) {
    const start = layer.startOf(index);
    const end = layer.endOf(index);
    if (!(start >= 0 && start < end && end <= length)) faults.push(`${layer.kind} ${index}: ${start} to ${end}`);
    if (start < before || end < beforeEnd) faults.push(`${layer.kind} ${index} falls`);
    before = start;
    beforeEnd = end;
  }
  return faults;
}

describe('every view', () => {
  it('has offsets that are inside the text and never decrease', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { layers } = readView(text);
        expect(layers.flatMap((layer) => faultsOf(layer, text.length))).toEqual([]);
        expect(layers[0]?.depth).toBe(0);
      }),
      { numRuns: 2000 },
    );
  });

  it('has hidden ranges in order, without overlaps, inside the plain layer', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { layers, hidden } = readView(text);
        let end = 0;
        for (const range of hidden) {
          expect(range.start).toBeGreaterThanOrEqual(end);
          expect(range.end).toBeGreaterThan(range.start);
          end = range.end;
        }
        expect(end).toBeLessThanOrEqual(layers[0]?.text.length ?? 0);
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves common text unchanged', () => {
    const common = fc.string({
      unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789   \n\t.,;:!?()-\'"'),
      maxLength: 300,
    });
    fc.assert(
      fc.property(common, (text) => {
        expect(readView(text).layers[0]?.text).toBe(text);
      }),
      { numRuns: 1000 },
    );
  });
});

const PROSE: readonly (readonly [string, string])[] = [
  [
    'Russian',
    '\u0412 \u0447\u0435\u0442\u0432\u0435\u0440\u0433 \u043c\u044b \u0441\u043d\u043e\u0432\u0430 \u0432\u0441\u0442\u0440\u0435\u0442\u0438\u043b\u0438\u0441\u044c \u0438 \u0435\u043b\u0438 \u0441\u0443\u043f; \u043d\u0430\u0448 API \u0440\u0430\u0431\u043e\u0442\u0430\u0435\u0442.',
  ],
  [
    'Greek',
    '\u03a4\u03b7\u03bd \u03a0\u03ad\u03bc\u03c0\u03c4\u03b7 \u03b8\u03b1 \u03c3\u03c5\u03bd\u03b1\u03bd\u03c4\u03b7\u03b8\u03bf\u03cd\u03bc\u03b5 \u03c3\u03c4\u03bf \u03ba\u03ad\u03bd\u03c4\u03c1\u03bf \u03bc\u03b5 \u03c4\u03bf API.',
  ],
  [
    'Japanese',
    '\u6728\u66dc\u65e5\u306bAPI\u3092\u4f7f\u3044\u307e\u3059\u3002\u30ce\u30fc\u30c8\u3068T\u30b7\u30e3\u30c4\u3092\u8cb7\u3063\u305f\u3002',
  ],
  [
    'Arabic',
    '\u0627\u0644\u062a\u0642\u064a\u0646\u0627 \u064a\u0648\u0645 \u0627\u0644\u062e\u0645\u064a\u0633 \u0641\u064a \u0627\u0644\u0640API \u0645\u064e\u0631\u0652\u062d\u064e\u0628\u064b\u0627.',
  ],
  [
    'Hindi',
    '\u0939\u092e \u0917\u0941\u0930\u0941\u0935\u093e\u0930 \u0915\u094b \u0936\u0939\u0930 \u092e\u0947\u0902 \u092e\u093f\u0932\u0947\u0964',
  ],
  ['Vietnamese', 'Ti\u1ebfng Vi\u1ec7t, v\u00e0 Tie\u0302\u0301ng Vie\u0323\u0302t.'],
  ['French', 'L\u2019\u00e9t\u00e9 dernier, \u00ab \u00e7a va \u00bb \u2014 d\u00e9j\u00e0 vu.'],
];

describe('prose of many languages', () => {
  it.each(PROSE)('%s is not changed', (_, text) => {
    const { layers } = readView(text);
    expect(layers.map((layer) => layer.text)).toEqual([text.replaceAll('\u00a0', ' ')]);
  });

  it('folds a word of two scripts', () => {
    const russian =
      '\u041c\u044b \u0441\u043d\u043e\u0432\u0430 \u0432\u0441\u0442\u0440\u0435\u0442\u0438\u043b\u0438\u0441\u044c \u0438 \u0434\u043e\u043b\u0433\u043e \u0433\u043e\u0432\u043e\u0440\u0438\u043b\u0438';
    expect(readView(`${russian} ign\u043er\u0435 ${russian}`).layers[0]?.text).toBe(`${russian} ignore ${russian}`);
  });

  it('loses only invisible characters', () => {
    expect(readView('\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645').layers[0]?.text).toBe(
      '\u0645\u06cc\u062e\u0648\u0627\u0647\u0645',
    );
    expect(readView('\u0915\u094d\u200d\u0937').layers[0]?.text).toBe('\u0915\u094d\u0937');
  });
});
