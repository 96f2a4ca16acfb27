// Measures what an adapter adds to a model call, as a ratio to the bare framework in the same run, with a local model server.

import type { Agent, Driver } from '../adapters/conformance/src/driver/driver.ts';
import { DRIVERS } from '../adapters/conformance/src/drivers.ts';
import { Stage } from '../adapters/conformance/src/stage.ts';
import { endProgress, fail, progress, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';

const options = readOptions(
  `
Times a model call through each framework, alternately bare and with the boundary, at 10 and at 200 messages of history,
each result a mail of 2 KB. Prints medians and their ratio.

  npm run bench -- adapters                   all; writes evals/results/adapters.json and its figures
  npm run bench -- adapters --only langchain  one adapter, writes nothing
`,
  { only: { type: 'string' } },
);

const ROUNDS = 15;
const MAIL = `Hi Ann, the minutes of Friday follow. ${'We spoke about the budget and the new office. '.repeat(44)}`;
const READ = { calls: [{ name: 'read_mail', arguments: { folder: 'inbox' } }] };
const answer = () => ({ type: 'text' as const, text: MAIL });
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] as number;

/** A history with the given number of messages, stored as the framework does: ten for each message of the user. */
async function historyOf(stage: Stage, messages: number): Promise<unknown> {
  const agent = await stage.start({ bare: true, answer });
  for (let count = 0; count < messages; count += 10) {
    stage.script(READ, READ, READ, READ);
    await agent.say('What is new?');
  }
  return JSON.parse(JSON.stringify(await agent.stored()));
}

async function timed(agent: Agent): Promise<number> {
  const start = performance.now();
  await agent.say('Thank you.');
  return performance.now() - start;
}

async function measure(driver: Driver, messages: number): Promise<{ bare: number; own: number; ratio: number }> {
  const stage = await Stage.open(driver);
  const stored = await historyOf(stage, messages);
  const bare = await stage.start({ bare: true, stored: structuredClone(stored), answer });
  const own = await stage.start({ stored: structuredClone(stored), answer });
  for (const agent of [bare, own]) await timed(agent);
  const rounds: { bare: number; own: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push({ bare: await timed(bare), own: await timed(own) });
  await stage.close();
  return {
    bare: Number(median(rounds.map((round) => round.bare)).toFixed(2)),
    own: Number(median(rounds.map((round) => round.own)).toFixed(2)),
    ratio: Number(median(rounds.map((round) => round.own / round.bare)).toFixed(2)),
  };
}

const chosen = DRIVERS.filter(({ name }) => options.only === undefined || name === options.only);
if (chosen.length === 0)
  fail(
    `--only must be an adapter; received ${options.only}`,
    `use one of: ${DRIVERS.map(({ name }) => name).join(', ')}`,
    2,
  );
const results: Record<string, Record<string, { bare: number; own: number; ratio: number }>> = {};
for (const driver of chosen) {
  const row: Record<string, { bare: number; own: number; ratio: number }> = {};
  for (const messages of [10, 200]) {
    progress(`${driver.name}: ${messages} messages`);
    const cell = await measure(driver, messages);
    row[messages] = cell;
    console.log(
      `${driver.name.padEnd(18)} ${String(messages).padStart(4)} messages  bare ${cell.bare} ms  with ${cell.own} ms  ratio ${cell.ratio}`,
    );
  }
  results[driver.name] = row;
}
endProgress();
if (options.only === undefined) {
  writeResult('adapters', { results });
  const command = 'npm run bench -- adapters';
  const worst = (messages: number): number =>
    Math.max(...Object.values(results).map((row) => row[messages]?.ratio ?? 0));
  writeFigures({
    'adapters.overhead_10_messages_worst': { value: worst(10), unit: 'x', command },
    'adapters.overhead_200_messages_worst': { value: worst(200), unit: 'x', command },
  });
}
process.exit(0);
