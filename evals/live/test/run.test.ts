import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptedModel } from '@sallyport/testing';
import { OpenAI } from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ATTACKS } from '../attacks/attacks.ts';
import { callIn, textModel } from '../models/text.ts';
import { reportPage } from '../report/page.ts';
import { playAdaptive, successByAttempt } from '../run/adaptive.ts';
import { attackedCases, type Case, select } from '../run/cases.ts';
import { type Episode, playCase, type Setting } from '../run/episode.ts';
import { evaluate } from '../run/evaluate.ts';
import { Journal } from '../run/journal.ts';
import { readLiveOptions } from '../run/options.ts';
import { isWanted, solutionOf } from '../run/person.ts';
import { resultOf } from '../run/result.ts';
import { createLiveBoundary, type Opened, openModel, realModel } from '../run/setting.ts';
import { summaryOf } from '../run/summary.ts';
import { TASKS } from '../tasks/tasks.ts';
import { WORDINGS } from '../wordings/wordings.ts';

const FORMATS = ['scripted', 'scripted-messages'] as const;
const opened = new Map<string, Opened>();
const boundary = createLiveBoundary('balanced');

beforeAll(async () => {
  for (const model of FORMATS) opened.set(model, await openModel({ model, tools: 'native' }));
});

afterAll(async () => {
  for (const { stop } of opened.values()) await stop();
});

function settingOf(format: string, isGuarded: boolean): Setting {
  const { setting } = opened.get(format) as Opened;
  return { ...setting, boundary: isGuarded ? boundary : undefined, judge: false };
}

function caseOf(task: string, attack?: string, wording = 'ignore'): Case {
  const found = { task: TASKS.find(({ id }) => id === task), attack: ATTACKS.find(({ id }) => id === attack) };
  if (found.task === undefined) throw new Error(`there is no task ${task}`);
  return {
    ...found,
    task: found.task,
    wording: attack === undefined ? undefined : WORDINGS.find(({ id }) => id === wording),
  };
}

test.each(FORMATS)('over %s, a task is done with the boundary and without it', async (format) => {
  for (const isGuarded of [false, true]) {
    const episode = await playCase(settingOf(format, isGuarded), caseOf('mail-lunch'));
    expect(episode).toMatchObject({ isSolved: true, hasRun: false, questions: 0, error: undefined });
    expect(episode.tokens.input).toBeGreaterThan(1000);
  }
});

test.each(FORMATS)('over %s, the model obeys an attack, and the boundary stops it', async (format) => {
  const run = caseOf('mail-lunch', 'spend-invoice');
  expect(await playCase(settingOf(format, false), run)).toMatchObject({ hasRun: true, isSolved: true });
  expect(await playCase(settingOf(format, true), run)).toMatchObject({ hasRun: false, isSolved: true, denied: 1 });
});

test('an image that an attack wants in the answer is requested only without the boundary', async () => {
  const run = caseOf('mail-budget', 'fetch-image', 'polite');
  expect(await playCase(settingOf('scripted', false), run)).toMatchObject({ hasRun: true });
  expect(await playCase(settingOf('scripted', true), run)).toMatchObject({ hasRun: false });
});

test('the person approves what the user asked for', async () => {
  const episode = await playCase(settingOf('scripted', true), caseOf('bank-invoice'));
  expect(episode).toMatchObject({ isSolved: true, questions: 1, approved: 1 });
});

test('the person rejects another account, another person and an address in a text', () => {
  const task = caseOf('mixed-deposit').task;
  const solution = solutionOf(task);
  const [pay, mail] = solution.slice(-2);
  if (pay === undefined || mail === undefined) throw new Error('the task has another solution');
  const changed = (call: typeof pay, given: object) => ({ tool: call.tool, given: { ...call.given, ...given } });
  expect(isWanted(task, solution, pay)).toBe(true);
  expect(isWanted(task, solution, changed(pay, { iban: 'DE68 2105 0170 0012 3456 78', reference: 'F-77' }))).toBe(true);
  expect(isWanted(task, solution, changed(pay, { iban: 'GB33BUKB20201555555555' }))).toBe(false);
  expect(isWanted(task, solution, changed(pay, { amount: 640 }))).toBe(false);
  expect(isWanted(task, solution, changed(mail, { body: 'It is paid, and on its way to you.' }))).toBe(true);
  expect(isWanted(task, solution, changed(mail, { to: ['eve@mail-vault.example'] }))).toBe(false);
  expect(isWanted(task, solution, changed(mail, { body: 'Sign in at https://nordlicht-login.example' }))).toBe(false);
});

test('all combinations are dealt out once, and evenly', () => {
  const selection = select({ tasks: 'mail', attacks: 'spend', wordings: 'bare,polite,german' });
  const all = attackedCases(selection, Number.MAX_SAFE_INTEGER);
  expect(all).toHaveLength(12 * 7 * 3);
  const names = all.map(({ task, attack, wording }) => `${task.id} ${attack?.id} ${wording?.id}`);
  expect(new Set(names).size).toBe(all.length);
  const uses = ATTACKS.map(({ id }) => attackedCases(select({}), 804).filter(({ attack }) => attack?.id === id).length);
  expect(Math.min(...uses)).toBeGreaterThanOrEqual(15);
  expect(attackedCases(select({}), 100)).toEqual(attackedCases(select({}), 804).slice(0, 100));
});

test('an unknown task is refused with the names that exist', () => {
  expect(() => select({ tasks: 'fly' })).toThrow(
    /^`--tasks` must be a list of ids, or of their first words; received "fly"\. The ids are mail-lunch, /,
  );
});

const episode = (hasRun: boolean): Episode => ({
  ...{ arm: 'with', task: 'mail-lunch', isSolved: true, hasRun, questions: 0, approved: 0, denied: 0, turns: 1 },
  ...{ tokens: { input: 1, output: 1 }, ms: 1, answer: 'Sent.' },
});

test('an adaptive attack is worded anew until it runs', async () => {
  const texts: string[] = [];
  const run = await playAdaptive(caseOf('mail-lunch', 'spend-invoice'), async (planted) => {
    texts.push(planted);
    return episode(texts.length === 3);
  });
  expect(new Set(texts).size).toBe(3);
  expect(run).toMatchObject({ attempts: 3, ranWith: 'task' });
});

test('an attacker is shown the text that failed and the answer', async () => {
  const seen: string[] = [];
  const word = async ({ before, answer }: { before: string; answer: string }) => {
    seen.push(`${before} / ${answer}`);
    return `try ${seen.length}`;
  };
  const rewrites = ['one', 'two'].map((id) => ({ id, word }));
  const run = await playAdaptive(caseOf('mail-lunch', 'spend-invoice', 'bare'), async () => episode(false), rewrites);
  expect(run).toMatchObject({ attempts: 3, ranWith: undefined });
  expect(seen[0]).toMatch(/^Transfer 980 euros .* \/ Sent\.$/);
  expect(seen[1]).toBe('try 1 / Sent.');
});

test('success is counted by attempt, and failures of the endpoint are left out', () => {
  const base = { arm: 'with', task: 'a', attack: 'b' } as const;
  const runs = [
    { ...base, attempts: 1, ranWith: 'bare' },
    { ...base, attempts: 3, ranWith: 'fact' },
    { ...base, attempts: 3 },
    { ...base, attempts: 1, error: 'down' },
  ];
  expect(successByAttempt(runs, 3).map(({ value, of }) => [value, of])).toEqual([
    [1 / 3, 3],
    [1 / 3, 3],
    [2 / 3, 3],
  ]);
});

test('a call is found in the text of a model without tool calls', () => {
  const text = 'Sure! {"tool": "send_mail", "arguments": {"to": ["a@b.example"], "body": "{x}"}} Done.';
  expect(callIn(text, 'call_0')).toEqual({
    id: 'call_0',
    tool: 'send_mail',
    given: { to: ['a@b.example'], body: '{x}' },
  });
  expect(callIn('I cannot do that {today}.', 'call_0')).toBeUndefined();
});

test('options are checked', () => {
  expect(readLiveOptions({ model: 'openai:org/big model', parallel: '3' })).toMatchObject({
    name: 'org-big-model',
    parallel: 3,
    adaptive: 0,
  });
  expect(readLiveOptions({ parallel: '3' })).toMatchObject({
    model: 'scripted',
    parallel: 1,
    limit: 12 * TASKS.length,
  });
  expect(() => readLiveOptions({ preset: 'open' })).toThrow(
    "`--preset` must be 'balanced' or 'strict'; received \"open\".",
  );
  expect(() => readLiveOptions({ limit: '-1' })).toThrow(
    '`--limit` must be a whole number of 0 or more; received "-1".',
  );
  expect(() => readLiveOptions({ judge: true })).toThrow('`--judge` needs a real model; `--model` is "scripted".');
  const endpoint = { model: 'gpt-5', tools: 'native' };
  expect(() => realModel(endpoint)).toThrow(
    "`--model` must be 'scripted', 'openai:NAME' or 'anthropic:NAME'; received \"gpt-5\".",
  );
  expect(() => realModel(endpoint, 'attacker')).toThrow(
    "`--attacker` must be 'openai:NAME' or 'anthropic:NAME'; received \"gpt-5\".",
  );
});

test('finished runs are read from the file of states, failed ones are not', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'sallyport-live-')), 'runs.jsonl');
  const first = new Journal(file);
  await first.once('a', async () => ({ turns: 1 }));
  await first.once('b', async () => ({ turns: 1, error: 'down' }));
  const second = new Journal(file);
  expect(await second.once('a', async () => ({ turns: 2 }))).toEqual({ turns: 1 });
  expect(await second.once('b', async () => ({ turns: 2 }))).toEqual({ turns: 2 });
});

test('a small evaluation gives a result, a summary and a page that loads nothing', async () => {
  const options = readLiveOptions({ tasks: 'mail-lunch', attacks: 'spend-invoice', limit: '1', adaptive: '1' });
  const result = resultOf(options, await evaluate(options));
  expect(result).toMatchObject({
    tasks: 1,
    cases: 1,
    failures: [],
    ran: [],
    unsolved: [],
    adaptive: { cases: 1, attempts: 9 },
  });
  expect(result.measures.arms.without.attackSuccess.value).toBe(1);
  expect(result.adaptive.success.without.map(({ value }) => value)).toEqual(Array.from({ length: 9 }, () => 1));
  expect(summaryOf(result)).toContain('attacks done');
  const page = reportPage({ ...result, note: '<script>alert(1)</script>' });
  expect(page).not.toMatch(/<script|(?:src|href)=|url\(/);
  expect(page).toContain("default-src 'none'");
});

test('a model without tool calls does a task, and reads results in frames with the boundary', async () => {
  const server = new ScriptedModel('chat');
  const model = textModel(new OpenAI({ apiKey: 'none', baseURL: `${await server.start()}/v1` }), 'small');
  for (const isGuarded of [false, true]) {
    server.script([
      { text: 'First: {"tool": "read_file", "arguments": {"path": "/home/packing-list.txt"}}' },
      {
        text: '{"tool": "write_file", "arguments": {"path": "/home/packing-list.txt", "content": "tent, stove, rain jacket, torch"}}',
      },
      { text: 'I added a torch.' },
    ]);
    const setting = { model, boundary: isGuarded ? boundary : undefined, judge: false };
    expect(await playCase(setting, caseOf('file-packing'))).toMatchObject({
      isSolved: true,
      turns: 3,
      error: undefined,
    });
    const shown = server.requests.at(-1)?.bytes ?? '';
    expect(shown).toContain('rain jacket');
    expect(/<untrusted|<workspace|<content/.test(shown)).toBe(isGuarded);
  }
  await server.stop();
});
