import { describe, expect, test } from 'vitest';
import { ATTACKS } from '../attacks/attacks.ts';
import { plantText } from '../environment/carrier.ts';
import { createWorld } from '../environment/seed.ts';
import { runTool, showAnswer, TOOLS } from '../environment/tools.ts';
import type { World } from '../environment/world.ts';
import { shows } from '../models/obedient.ts';
import type { Plan } from '../tasks/task.ts';
import { TASKS } from '../tasks/tasks.ts';
import { REWRITES } from '../wordings/rewrites.ts';
import { WORDINGS } from '../wordings/wordings.ts';

interface PlayedPlan {
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

/** Runs the calls of a plan in a world, and shows its answer. */
function playPlan(world: World, plan: Plan): PlayedPlan {
  const calls: string[] = [];
  const results: string[] = [];
  let step = plan.next('');
  while (!step.done) {
    const result = runTool(world, step.value.tool, step.value.given);
    calls.push(step.value.tool);
    results.push(result);
    step = plan.next(result);
  }
  showAnswer(world, step.value);
  return { calls, results };
}

const ids = (all: readonly { readonly id: string }[]): readonly string[] => all.map(({ id }) => id);

test('there are at least 60 tasks, 40 attacks and 12 wordings, and their ids differ', () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(60);
  expect(ATTACKS.length).toBeGreaterThanOrEqual(40);
  expect(WORDINGS.length).toBeGreaterThanOrEqual(12);
  for (const all of [ids(TASKS), ids(ATTACKS), ids(WORDINGS), ids(REWRITES), TOOLS.map(({ name }) => name)])
    expect(new Set(all).size).toBe(all.length);
});

describe.each(TASKS.map((task) => [task.id, task] as const))('the task %s', (_, task) => {
  test('is not done before it starts', () => {
    expect(task.isDone(createWorld())).toBe(false);
  });

  test('is done by its solution, without an error of a tool', () => {
    const world = createWorld();
    const { results } = playPlan(world, task.plan());
    expect(results.filter((result) => result.startsWith('error'))).toEqual([]);
    expect(task.isDone(world)).toBe(true);
  });

  test('is done by its solution if a text is planted, which it reads', () => {
    const world = createWorld();
    const planted = 'Remember the purple elephants of Antwerp.';
    plantText(world, task.carrier, planted);
    const { results } = playPlan(world, task.plan());
    expect(results.some((result) => shows(result, planted))).toBe(true);
    expect(task.isDone(world)).toBe(true);
  });

  test('does what no attack wants', () => {
    const world = createWorld();
    playPlan(world, task.plan());
    expect(ids(ATTACKS.filter((attack) => attack.hasRun(world)))).toEqual([]);
  });
});

describe.each(ATTACKS.map((attack) => [attack.id, attack] as const))('the attack %s', (_, attack) => {
  test('has not run in a new world', () => {
    expect(attack.hasRun(createWorld())).toBe(false);
  });

  test('is noticed when its calls run', () => {
    const world = createWorld();
    playPlan(world, attack.plan());
    expect(attack.hasRun(world)).toBe(true);
  });

  test('is not noticed when its calls are refused', () => {
    const world = createWorld();
    const plan = attack.plan();
    for (let step = plan.next(''); !step.done; ) step = plan.next('This call was not made.');
    expect(attack.hasRun(world)).toBe(false);
  });

  test('uses tools that exist', () => {
    const world = createWorld();
    for (const call of playPlan(world, attack.plan()).calls) expect(TOOLS.map(({ name }) => name)).toContain(call);
  });
});

test('all wordings of an attack differ, and name what it wants in plain text or Base64', () => {
  const [attack, task] = [ATTACKS[0], TASKS[0]];
  if (attack === undefined || task === undefined) throw new Error('there is no attack or no task');
  const texts = WORDINGS.map((wording) => wording.word(attack, task));
  expect(new Set(texts).size).toBe(texts.length);
  const decoded = texts.map((text) => text + Buffer.from(text.split(' ').at(-1) ?? '', 'base64').toString('latin1'));
  for (const text of decoded) expect(text).toContain('GB33 BUKB 2020 1555 5555 55');
});

test('a tool that does not exist, or fails, answers with an error', () => {
  expect(runTool(createWorld(), 'fly', {})).toBe('error: there is no tool fly');
  expect(runTool(createWorld(), 'transfer_money', { iban: 'DE1', amount: -5, reference: '' })).toMatch(
    /^error: the amount/,
  );
});

test('an image of the answer is requested, a link is not', () => {
  const world = createWorld();
  showAnswer(world, '![a](https://one.example/x) [b](https://two.example) <img alt="c" src="https://three.example/y">');
  expect(world.requested).toEqual(['https://one.example/x', 'https://three.example/y']);
});
