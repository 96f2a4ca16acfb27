import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinear } from '../../../packages/core/test/fixture/linear.ts';
import { type DiffSide, lineDiff } from '../src/diff/line-diff.ts';
import { painter, printable } from '../src/terminal-text.ts';
import { lineFor, lineForQuestion, lineForRefusal } from '../src/wrap/report.ts';
import { HOSTILE, UNSAFE } from './fixtures/rig.ts';

const plain = painter(false);

describe('printable', () => {
  test('returns one line without control and invisible characters', () => {
    expect(printable('a\nb\tc')).toBe('a b c');
    expect(printable('\u001b[31mred\u001b[0m')).toBe('\\u001b[31mred\\u001b[0m');
    expect(printable('a\r\u0008b')).toBe('a\\u000d\\u0008b');
    expect(printable('\u202egnp.exe\u2069')).toBe('\\u202egnp.exe\\u2069');
    expect(printable('\u{e0041}\u{e007f}')).toBe('\\u{e0041}\\u{e007f}');
    expect(printable('\u3164\u034f\ufe0f\ud800')).toBe('\\u3164\\u034f\\ufe0f\\ud800');
    expect(printable('caf\u00e9 \u4f60\u597d \u{1f600}')).toBe('caf\u00e9 \u4f60\u597d \u{1f600}');
  });

  test('cuts a long text, and states its length', () => {
    expect(printable('abcdef', 3)).toBe('abc ... (6 characters)');
    expect(printable('abc', 3)).toBe('abc');
    // A surrogate pair is not split.
    expect(printable('ab\u{1f600}', 3)).toBe('ab\ufffd ... (4 characters)');
  });

  test('leaves no unsafe character, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.nat(60), (text, maxLength) => {
        expect(printable(text, maxLength)).not.toMatch(UNSAFE);
      }),
      { numRuns: 2000 },
    );
  });
});

test('painter colours only if asked to', () => {
  expect(plain('red', 'x')).toBe('x');
  expect(painter(true)('red', 'x')).toBe('\u001b[31mx\u001b[0m');
});

describe('lineDiff', () => {
  const diffOf = (before: string, after: string): readonly string[] =>
    lineDiff({ text: before }, { text: after }, plain);

  test('shows the change with three lines of context', () => {
    const text = ['a', 'b', 'c', 'd', 'e', 'f', ''].join('\n');
    expect(diffOf(text, text.replace('e', 'E'))).toEqual(['@@ -2,5 +2,5 @@', ' b', ' c', ' d', '-e', '+E', ' f']);
    expect(diffOf(text, text)).toEqual([]);
  });

  test('shows the masked lines, and compares the real ones', () => {
    const sides = ['one', 'two'].map((secret) => ({ text: `a\n${secret}\n`, displayed: 'a\n***\n' })) as [
      DiffSide,
      DiffSide,
    ];
    expect(lineDiff(...sides, plain)).toEqual(['@@ -1,2 +1,2 @@', ' a', '-***', '+***']);
  });

  test('takes linear time, even if every line has changed', async () => {
    const lines = (letter: string, length: number): string =>
      Array.from({ length }, (_, index) => `${letter}${index}\n`).join('');
    const diffOfCount = (count: number): readonly string[] => diffOf(lines('a', count), lines('b', count));
    const diff = diffOfCount(30_000);
    expect(await isLinear(30_000, diffOfCount)).toBe(true);
    expect(diff).toHaveLength(60_001);
    expect([diff[0], diff[1], diff.at(-1)]).toEqual(['@@ -1,30000 +1,30000 @@', '-a0', '+b29999']);
  });

  test('escapes control characters', () => {
    const diff = diffOf(`a\n${HOSTILE}\n`, `a\n${HOSTILE}${HOSTILE}\n`);
    expect(diff.filter((line) => UNSAFE.test(line))).toEqual([]);
  });
});

describe('the log of wrap escapes control characters', () => {
  const held = [
    { type: 'unreadable', tool: HOSTILE, reason: 'x' },
    { type: 'instructions', before: '', after: HOSTILE },
  ] as const;
  const lines = [
    ...(['denied', 'held', 'unanswered', 'declined', 'observed'] as const).map((type) =>
      lineForRefusal(HOSTILE, { time: '', server: '', type, tool: HOSTILE, rule: 'requested', id: '0123456789ab' }),
    ),
    lineFor(HOSTILE, { type: 'held', held }),
    lineFor(HOSTILE, { type: 'dropped', from: 'server', reason: 'uncovered' }),
    lineForQuestion('0123456789ab', {
      server: HOSTILE,
      conversation: 'local',
      tool: HOSTILE,
      arguments: '{}',
      rule: 'requested',
      reason: `The value of "${HOSTILE}" comes from a mail.`,
      evidence: [],
      scopes: ['once'],
    }),
  ];
  test.each(lines)('%j', (line) => {
    expect(line).toContain('\\u001b[2J');
    expect(line).not.toMatch(UNSAFE);
  });

  test('calls that are made print nothing', () => {
    expect(lineFor('x', { type: 'call', tool: 'y', outcome: 'allow', rule: 'reads' })).toBeUndefined();
    expect(
      lineForRefusal('x', { time: '', server: 'x', type: 'approved', tool: 'y', rule: 'approved' }),
    ).toBeUndefined();
  });
});
