import { words } from '../../base/words.ts';
import { type Command, readLine } from './line.ts';
import { isInside } from './paths.ts';

/** Tools that are found in the dependencies of the project. */
const TOOLS: ReadonlySet<string> = new Set(['tsc', 'tsx', 'eslint', 'prettier', 'biome', 'vitest', 'jest', 'mocha']);
const PYTHON_TOOLS: ReadonlySet<string> = new Set(['pytest', 'mypy', 'ruff', 'python', 'python3']);

/** What may come before a command, and the programs that it then finds. */
const STARTS: readonly (readonly [start: string, programs: ReadonlySet<string>])[] = [
  ['npx', TOOLS],
  ['bunx', TOOLS],
  ['pnpm exec', TOOLS],
  ['pnpm', TOOLS],
  ['yarn exec', TOOLS],
  ['yarn', TOOLS],
  ['uv run', PYTHON_TOOLS],
  ['poetry run', PYTHON_TOOLS],
  ['bundle exec', new Set(['rspec'])],
];
// Variables that change no more than what is printed, or that tests read.
const VARIABLE = /^(?:CI|FORCE_COLOR|NO_COLOR|NODE_ENV)=\w*$/;
const SECONDS = /^\d{1,5}s?$/;

/** Options of a program before the name of its command, and how many words each takes. */
const GLOBAL: Readonly<Record<string, ReadonlyMap<string, number>>> = {
  git: new Map([['--no-pager', 1]]),
  pnpm: new Map([
    ['-r', 1],
    ['--recursive', 1],
    ['--filter', 2],
    ['-F', 2],
  ]),
};

function withoutGlobal(command: Command): Command {
  const [program, option] = command;
  if (program === undefined || option === undefined || !Object.hasOwn(GLOBAL, program.text)) return command;
  const length = GLOBAL[program.text]?.get(option.text);
  const isValue = length !== 2 || /^[@\w][\w@/.*-]*$/.test(command[2]?.text ?? '');
  return length === undefined || !isValue ? command : withoutGlobal([program, ...command.slice(1 + length)]);
}

/** A command without what only says how its program is found or shown, or how long it may take. */
export function withoutStart(given: Command): Command {
  const [first, second] = given;
  if (VARIABLE.test(first?.text ?? '') && second !== undefined) return withoutStart(given.slice(1));
  if (first?.text === 'timeout' && SECONDS.test(second?.text ?? '')) return withoutStart(given.slice(2));
  const command = withoutGlobal(given);
  const words = command.map(({ text }) => text);
  for (const [start, programs] of STARTS) {
    const { length } = start.split(' ');
    const isStart = words.slice(0, length).join(' ') === start;
    if (isStart && programs.has(words[length] ?? '')) return command.slice(length);
  }
  return command;
}

/** What only prints files, with any name as an option. */
const PRINTERS = words('grep cat head tail wc ls du stat');
const LISTS_FILES = /^(?:find|git ls-files|rg .*--files|(?:grep|rg) (?:.* )?(?:-[a-zA-Z]*l|--files-with-matches)) /;

/** Whether a command prints names of files in the project, one a line. */
function listsFiles(command: Command): boolean {
  const all = command.map(({ text }) => text);
  return LISTS_FILES.test(`${all.join(' ')} `) && all.every((text) => text.startsWith('-') || isInside(text));
}

/** The commands of a line, where those that `xargs` gives the files of the project are commands of their own. */
export function commandsIn(line: string): readonly Command[] | undefined {
  return readLine(line)?.map((command, index, all) => {
    const before = all[index - 1];
    const [first, option, ...more] = command.map(({ text }) => text);
    const length = /^-[0r]+$/.test(option ?? '') ? 2 : 1;
    const isPrinted = PRINTERS.has((length === 2 ? more[0] : option) ?? '');
    const isSafe = first === 'xargs' && isPrinted && before !== undefined && listsFiles(before);
    return isSafe ? command.slice(length) : command;
  });
}
