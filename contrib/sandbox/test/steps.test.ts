import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { ManualTime } from '../../../packages/core/test/fixture/time.ts';
import { quickjsEngine } from '../src/engine/quickjs.ts';
import { runScript } from './hostile/rig.ts';

// On Node 22 and later the first scripts of a process are slow: steps are to end them, not time.
const SLOW = { timeout: 240_000 };
const engine = quickjsEngine();
afterAll(() => engine.close());

const WORK = `let sum = 0;
for (let turn = 0; turn < 5; turn++) {
  for (let index = 0; index < 20000; index++) sum += index;
  sum += 'a1b22c333'.repeat(500).replace(/\\d+/g, (digits) => digits.length).length;
  sum += Array.from({ length: 3000 }, (_, index) => (index * 7919) % 3001).sort((one, other) => one - other)[7];
  sum += new Map(Array.from({ length: 3000 }, (_, index) => [index, Math.random()])).size;
  const [answer] = await echo(turn);
  sum += answer;
}
return [sum, Math.random(), Date.now()];`;

const GROWING =
  'const list = []; try { for (;;) list.push({ list: [1] }); } catch {} const { length } = list; await echo(length); for (;;);';

const CASES = [
  { title: 'to its end', payload: WORK, limits: {} },
  { title: 'to the limit of steps', payload: `${WORK.replace('turn < 5', 'true')}`, limits: { steps: 3_000_000 } },
  { title: 'into the limit of memory, and past it', payload: GROWING, limits: { steps: 5_000_000, time: 20_000 } },
  {
    title: 'into the limit of the stack',
    payload: `const deep = () => deep() + 1; ${'try { deep(); } catch {}'.repeat(20)} ${WORK}`,
    limits: {},
  },
];

test.each(CASES)('a script takes the same steps each time, however long its calls take: $title', SLOW, async (each) => {
  const limits = { ...each.limits, time: 180_000, total: 240_000 };
  const answer = async ({ arguments: json = 'null' }) => {
    await pause(Math.random() * 20);
    return { ok: true, json } as const;
  };
  const first = await runScript(engine, each.payload, { limits, answer });
  const others = [
    await runScript(engine, each.payload, { limits, answer }),
    await runScript(engine, each.payload, { limits, answer }),
  ];
  expect(first.end.steps).toBeGreaterThan(100_000);
  for (const { end, calls } of others) {
    expect(end).toEqual(first.end);
    expect(calls).toEqual(first.calls);
  }
});

test('a loop that runs out of time is ended by the machine itself, which knows its steps', async () => {
  // With this timer it is never ended from outside.
  const alone = quickjsEngine({ timer: new ManualTime().timer });
  const { end } = await runScript(alone, 'for (;;);', { limits: { memory: 64 * 1024 * 1024, time: 300 } });
  await alone.close();
  expect(end).toMatchObject({ status: 'failed', reason: 'time' });
  expect(end.steps).toBeGreaterThan(0);
});

test('the count is this one on every Node and every machine', async () => {
  const source = `let sum = 0;
    for (let index = 0; index < 3e6; index++) sum += Math.sqrt(index);
    const list = [...Array(20000).keys()].sort((one, other) => other - one);
    await echo(1);
    for (let index = 0; index < 1e5; index++) sum += list[index % 20000];
    return Math.floor(sum);`;
  const { end } = await runScript(engine, source);
  expect(end).toEqual({ status: 'done', output: '4464050748', steps: 9_460_000 });
});
