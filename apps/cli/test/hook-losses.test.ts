import {
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAttached } from '../src/hook/attached-files.ts';
import type { HookAnswer, HookEvent } from '../src/hook/event.ts';
import { resultText } from '../src/hook/result-text.ts';
import { SessionLog } from '../src/hook/session-log.ts';
import { HookSessions } from '../src/hook/sessions.ts';
import { TestFolder } from './fixtures/rig.ts';

let folder: TestFolder;
let sessions: HookSessions;

function restart(): HookSessions {
  return new HookSessions({ stateFolder: folder.state, environment: folder.environment });
}

beforeEach(() => {
  folder = new TestFolder();
  sessions = restart();
});
afterEach(() => folder.remove());

const session = 's1';
const FETCH = { tool: 'WebFetch', arguments: { url: 'https://docs.example.com/a', prompt: 'Summarize it.' } };
const READ = { session, tool: 'Read', arguments: { file_path: '/p/a.txt' }, id: 'read' } as const;
const LOST = 'Not everything that was read in this conversation is known any more.';

function handle(event: HookEvent): Promise<HookAnswer> {
  return sessions.handle('claude-code', event);
}

async function read(result: unknown): Promise<void> {
  await handle({ type: 'prompt', session, text: 'Look around.' });
  await handle({ type: 'call', ...READ });
  await handle({ type: 'result', ...READ, result });
}

function fetchPage(): Promise<HookAnswer> {
  return handle({ type: 'call', session, id: 'fetch', ...FETCH });
}

describe('a session whose file', () => {
  const fileOf = (): string => {
    const path = join(folder.state, 'sessions');
    return join(path, readdirSync(path)[0] ?? '');
  };
  const LOSSES: readonly { title: string; lose: () => unknown }[] = [
    { title: 'is removed', lose: () => rmSync(fileOf()) },
    { title: 'is emptied', lose: () => truncateSync(fileOf()) },
    { title: 'is cut', lose: () => truncateSync(fileOf(), statSync(fileOf()).size - 10) },
    { title: 'is moved with its folder', lose: () => renameSync(join(folder.state, 'sessions'), folder.path('old')) },
    {
      title: 'is removed after its end',
      lose: async () => {
        await handle({ type: 'end', session });
        rmSync(fileOf());
      },
    },
  ];
  test.each(LOSSES)('$title is asked about for every effect, in a later process too', async ({ lose }) => {
    await read('a short text');
    await lose();
    expect((await fetchPage()).reason).toContain(LOST);
    sessions = restart();
    expect((await fetchPage()).reason).toContain(LOST);
  });

  test('was never written is new', async () => {
    await handle({ type: 'end', session });
    await handle({ type: 'prompt', session, text: 'Look around.' });
    expect((await fetchPage()).outcome).toBe('allow');
  });
});

describe('a result that cannot be read to its end', () => {
  test('makes every later effect a question, in a later process too', async () => {
    await read('word '.repeat(300_000));
    expect((await fetchPage()).reason).toContain(LOST);
    sessions = restart();
    expect((await fetchPage()).reason).toContain(LOST);
  });

  test('that is short enough changes nothing', async () => {
    await read('word '.repeat(100));
    expect((await fetchPage()).outcome).toBe('allow');
  });

  test('that fails is kept as a loss', async () => {
    await read('a short text');
    const broken: unknown = {
      get text(): string {
        throw new Error('broken');
      },
    };
    await expect(handle({ type: 'result', ...READ, result: broken })).rejects.toThrow('broken');
    expect((await fetchPage()).reason).toContain(LOST);
  });

  test('that another process could not judge is known in this one', async () => {
    await read('a short text');
    new SessionLog(folder.state, 'claude-code', session).keepLoss();
    expect((await fetchPage()).reason).toContain(LOST);
  });
});

test('a result of very many parts is read', () => {
  expect(resultText([...new Array(300_000).fill('a'), 'the end']).endsWith('a\nthe end')).toBe(true);
});

test('an attached file that is a device, a pipe or a folder is not read', () => {
  const link = folder.path('plan.md');
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync('/dev/null', link);
  expect(readAttached([link, '/dev/null', folder.folder])).toEqual({ files: [], isComplete: true });
});

test('the beginning of a long attached file is read', () => {
  const path = folder.write('plan.md', `the start ${'a '.repeat(600_000)}the end`);
  const { files, isComplete } = readAttached([path]);
  expect(files.map(({ text }) => [text.length, text.slice(0, 9)])).toEqual([[1_000_000, 'the start']]);
  expect(isComplete).toBe(false);
});

const ATTACHED: readonly { title: string; origin: string; names: readonly string[]; text: string; isLost: boolean }[] =
  [
    { title: 'that is short', origin: 'prompt', names: ['plan.md'], text: 'a', isLost: false },
    { title: 'that is long', origin: 'prompt', names: ['plan.md'], text: 'a '.repeat(600_000), isLost: true },
    { title: 'that is a large picture', origin: 'prompt', names: ['a.png'], text: 'a '.repeat(600_000), isLost: false },
    { title: 'that is a large PDF', origin: 'prompt', names: ['a.PDF'], text: 'a '.repeat(600_000), isLost: false },
    { title: 'that is a large archive', origin: 'prompt', names: ['a.tgz'], text: 'a '.repeat(600_000), isLost: false },
    { title: 'that is large and no text', origin: 'prompt', names: ['a'], text: 'a\0'.repeat(600_000), isLost: false },
    {
      title: 'that is one of many, which are no text',
      origin: 'prompt',
      names: Array.from({ length: 21 }, (_, at) => `a-${at}`),
      text: 'a\0',
      isLost: false,
    },
    {
      title: 'that is one of many',
      origin: 'prompt',
      names: Array.from({ length: 21 }, (_, at) => `plan-${at}.md`),
      text: 'a',
      isLost: true,
    },
  ];

test.each(ATTACHED)(
  'an attached file $title makes later effects questions: $isLost',
  async ({ names, text, isLost }) => {
    const files = names.map((name) => folder.write(name, text));
    await handle({ type: 'prompt', session, text: 'Look around.', files });
    const outcome = isLost ? 'ask' : 'allow';
    expect((await fetchPage()).outcome).toBe(outcome);
    sessions = restart();
    expect((await fetchPage()).outcome).toBe(outcome);
  },
);

test('a log that cannot be written is told with the answer, once', async () => {
  mkdirSync(folder.state, { recursive: true });
  writeFileSync(`${folder.state}/log`, 'a file in place of the folder');
  await handle({ type: 'prompt', session, text: 'Look around.' });
  const given = { file_path: '/p/.github/workflows/ci.yml', content: 'on: push' };
  const call = { type: 'call', session, tool: 'Write', arguments: given } as const;
  const first = await handle({ ...call, id: 'one' });
  expect(first.warnings).toEqual([expect.stringContaining('the log cannot be written: ')]);
  expect((await handle({ ...call, id: 'two' })).warnings).toBeUndefined();
});
