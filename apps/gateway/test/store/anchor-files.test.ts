import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { linesOf, sealLine } from '../../src/store/audit/anchor-lines.ts';
import { AnchorWorld, BEGIN, DAY, key, WORKSPACE } from './anchor-world.ts';

const world = new AnchorWorld();
const { evidence, headOf, keep, names, open, threeDays } = world;

/** How many bytes were read of files. */
let bytesRead = 0;
/** How many files were opened, and how many of them are not closed yet. */
let [opened, stillOpen] = [0, 0];
const { readSync, openSync, closeSync } = fs;
fs.openSync = ((...given: Parameters<typeof openSync>) => {
  opened++;
  const file = openSync(...given);
  stillOpen++;
  return file;
}) as typeof openSync;
fs.closeSync = (file) => {
  stillOpen--;
  closeSync(file);
};
fs.readSync = ((...given: Parameters<typeof readSync>) => {
  const count = readSync(...given);
  bytesRead += count;
  return count;
}) as typeof readSync;
syncBuiltinESMExports();
afterAll(() => {
  Object.assign(fs, { readSync, openSync, closeSync });
  syncBuiltinESMExports();
});

describe('a start reads little', () => {
  /** A file of one day with a last summary after many bytes that a start does not need, and one line after it. */
  function writeLong(fill: (file: number) => void, line: number): void {
    fs.mkdirSync(world.folder, { recursive: true });
    const file = '2026-01-01.00000001.jsonl';
    const path = join(world.folder, file);
    const opened = fs.openSync(path, 'w');
    fill(opened);
    fs.closeSync(opened);
    const summary = { line, offset: fs.statSync(path).size };
    for (const each of [line, line + 1])
      fs.appendFileSync(
        path,
        sealLine(key, { file, line: each, at: 0, summary, heads: [[WORKSPACE, each, headOf(each).hash]] }),
      );
  }

  test.each([
    {
      title: '1,000,000 lines',
      origin: 'a file of all heads was read and verified whole: 0.7 ms for each line',
      payload: (file: number): void => {
        for (let turn = 0; turn < 1000; turn++) fs.writeSync(file, `${'x'.repeat(316)}\n`.repeat(1000));
      },
      expected: 1_000_002,
    },
    {
      title: 'more than the longest string that there can be',
      origin: 'readFileSync fails beyond 512 MB',
      payload: (file: number): void => {
        fs.ftruncateSync(file, 600_000_000);
        fs.writeSync(file, '\n', 600_000_000);
      },
      expected: 3,
    },
  ])('of $title', async ({ payload, expected }) => {
    writeLong(payload, expected - 1);
    bytesRead = 0;
    expect(open().last(WORKSPACE)?.seq).toBe(expected);
    expect(bytesRead).toBeLessThan(200_000);
  });

  test('of years of files', async () => {
    await threeDays();
    for (let day = 1; day <= 1000; day++) {
      const file = `${new Date(BEGIN - day * DAY).toISOString().slice(0, 10)}.00000001.jsonl`;
      fs.writeFileSync(join(world.folder, file), 'it is not read\n'.repeat(100));
    }
    bytesRead = 0;
    expect(open().last(WORKSPACE)?.seq).toBe(9);
    expect(bytesRead).toBeLessThan(20_000);
  });

  test('of a long day, because a summary comes again and again', async () => {
    const store = open();
    const quiet = randomUUID();
    await keep(store, 1, quiet);
    const busy = [WORKSPACE, ...Array.from({ length: 19 }, () => randomUUID())];
    for (let seq = 1; seq <= 200; seq++)
      await store.publish(new Map(busy.map((workspace) => [workspace, headOf(seq, workspace)])));
    const all = fs.statSync(join(world.folder, names()[0] ?? '')).size;
    bytesRead = 0;
    const later = open();
    expect([later.last(WORKSPACE)?.seq, later.last(quiet)?.seq]).toEqual([200, 1]);
    expect(bytesRead).toBeLessThan(all / 2);
    expect([...later.workspaces()].sort()).toEqual([quiet, ...busy].sort());
  });
});

test('a file is opened once, however long it is, and closed when no more of it is read', () => {
  const path = join(world.root, randomUUID());
  fs.writeFileSync(path, `${'x'.repeat(999)}\n`.repeat(1000));
  [opened, stillOpen] = [0, 0];
  expect([...linesOf(path)]).toHaveLength(1000);
  const [first] = linesOf(path);
  expect(first).toHaveLength(999);
  expect(() => linesOf(join(world.root, 'none')).next()).toThrow('ENOENT');
  expect([opened, stillOpen]).toEqual([3, 0]);
});

test('another day begins another file, with a summary of all heads', async () => {
  const quiet = randomUUID();
  const store = open();
  await keep(store, 1, quiet);
  await keep(store, 1);
  world.now += 60_000;
  await keep(store, 2);
  expect(names().map((name) => name.slice(0, 10))).toEqual(['2026-01-01', '2026-01-02']);
  const [first = '', second = ''] = names();
  expect(JSON.parse(fs.readFileSync(join(world.folder, second), 'utf8').trim())).toMatchObject({
    follows: { [first]: 2 },
  });
  fs.rmSync(join(world.folder, first));
  expect(open().last(quiet)?.seq).toBe(1);
});

test('a clock that was set back does not hide the newest file', async () => {
  const store = open();
  await keep(store, 1);
  world.now -= 30 * DAY;
  await keep(store, 2);
  const later = open();
  await keep(later, 3);
  expect(open().last(WORKSPACE)?.seq).toBe(3);
  expect(new Set(names().map((name) => name.slice(0, 10)))).toEqual(new Set(['2026-01-01']));
  // Files of one day are read in the order of their names, which are random.
  const { seqs, problems } = await evidence();
  expect([seqs.toSorted(), problems]).toEqual([[1, 2, 3], []]);
});

test('two writers have a file each, and a start reads both', async () => {
  const [one, two] = [open(), open()];
  const other = randomUUID();
  await Promise.all([keep(one, 1), keep(two, 1, other), keep(one, 2), keep(two, 2, other), keep(two, 3, other)]);
  expect(names()).toHaveLength(2);
  const later = open();
  expect([later.last(WORKSPACE)?.seq, later.last(other)?.seq]).toEqual([2, 3]);
  // The summary of the next day has what the other one has kept meanwhile.
  world.now += DAY;
  await keep(one, 3);
  world.now += DAY;
  await keep(one, 4);
  expect(open().last(other)?.seq).toBe(3);
  expect(await evidence()).toMatchObject({ seqs: expect.arrayContaining([1, 2, 3, 4]), problems: [], removed: 0 });
});

test('a line that a full disk has cut is completed, and nothing of it is changed', async () => {
  const store = open();
  await keep(store, 1);
  const { appendFile } = promises;
  promises.appendFile = async (path, data) => {
    await appendFile(path, (data as Buffer).subarray(0, 50));
    throw Object.assign(new Error('full'), { code: 'ENOSPC' });
  };
  syncBuiltinESMExports();
  await expect(keep(store, 2)).rejects.toThrow('(ENOSPC): make room on its disk. It is tried again each minute');
  promises.appendFile = appendFile;
  syncBuiltinESMExports();
  expect(open().last(WORKSPACE)?.seq).toBe(1);
  await keep(store, 3);
  expect(names()).toHaveLength(1);
  expect(await evidence()).toMatchObject({ seqs: [1, 2, 3], problems: [] });
});
