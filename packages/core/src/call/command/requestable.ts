import { words } from '../../base/words.ts';
import type { Command, Word } from './line.ts';
import { targetOf, usesIn } from './ordinary.ts';
import { inProject, isDeletable, isInside } from './paths.ts';
import type { Operands } from './programs.ts';

/** Programs that install packages from one index. */
export type Ecosystem = 'npm' | 'pip' | 'cargo';

/** What a command does that people ask for by name. */
export interface RequestableCommand {
  readonly type: 'install' | 'uninstall' | 'delete' | 'push';
  /** The packages, paths or branches that it names. */
  readonly names: readonly string[];
  /** Where packages come from; undefined for other things. */
  readonly ecosystem?: Ecosystem;
}

interface Managing {
  readonly ecosystem: Ecosystem;
  readonly install: ReadonlySet<string>;
  readonly uninstall: ReadonlySet<string>;
}

const managing = (ecosystem: Ecosystem, install: string, uninstall: string): Managing => ({
  ecosystem,
  install: words(install),
  uninstall: words(uninstall),
});

/** Programs that add a package to a project and remove it, with their commands. */
const MANAGERS: Readonly<Record<string, Managing>> = {
  npm: managing('npm', 'install i add', 'uninstall remove rm'),
  pnpm: managing('npm', 'install i add', 'remove rm'),
  yarn: managing('npm', 'add', 'remove'),
  bun: managing('npm', 'install i add', 'remove'),
  pip: managing('pip', 'install', 'uninstall'),
  pip3: managing('pip', 'install', 'uninstall'),
  uv: managing('pip', 'add', 'remove'),
  poetry: managing('pip', 'add', 'remove'),
  cargo: managing('cargo', 'add', 'remove'),
};

/** Other ways to start them. */
const PREFIXES: readonly (readonly [start: string, program: string])[] = [
  ['python -m pip', 'pip'],
  ['python3 -m pip', 'pip'],
  ['uv pip', 'pip'],
];

const MANAGER_OPTION = /^(?:-[DESy]|--(?:save|save-dev|save-exact|dev|exact|yes))$/;
/** A name in the program's own index, with a version at most: no address, no path and no alias. */
const PACKAGE = /^(?:@[\w.-]+\/)?\w[\w.-]*(?:(?:@|==)\d[\w.+-]*)?$/;
/** What a program takes for a file of the folder: `pkg.tgz`, `foo.whl`. */
const ARCHIVE = /\.(?:t?gz|tar|zip|whl|egg|bz2|xz|tbz2?|txz|crate)$/i;
/** What gives names another meaning: another folder, other files. */
const RENAMES: ReadonlySet<Operands> = new Set(['moves', 'swaps', 'switches', 'changes']);
const DELETING_OPTION = /^-[rfRv]+$|^--(?:recursive|force|verbose)$/;

function deletionIn(given: readonly Word[]): RequestableCommand | undefined {
  const paths = given.filter(({ text }) => !DELETING_OPTION.test(text));
  return paths.length > 0 && paths.every(isDeletable)
    ? { type: 'delete', names: paths.map(({ text }) => text) }
    : undefined;
}

const PUSHING_OPTION = /^(?:-[uvq]|--(?:set-upstream|verbose|quiet))$/;
const BRANCH = /^\w[\w./-]*$/;

/** A push to the place that the project comes from, which overwrites nothing there. */
function pushIn(given: readonly string[]): RequestableCommand | undefined {
  const [remote = 'origin', ...names] = given.filter((word) => !PUSHING_OPTION.test(word));
  return remote === 'origin' && names.length < 2 && names.every((name) => BRANCH.test(name))
    ? { type: 'push', names: names.filter((name) => name !== 'HEAD') }
    : undefined;
}

/** A command with the program's own name in front. */
function withoutPrefix(command: readonly string[]): readonly string[] {
  for (const [start, program] of PREFIXES) {
    const { length } = start.split(' ');
    if (command.slice(0, length).join(' ') === start) return [program, ...command.slice(length)];
  }
  return command;
}

function requestableIn(command: Command): RequestableCommand | undefined {
  const [first, ...rest] = command;
  if (first?.text === 'rm' || first?.text === 'rmdir') return deletionIn(rest);
  if (command.some(({ isPattern }) => isPattern)) return undefined;
  const [program = '', act = '', ...given] = withoutPrefix(command.map(({ text }) => text));
  if (program === 'git' && act === 'push') return pushIn(given);
  const manager = Object.hasOwn(MANAGERS, program) ? MANAGERS[program] : undefined;
  const type = (['install', 'uninstall'] as const).find((each) => manager?.[each].has(act));
  if (manager === undefined || type === undefined) return undefined;
  const names = given.filter((word) => !MANAGER_OPTION.test(word)).map((word) => word.replace(/(?<=.)@latest$/, ''));
  const areKnown = names.length > 0 && names.every((name) => PACKAGE.test(name) && !ARCHIVE.test(name));
  return areKnown ? { type, names, ecosystem: manager.ecosystem } : undefined;
}

/** Where a command goes to: the folder of the project, one below it, or elsewhere; undefined if it stays where it is. */
function moveIn(command: Command, project: string | undefined): 'project' | 'below' | 'elsewhere' | undefined {
  const target = targetOf(command);
  if (target === undefined) return undefined;
  // If the project is not known, a whole path is elsewhere.
  const place = inProject({ folder: project ?? '', project, isAssumed: false }, target);
  if (place === '' || place === '.') return 'project';
  return place !== undefined && isInside(place) ? 'below' : 'elsewhere';
}

/** Types of commands that people ask for in a folder below the project too. */
const BELOW: ReadonlySet<RequestableCommand['type']> = new Set(['install', 'uninstall']);

/**
 * What a command line does that is not ordinary, if people can ask for all of that by name; undefined if they cannot.
 * After a move to a folder outside of the project, they cannot.
 *
 * @example
 * ```ts
 * requestableCommands('npm install zod && npm test'); // [{ type: 'install', names: ['zod'], ecosystem: 'npm' }]
 * requestableCommands('rm -rf ~'); // undefined
 * ```
 */
export function requestableCommands(
  line: string,
  start = '',
  project?: string,
): readonly RequestableCommand[] | undefined {
  const found: RequestableCommand[] = [];
  const moves = new Set<ReturnType<typeof moveIn>>();
  let hasRenamed = false;
  for (const { command, use } of usesIn(line, start, project) ?? []) {
    const requestable = use === undefined ? requestableIn(command) : undefined;
    if (use === undefined && requestable === undefined) return undefined;
    if (requestable !== undefined) found.push(requestable);
    const move = moveIn(command, project);
    moves.add(move);
    hasRenamed ||= use !== undefined && move !== 'project' && RENAMES.has(use);
  }
  // In another folder, or after a change of files, a path means another thing; another folder can be another repository.
  const isUnclear =
    moves.has('elsewhere') ||
    (hasRenamed && found.some(({ type }) => type === 'delete')) ||
    (moves.has('below') && !found.every(({ type }) => BELOW.has(type)));
  return found.length === 0 || isUnclear ? undefined : found;
}

/**
 * Whether a line changes what the names in later commands mean: another folder, other files with a name. What is not ordinary may
 * do that too.
 *
 * @example
 * ```ts
 * changesNames('cd ..'); // true
 * changesNames('npm test'); // false
 * ```
 */
export function changesNames(line: string): boolean {
  const isChange = (use: Operands | undefined, command: Command): boolean =>
    use === undefined ? requestableIn(command) === undefined : RENAMES.has(use);
  return usesIn(line)?.some(({ command, use }) => isChange(use, command)) ?? true;
}
