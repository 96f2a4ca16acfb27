import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isLinear } from '../../core/test/fixture/linear.ts';
import { lineDiff } from '../src/line-diff.ts';
import { painter, shown } from '../src/terminal-text.ts';
import { lineFor, lineForQuestion } from '../src/wrap/report.ts';
import { HOSTILE, linesOf, UNSAFE } from './fixtures/rig.ts';

const plain = painter(false);

describe('shown', () => {
  test('is one line of what can be seen', () => {
    expect(shown('a\nb\tc')).toBe('a b c');
    expect(shown('\u001b[31mred\u001b[0m')).toBe('\\u001b[31mred\\u001b[0m');
    expect(shown('a\r\u0008b')).toBe('a\\u000d\\u0008b');
    expect(shown('\u202egnp.exe\u2069')).toBe('\\u202egnp.exe\\u2069');
    expect(shown('\u{e0041}\u{e007f}')).toBe('\\u{e0041}\\u{e007f}');
    expect(shown('\u3164\u034f\ufe0f\ud800')).toBe('\\u3164\\u034f\\ufe0f\\ud800');
    expect(shown('caf\u00e9 \u4f60\u597d \u{1f600}')).toBe('caf\u00e9 \u4f60\u597d \u{1f600}');
  });

  test('is no longer than allowed, and says how long the text was', () => {
    expect(shown('abcdef', 3)).toBe('abc ... (6 characters)');
    expect(shown('abc', 3)).toBe('abc');
    // No half of a character is left.
    expect(shown('ab\u{1f600}', 3)).toBe('ab\ufffd ... (4 characters)');
  });

  test('whatever the text, nothing is left that moves the cursor or hides', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 50 }), fc.nat(60), (text, longest) => {
        expect(shown(text, longest)).not.toMatch(UNSAFE);
      }),
      { numRuns: 2000 },
    );
  });
});

test('colours only where asked for', () => {
  expect(plain('red', 'x')).toBe('x');
  expect(painter(true)('red', 'x')).toBe('\u001b[31mx\u001b[0m');
});

describe('lineDiff', () => {
  test('shows what changed, and three lines around', () => {
    const text = ['a', 'b', 'c', 'd', 'e', 'f', ''].join('\n');
    expect(lineDiff(text, text.replace('e', 'E'), plain)).toBe('@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f');
  });

  test('takes no longer than a moment, however much has changed', async () => {
    const lines = (letter: string, length: number): string =>
      Array.from({ length }, (_, index) => `${letter}${index}\n`).join('');
    const diffOf = (count: number): string[] => linesOf(lineDiff(lines('a', count), lines('b', count), plain));
    const diff = diffOf(30_000);
    expect(await isLinear(30_000, diffOf)).toBe(true);
    expect(diff).toHaveLength(60_001);
    expect([diff[0], diff[1], diff.at(-1)]).toEqual(['@@ -1,30000 +1,30000 @@', '-a0', '+b29999']);
  });

  test('holds nothing that moves the cursor', () => {
    const diff = lineDiff(`a\n${HOSTILE}\n`, `a\n${HOSTILE}${HOSTILE}\n`, plain);
    expect(linesOf(diff).filter((line) => UNSAFE.test(line))).toEqual([]);
  });
});

describe('the log of wrap', () => {
  const held = [
    { type: 'unreadable', tool: HOSTILE, reason: 'x' },
    { type: 'instructions', before: '', after: HOSTILE },
  ] as const;
  const lines = [
    lineFor(HOSTILE, { type: 'call', tool: HOSTILE, outcome: 'deny', rule: 'requested' }),
    lineFor(HOSTILE, { type: 'held', held }),
    lineFor(HOSTILE, { type: 'dropped', from: 'server', reason: 'uncovered' }),
    lineForQuestion('0123456789ab', {
      server: HOSTILE,
      conversation: 'local',
      tool: HOSTILE,
      arguments: '{}',
      rule: 'requested',
      reason: `Somebody supplied "${HOSTILE}".`,
      evidence: [],
    }),
  ];
  test.each(lines)('%j', (line) => {
    expect(line).toContain('\\u001b[2J');
    expect(line).not.toMatch(UNSAFE);
  });

  test('says nothing of calls that are made', () => {
    expect(lineFor('x', { type: 'call', tool: 'y', outcome: 'allow', rule: 'reads' })).toBeUndefined();
  });
});
