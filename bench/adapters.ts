// Measures what an adapter adds to a model call, as a ratio to the bare framework in the same run, with a local model server.

import type { Agent, Driver } from '../adapters/conformance/src/driver/driver.ts';
import { DRIVERS } from '../adapters/conformance/src/drivers.ts';
import { Stage } from '../adapters/conformance/src/stage.ts';
import { endProgress, fail, progress, readOptions } from '../tools/command.mjs';
import { writeFigures, writeResult } from '../tools/figures.mjs';
import { textOf } from './texts.mjs';

const options = readOptions(
  `
Times a model call through each framework, alternately bare and with the boundary, at 10 and at 200 messages of history; each
result is a mail of 2 KB, and no two mails are the same. Then the same with a streamed answer, whose pieces of 7 characters the model
sends 20 ms apart: the time to the first character that the application has. Prints lower quartiles: other programs on the machine
can only make a call slower.

  npm run bench -- adapters                   all; writes evals/results/adapters.json and its figures
  npm run bench -- adapters --only langchain  one adapter, writes nothing
`,
  { only: { type: 'string' } },
);

const WARM_UP_BLOCKS = 4;
const BLOCKS = 6;
const ROUNDS = 5;
/** Milliseconds before each piece of a streamed answer. The ratio depends on it, so the result has the added time as well. */
const PAUSE = 20;
const MAIL = 2000;
const HISTORIES = [10, 200];
const READ = { calls: [{ name: 'read_mail', arguments: { folder: 'inbox' } }] };
const MAILS = textOf('english', MAIL * 200);
/** Beginnings of sentences: four pieces are enough to time the first one. */
const ANSWERS = (MAILS.match(/[A-Z][^.?!]{40,}[.?!]/g) ?? []).map((sentence) => sentence.slice(0, 28));

interface Cell {
  /** Milliseconds of the bare framework, and with the boundary: the lower quartiles of all rounds. */
  readonly bare: number;
  readonly own: number;
  /** What the boundary adds, in milliseconds and as a ratio. */
  readonly added: number;
  readonly ratio: number;
}

const round = (value: number): number => Number(value.toFixed(2));

function lowerQuartile(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 4)] as number;
}

/** Another mail for each call. */
function mails(): () => { type: 'text'; text: string } {
  let count = 0;
  return () => {
    const start = MAIL * count++;
    return { type: 'text', text: MAILS.slice(start, start + MAIL) };
  };
}

/** A history with the given number of messages, stored as the framework does: ten for each message of the user. */
async function historyOf(stage: Stage, messages: number): Promise<unknown> {
  const agent = await stage.start({ bare: true, answer: mails() });
  for (let count = 0; count < messages; count += 10) {
    stage.script(READ, READ, READ, READ);
    await agent.say(`What is new in folder ${count}?`);
  }
  return JSON.parse(JSON.stringify(await agent.stored()));
}

type Timed = (index: number) => Promise<number>;

/** One round of both. Which is first changes, so that neither always pays for what the other left behind. */
async function roundOf(bare: Timed, own: Timed, index: number): Promise<{ bare: number; own: number }> {
  if (index % 2 === 0) return { bare: await bare(index), own: await own(index) };
  const second = await own(index);
  return { bare: await bare(index), own: second };
}

/**
 * Each block starts from the stored history, so that it has its size; the first call of a block is not timed. The first blocks warm
 * up the program, as a server is.
 */
async function compare(start: (options: { readonly bare: boolean }) => Promise<Timed>): Promise<Cell> {
  const rounds: { bare: number; own: number }[] = [];
  for (let block = 0; block < WARM_UP_BLOCKS + BLOCKS; block++) {
    const [bare, own] = [await start({ bare: true }), await start({ bare: false })];
    for (const warm of [bare, own]) await warm(0);
    for (let index = 1; index <= ROUNDS; index++) {
      const times = await roundOf(bare, own, block * ROUNDS + index);
      if (block >= WARM_UP_BLOCKS) rounds.push(times);
    }
  }
  const bare = lowerQuartile(rounds.map((each) => each.bare));
  const own = lowerQuartile(rounds.map((each) => each.own));
  return { bare: round(bare), own: round(own), added: round(own - bare), ratio: round(own / bare) };
}

const message = (index: number): string => `Thank you for number ${index}.`;

function wholeCall(agent: Agent): Timed {
  return async (index) => {
    const start = performance.now();
    await agent.say(message(index));
    return performance.now() - start;
  };
}

/** The time until the application has a character of the answer; the rest of the stream is read, but not timed. */
async function firstCharacter(stage: Stage, start: { bare: boolean; stored: unknown }): Promise<Timed> {
  let first: number | undefined;
  const onPiece = (piece: string): void => {
    if (piece !== '') first ??= performance.now();
  };
  const agent = await stage.start({ ...start, stream: true, onPiece });
  return async (index) => {
    stage.script({ text: ANSWERS[index % ANSWERS.length] ?? '', pause: PAUSE });
    first = undefined;
    const started = performance.now();
    await agent.say(message(index));
    if (first === undefined) throw new Error('the application has no piece of the answer');
    return first - started;
  };
}

async function measure(driver: Driver, messages: number): Promise<{ call: Cell; first: Cell }> {
  const stage = await Stage.open(driver);
  const stored = await historyOf(stage, messages);
  const call = await compare(async ({ bare }) =>
    wholeCall(await stage.start({ bare, stored: structuredClone(stored) })),
  );
  const first = await compare(({ bare }) => firstCharacter(stage, { bare, stored: structuredClone(stored) }));
  await stage.close();
  return { call, first };
}

function line(name: string, messages: number, what: string, { bare, own, added, ratio }: Cell): string {
  return `${name.padEnd(36)} ${String(messages).padStart(4)} messages  ${what.padEnd(15)}  bare ${bare} ms  with ${own} ms  added ${added} ms  ratio ${ratio}`;
}

const chosen = DRIVERS.filter(({ name }) => options.only === undefined || name === options.only);
if (chosen.length === 0)
  fail(
    `--only must be an adapter; received ${options.only}`,
    `use one of: ${DRIVERS.map(({ name }) => name).join(', ')}`,
    2,
  );
const calls: Record<string, Record<string, Cell>> = {};
const firstCharacters: Record<string, Record<string, Cell>> = {};
for (const { name, ...driver } of chosen) {
  calls[name] = {};
  firstCharacters[name] = {};
  for (const messages of HISTORIES) {
    progress(`${name}: ${messages} messages`);
    const { call, first } = await measure({ name, ...driver }, messages);
    calls[name][messages] = call;
    firstCharacters[name][messages] = first;
    endProgress();
    console.log(line(name, messages, 'call', call));
    console.log(line(name, messages, 'first character', first));
  }
}

const worst = (rows: typeof calls, histories: readonly number[]): number =>
  Math.max(...Object.values(rows).flatMap((row) => histories.map((messages) => row[messages]?.ratio ?? 0)));
if (options.only === undefined) {
  const command = 'npm run bench -- adapters';
  const stream = { millisecondsBeforeEachPiece: PAUSE, charactersInEachPiece: 7 };
  writeResult('adapters', {
    command,
    rounds: BLOCKS * ROUNDS,
    charactersOfEachResult: MAIL,
    stream,
    calls,
    firstCharacters,
  });
  writeFigures({
    'adapters.overhead_10_messages_worst': { value: worst(calls, [10]), unit: 'x', command },
    'adapters.overhead_200_messages_worst': { value: worst(calls, [200]), unit: 'x', command },
    'adapters.first_character_ratio_worst': { value: worst(firstCharacters, HISTORIES), unit: 'x', command },
  });
}
process.exit(0);
