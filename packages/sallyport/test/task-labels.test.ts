import { describe, expect, it } from 'vitest';
import { boundariesFor } from '../../../evals/gate/agentdyn.mjs';
import type { Library } from '../../../evals/gate/library.mjs';
import { besideWords } from '../../../evals/gate/report.mjs';
import { declaredFor } from '../../../evals/replay/effects.mjs';
import { authorizeScript, authorizeTask, loadLabels } from '../../../evals/replay/labels.mjs';
import { TOOLS } from '../../../evals/replay/tools.mjs';
import { authorizeTable } from '../../../tools/docs/authorize-table.mjs';
import { createBoundary, defineTool, type TaskDefinition } from '../src/index.ts';

const committed = loadLabels();
const tasks = Object.entries(committed.tasks).flatMap(([suite, labels]) =>
  Object.entries(labels).map(([task, label]) => ({ title: `${suite}/${task}`, suite, label })),
);

const PAY: TaskDefinition = { tools: ['pay'], values: ['50'] };
const SEND: TaskDefinition = { tools: ['send'] };
const LABELS = { tasks: { bank: { one: PAY, two: SEND } }, scripts: { 'two turns': [SEND, PAY] } };

function script(id: string, turns: number): Parameters<typeof authorizeScript>[1] {
  const user = { type: 'user' as const, text: 'Hello.' };
  const call = { type: 'call' as const, id: 'c', tool: 'pay', arguments: {} };
  return { id, preset: 'balanced', tools: [], steps: Array.from({ length: turns }, () => [user, call]).flat() };
}

describe('the labels of the recorded tasks', () => {
  it.each(tasks)('$title is what conversation.task() takes', ({ suite, label }) => {
    const tools = declaredFor(TOOLS[suite] ?? []).map((tool) => defineTool(tool));
    expect(label.tools).toEqual([...(label.tools ?? [])].sort());
    expect(() => createBoundary({ tools }).conversation('c').task(label)).not.toThrow();
  });

  it('each suite has 20', () => {
    const counts = Object.values(committed.tasks).map((labels) => Object.keys(labels).length);
    expect(counts).toEqual([20, 20, 20]);
  });
});

describe('a label answers for its own task alone', () => {
  it('one task', () => {
    expect(authorizeTask(LABELS, { suite: 'bank', task: 'two' })()).toBe(SEND);
  });

  it('each message of a script has its label', () => {
    const { next, authorize } = authorizeScript(LABELS, script('two turns', 2));
    next();
    expect([authorize(), authorize()]).toEqual([SEND, SEND]);
    next();
    expect(authorize()).toBe(PAY);
  });

  it.each([
    {
      title: 'an unknown suite',
      act: () => authorizeTask(LABELS, { suite: 'shop', task: 'one' }),
      expected: 'shop/one',
    },
    {
      title: 'an unknown task',
      act: () => authorizeTask(LABELS, { suite: 'bank', task: 'six' }),
      expected: 'bank/six',
    },
    { title: 'an unknown script', act: () => authorizeScript(LABELS, script('other', 1)), expected: 'has no "other"' },
    {
      title: 'a script with another number of messages',
      act: () => authorizeScript(LABELS, script('two turns', 3)),
      expected: '2 labels of "two turns", not 3',
    },
  ])('$title is an error', ({ act, expected }) => {
    expect(act).toThrow(expected);
  });

  it.each([
    { title: 'with labels, each task has a boundary', labels: committed, expected: [0, 1, 0, 2] },
    { title: 'without labels, each suite has a boundary', labels: undefined, expected: [0, 0, 0, 1] },
  ])('$title', ({ labels, expected }) => {
    let made = 0;
    const library = { boundary: () => made++ } as unknown as Library;
    const boundaryOf = boundariesFor(library, 'balanced', labels && { labels });
    const played = ['github/user_task_0', 'github/user_task_1', 'github/user_task_0', 'shopping/user_task_0'];
    expect(
      played.map((id) => {
        const [suite, task] = id.split('/') as [string, string];
        return boundaryOf({ suite, task });
      }),
    ).toEqual(expected);
  });

  it('the boundary of a task is given its label', () => {
    const given: (() => TaskDefinition)[] = [];
    const library = {
      boundary: (_: unknown, __: string, { authorize }: { authorize: () => TaskDefinition }) => given.push(authorize),
    } as unknown as Library;
    boundariesFor(library, 'balanced', { labels: committed })({ suite: 'github', task: 'user_task_14' });
    expect(given.map((authorize) => authorize())).toEqual([{ tools: ['git_star'] }]);
  });
});

const replay = (hijackedRealPct: number, bare: number): object => ({
  ...{ attacks: 9, hijackedRealPct, needlessPerConversation: 0.1, untouchedOrWantedPct: 90 },
  ...{ attackedNoDenyPct: 98, attackedNoNeedlessAskPct: 80 },
  wordings: { bare: { hijackedPct: bare }, split: { hijackedPct: 2 }, topic: { hijackedPct: 7 } },
});
const played = (hijackedRealPct: number, bare: number, ran: object[]): { balanced: object } => ({
  balanced: {
    replay: replay(hijackedRealPct, bare),
    adopt: { benign: 27, asked: 3, attacks: 23, ran },
    adaptive: { tried: 24, ran: [] },
  },
});

describe('the comparison with the built-in words', () => {
  const table = authorizeTable(
    { measured: '2026-11-16T01:00:00Z', presets: played(0.1, 1.5, [{}]) },
    { measured: '2026-11-17T01:00:00Z', presets: played(0.2, 3.5, []) },
  );

  it.each([
    { title: 'dates', expected: '| what | built-in words (2026-11-16) | a good `authorize` (2026-11-17) |' },
    { title: 'a share', expected: '| hijacks without a person being asked | 0.1 % | 0.2 % |' },
    { title: 'the worst wording, without the topic', expected: '| hijacks in the worst wording | 2 % | 3.5 % |' },
    { title: 'a count', expected: '| scripted attacks that ran, of 23 | 1 | 0 |' },
  ])('the table of the documents has $title', ({ expected }) => {
    expect(table.split('\n')).toContain(expected);
  });

  it('the printed columns have the same measures', () => {
    const measure = { title: 'ran', value: 0, unit: 'attacks', goal: '', id: 'adopt.attacks_ran' };
    const columns = besideWords({ balanced: [measure], strict: [] }, played(0, 0, [{}]));
    const values = Object.entries(columns).map(([name, measures]) => [
      name,
      measures.map(({ id, value }) => [id, value]),
    ]);
    expect(values).toEqual([
      ['balanced, labels', [['adopt.attacks_ran', 0]]],
      ['balanced, words', [['adopt.attacks_ran', 1]]],
      ['strict, labels', []],
      ['strict, words', []],
    ]);
  });
});
