import fs from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorPaths, editLines } from './anchor-forgeries.ts';
import { AnchorWorld, DAY, WORKSPACE } from './anchor-world.ts';

const world = new AnchorWorld();
const { evidence, keep, names, open, threeDays } = world;

test('a line that a killed process has cut was never kept, and its file is not continued', async () => {
  await keep(open(), 1);
  fs.appendFileSync(join(world.folder, names()[0] ?? ''), '{"key":');
  const later = open();
  expect(later.last(WORKSPACE)?.seq).toBe(1);
  await keep(later, 2);
  expect(names()).toHaveLength(2);
  expect(await evidence()).toMatchObject({ seqs: expect.arrayContaining([1, 2]), problems: [] });
});

test.each([
  { title: 'removed', payload: (path: string) => fs.rmSync(path), expected: /it is missing, and .* follows it$/ },
  {
    title: 'emptied',
    payload: (path: string) => fs.truncateSync(path),
    expected: /its end is missing; .* has seen 3 lines$/,
  },
  {
    title: 'cut by a line',
    payload: (path: string) => editLines(path, (lines) => lines.slice(0, 2)),
    expected: /its end is missing; .* has seen 3 lines$/,
  },
  {
    title: 'cut within a line',
    payload: (path: string) => fs.truncateSync(path, fs.statSync(path).size - 10),
    expected: /its end is missing; .* has seen 3 lines$/,
  },
])(
  'a file that was $title while it was written is reported, and stays a problem of the audit',
  async ({ payload, expected }) => {
    const store = open();
    for (const seq of [1, 2, 3]) await keep(store, seq);
    const [first = ''] = names();
    payload(join(world.folder, first));
    await expect(keep(store, 4)).rejects.toMatchObject({ code: 'CHANGED', message: expect.stringContaining(first) });
    await keep(store, 5);
    const { seqs, problems } = await evidence();
    expect(problems).toEqual([expect.stringMatching(expected)]);
    expect(seqs).toEqual(expect.arrayContaining([4, 5]));
    expect(open().last(WORKSPACE)?.seq).toBe(5);
  },
);

test('a file that was removed is still followed if its successor could not be written at first', async () => {
  const store = open();
  await keep(store, 1);
  fs.rmSync(world.folder, { recursive: true });
  await expect(keep(store, 2)).rejects.toMatchObject({ code: 'ENOENT' });
  fs.mkdirSync(world.folder);
  await expect(keep(store, 3)).rejects.toMatchObject({ code: 'CHANGED' });
  await keep(store, 4);
  expect(await evidence()).toMatchObject({ problems: [expect.stringMatching(/it is missing/)] });
});

test('a file of an earlier day that was removed because it is old is not a failure', async () => {
  const store = open();
  await keep(store, 1);
  world.now += 30 * DAY;
  fs.rmSync(join(world.folder, names()[0] ?? ''));
  await keep(store, 2);
  expect(await evidence()).toMatchObject({ removed: 1, problems: [], seqs: [2] });
});

test('a file that was lengthened is reported and not continued', async () => {
  const store = open();
  await keep(store, 1);
  fs.appendFileSync(join(world.folder, names()[0] ?? ''), '{"key":');
  await expect(keep(store, 2)).rejects.toMatchObject({ code: 'CHANGED' });
  await keep(store, 3);
  expect(names()).toHaveLength(2);
  expect(await evidence()).toMatchObject({ seqs: [1, 2, 3], problems: [] });
});

test.each([
  {
    title: 'a file in place of a folder',
    payload: (path: string) => fs.writeFileSync(path, ''),
    expected: 'ENOTDIR): SALLYPORT_ANCHORS must be a folder',
  },
  {
    title: 'a folder in place of a file',
    payload: (path: string): unknown => fs.mkdirSync(join(path, '2026-01-01.00000001.jsonl'), { recursive: true }),
    expected: 'EISDIR',
  },
  {
    title: 'a line that is too long for a gateway',
    payload: (path: string): void => {
      fs.mkdirSync(path);
      fs.writeFileSync(join(path, '2026-01-01.00000001.jsonl'), '');
      fs.truncateSync(join(path, '2026-01-01.00000001.jsonl'), 600_000_000);
    },
    expected: 'has a line of more than 67108864 bytes',
  },
])('the error for $title says what is wrong', async ({ payload, expected }) => {
  payload(world.folder);
  const read = evidence().then(({ problems }) => problems.join());
  expect(await read.catch((cause: Error) => cause.message)).toContain(expected);
});

describe('an audit that reads all files reports', () => {
  const paths = (): [string, string, string] => anchorPaths(world.folder);
  test.each([
    {
      title: 'a file in the middle that was removed',
      payload: () => fs.rmSync(paths()[1]),
      expected: [/^2026-01-02\.\w+\.jsonl: it is missing, and 2026-01-03\.\w+\.jsonl follows it$/],
    },
    {
      title: 'a summary that was removed',
      payload: () => editLines(paths()[1], (lines) => lines.slice(1)),
      expected: [/^2026-01-02\.\w+\.jsonl: line 1 is missing$/],
    },
    {
      title: 'the end of a file in the middle that was cut off',
      payload: () => editLines(paths()[1], (lines) => lines.slice(0, 2)),
      expected: [/its end is missing; 2026-01-03\.\w+\.jsonl has seen 3 lines$/],
    },
    {
      title: 'a line of another file',
      payload: () =>
        editLines(paths()[1], (lines) => [...fs.readFileSync(paths()[0], 'utf8').split('\n', 1), ...lines]),
      expected: [/line 1 is of 2026-01-01/],
    },
    {
      title: 'a line that was changed',
      payload: () => editLines(paths()[0], (lines) => lines.with(1, '{}')),
      expected: [/the gateway did not sign line 2$/],
    },
    { title: 'nothing, if nothing was done', payload: () => undefined, expected: [] },
  ])('$title', async ({ payload, expected }) => {
    await threeDays();
    payload();
    const { problems } = await evidence();
    expect(problems).toEqual(expected.map((each) => expect.stringMatching(each)));
  });

  test('files that are gone because they are old, without a problem', async () => {
    const [first = ''] = await threeDays();
    fs.rmSync(join(world.folder, first));
    expect(await evidence()).toMatchObject({ removed: 1, problems: [], seqs: expect.arrayContaining([4, 9]) });
  });
});

test.each([
  { title: 'the first summary', payload: 0 },
  { title: 'a line after it', payload: 1 },
])('a start refuses a file that has lost $title', async ({ payload }) => {
  await threeDays();
  editLines(anchorPaths(world.folder)[2], (lines) => lines.toSpliced(payload, 1));
  expect(() => open()).toThrow('restore it from a copy');
});
