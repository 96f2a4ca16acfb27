import { mkdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isLinear } from '../../../packages/core/test/fixture/linear.ts';
import { JsonLines, type Parsed } from '../src/replay/read/lines.ts';
import { replayCommand } from '../src/replay/replay.ts';
import { HOSTILE, linesOf, runCommand, TestFolder, UNSAFE } from './fixtures/rig.ts';

const LINE = JSON.stringify({ id: 't', messages: [{ role: 'user', text: 'What is new?' }] });
const VALUE = { value: JSON.parse(LINE) as unknown };

let testFolder: TestFolder;
beforeEach(() => {
  testFolder = new TestFolder();
});
afterEach(() => testFolder.remove());

const run = (...args: readonly string[]) => runCommand(replayCommand, testFolder, args);

/** The values of a text that arrives in chunks of `size` bytes. */
function cut(text: string, size: number): Parsed[] {
  const bytes = Buffer.from(text);
  const lines = new JsonLines();
  const found: Parsed[] = [];
  for (let at = 0; at < bytes.length; at += size) found.push(...lines.push(bytes.subarray(at, at + size)));
  return [...found, ...lines.end()];
}

const PRETTY = JSON.stringify([VALUE.value, VALUE.value], null, 1);

describe('a log with an irregular start', () => {
  test.each([
    { title: 'with a byte order mark', payload: `\ufeff${LINE}\n${LINE}\n`, expected: [VALUE, VALUE] },
    { title: 'a document with one', payload: `\ufeff${PRETTY}`, expected: [{ value: JSON.parse(PRETTY) }] },
    {
      title: 'in the middle of a line',
      payload: `x"}]}\n${LINE}\n${LINE}\n7x\n`,
      expected: [{ broken: 1 }, VALUE, VALUE, { broken: 4 }],
    },
    { title: 'in the first of two lines', payload: `x"}]}\n${LINE}`, expected: [{ broken: 1 }, VALUE] },
    { title: 'with two broken lines', payload: `x\n{"y\n\n${LINE}\n`, expected: [{ broken: 1 }, { broken: 2 }, VALUE] },
    { title: 'with empty lines', payload: `\n\r\n\n${LINE}\n{x\n`, expected: [VALUE, { broken: 5 }] },
    {
      title: 'empty lines, then a cut one',
      payload: `\n\n{"x\n${LINE}\n\n${LINE}\n{x`,
      expected: [{ broken: 3 }, VALUE, VALUE, { broken: 7 }],
    },
    {
      title: 'a document with values on separate lines',
      payload: '[\n{}\n,\n{}\n]',
      expected: [{ value: [{}, {}] }],
    },
    { title: 'a document with one value', payload: `[\n${LINE}\n]\n`, expected: [{ value: [VALUE.value] }] },
    { title: 'a document that is cut off', payload: '{\n "a": [\n  1\n', expected: [{ broken: 1 }] },
    { title: 'nothing but empty lines', payload: '\n \n\n', expected: [] },
  ])('$title', ({ payload, expected }) => {
    for (const size of [1, 5, 10_000]) expect(cut(payload, size)).toEqual(expected);
  });

  test('is read in linear time, even with many empty lines', async () => {
    const read = (count: number) => {
      const empty = '\n'.repeat(count);
      return cut(`${empty}{"x\n${empty}${LINE}\n${LINE}`, 1 << 20);
    };
    expect(await isLinear(20_000, read)).toBe(true);
    expect(read(300_000)).toEqual([{ broken: 300_001 }, VALUE, VALUE]);
  });
});

describe('a path that is not a log', () => {
  test.each([
    {
      title: 'an empty file',
      payload: 'empty.jsonl',
      expected: { code: 1, error: /the input is empty: empty\.jsonl\n next: name a log/ },
    },
    {
      title: 'a folder',
      payload: 'logs',
      expected: { code: 2, error: /cannot read .*logs \(EISDIR\)\n next: it is a folder.*logs\/\*\.jsonl/ },
    },
  ])('$title', async ({ payload, expected: { code, error } }) => {
    testFolder.write('empty.jsonl', '\n');
    mkdirSync(testFolder.path('logs'));
    expect(await run(payload)).toMatchObject({ code, error: expect.stringMatching(error) });
    testFolder.write('log.jsonl', LINE);
    const withOther = await run(payload, 'log.jsonl');
    expect(withOther.out).toContain('1 conversation ');
    expect(withOther.error).toMatch(/skipped empty\.jsonl: it is empty|the other files were replayed/);
  });
});

test('control characters in names of files are escaped', async () => {
  const name = HOSTILE.replaceAll('/', '');
  testFolder.write(name, LINE);
  testFolder.write(`${name}.gz`, 'not compressed');
  mkdirSync(testFolder.path(`${name}.d`));
  const said = await Promise.all([
    run(name),
    run(`${name}.gz`),
    run(`${name}.d`),
    run(`${name}.none`),
    run(name, '--tools', `${name}.none`),
    run(name, '--report', `${name}.none/x`),
    run(name, '--most', name),
  ]);
  for (const { out, error } of said)
    expect(linesOf(`${out}\n${error}`).filter((line) => UNSAFE.test(line))).toEqual([]);
  expect(said.map(({ code }) => code)).toEqual([0, 2, 2, 2, 2, 2, 2]);
});

test('standard input is read as it arrives', async () => {
  const running = testFolder.start(['replay', '-']);
  running.child.stdin?.write(`${LINE}\n${LINE.slice(0, 10)}`);
  running.child.stdin?.write(`${LINE.slice(10)}\n`);
  expect(await running.end()).toBe(0);
  expect(running.lines[0]).toContain('2 conversations (2 trace)');
  expect(running.error).toBe('reading stdin\n');
  expect(readFileSync(testFolder.path('replay.html'), 'utf8')).toContain('from stdin,');
  expect(await testFolder.run(['replay', '-'])).toMatchObject({
    code: 1,
    error: expect.stringContaining('the input is empty: stdin'),
  });
});
