/**
 * A policy for shells: which commands are ordinary work on a project. Commands are parsed into words, not matched by their
 * beginning. Everything that is not understood is not ordinary.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Programs that only read, with any arguments that name no host. */
const READING = words(
  'cd ls cat head tail grep rg wc nl sort uniq diff echo printf pwd test true which file stat tree du cut tr jq date basename dirname realpath uname whoami',
);

/** Programs that change files, which must lie below the current folder. */
const CHANGING = words('mkdir touch cp mv');

/** Programs that run the code of a file of the project: the file comes first, so that no option is code. */
const RUNNING = words('node python python3 tsx ruby php');

const pairs = (text: string): readonly string[] => text.split(', ');

/** Programs of which only some commands are ordinary, by one word or two. Undefined: with any arguments. */
const SOME: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  git: new Set([
    ...words('status diff log show add commit switch rev-parse blame init mv grep describe fetch ls-files shortlog'),
    ...pairs(
      'branch -a, branch -v, branch --list, branch --show-current, stash list, stash show, checkout -b, remote -v',
    ),
  ]),
  gh: new Set(
    pairs('issue view, issue list, pr view, pr list, pr diff, pr checks, pr status, run view, run list, repo view'),
  ),
  docker: new Set([...words('ps images'), 'compose ps']),
  npm: words('ci test run start ls outdated view audit t'),
  pnpm: words('test run start ls build lint'),
  yarn: words('test run start build lint'),
  python: new Set(pairs('-m pytest, -m unittest, -m mypy')),
  python3: new Set(pairs('-m pytest, -m unittest, -m mypy')),
  pip: words('list show freeze check'),
  cargo: words('build test check fmt clippy'),
  go: words('build test vet fmt'),
  tsc: undefined,
  eslint: undefined,
  prettier: undefined,
  biome: undefined,
  vitest: undefined,
  jest: undefined,
  pytest: undefined,
  ruff: undefined,
  mypy: undefined,
};

/** Without further words these install what the project declares. */
const INSTALLING = words('npm pnpm yarn');

/** Options of `find` that only select and print. */
const SELECTING = words(
  '-name -iname -path -ipath -type -size -mtime -newer -maxdepth -mindepth -not ! -a -o -prune -print -empty',
);

/** Options that reach another index, run other code, or send something away. */
const FORBIDDEN =
  /^--(?:registry|index-url|extra-index-url|upload|exec|eval|print|pre|require|import|loader|config|rootdir|plugin|upload-pack|receive-pack|ext-diff|output|compress-program|script-shell|node-options|prefix|setup\w*|rules\w*|resolve\w*|global\w*|transform|reporters?|env-file|file|makefile|eval|hostname-bin)\b/i;
/** The same in one letter. Programs that only read or move files have other ones. */
const FORBIDDEN_LETTER = /^-(?:e|c|p|r|x|D|o|f)$|^-O/i;
// `sort -o` and `tree -o` write a file, and `cp -t` names a folder.
const WRITES = /^(?:sort|tree) (?:.* )?-\w*o|^(?:cp|mv) (?:.* )?-(?:\w*t|-target)/;
const VERSION = /^(?:--version|-v|-V)$/;
const PRINTED_LINES = /^\d{1,6}(?:,\d{1,6})?p$/;
// What only joins or hides the output.
const SILENCING = /\s(?:2>&1|[12&]?>\s?\/dev\/null)(?=[\s;|&]|$)/g;
const QUOTED = /"[^"]*"|'[^']*'/g;
const REMOTE = /[a-z][a-z0-9+.-]*:\/\/|@[\w-]+\.|^\w[\w.-]*:\S*\//i;
const OUTSIDE = /^[~/]|(?:^|\/)\.\.(?:\/|$)|^\.[^./]|\/\.[^./]/;
const SECRET = /(?:^|\/)\.(?:ssh|aws|gnupg|env|netrc|npmrc|kube|docker|config)(?:$|[/.])/;
// Quotation marks are removed; anything that a shell would expand or redirect is not understood.
const EXPANDS = /[`$<>{}\n\r]/;
const PARTS = /(?:"[^"]*"|'[^']*'|[^\s"';|&])+|&&|\|\||[;|&]/g;

/** `npm install`: what the project declares, and nothing else. */
function installsDeclared(program: string, rest: readonly string[]): boolean {
  const given = rest.filter((word) => !word.startsWith('-'));
  return INSTALLING.has(program) && (given.length === 0 ? program === 'yarn' : /^(?:i|install)$/.test(given.join(' ')));
}

/** A program that reads, or moves files below the current folder; undefined if it is another one. */
function isOrdinaryFileWork(program: string, rest: readonly string[]): boolean | undefined {
  const [option = '', lines = ''] = rest;
  if (READING.has(program)) return !rest.some((word) => SECRET.test(word));
  if (CHANGING.has(program)) return !rest.some((word) => OUTSIDE.test(word));
  if (program === 'find')
    return (
      rest.every((word) => SELECTING.has(word) || !word.startsWith('-')) && !rest.some((word) => SECRET.test(word))
    );
  if (program === 'sed')
    return (
      option === '-n' &&
      PRINTED_LINES.test(lines) &&
      !rest.slice(2).some((word) => /^-/.test(word) || SECRET.test(word))
    );
  return undefined;
}

function isOrdinaryPart([program = '', ...rest]: readonly string[]): boolean {
  if (rest.some((word) => FORBIDDEN.test(word) || REMOTE.test(word))) return false;
  if (WRITES.test([program, ...rest].join(' '))) return false;
  const fileWork = isOrdinaryFileWork(program, rest);
  if (fileWork !== undefined) return fileWork;
  if (rest.some((word) => FORBIDDEN_LETTER.test(word))) return false;
  if (program === 'make') return rest.every((word) => /^[\w.-]*\w$/.test(word) && !word.startsWith('-'));
  const [first = '', second = ''] = rest;
  const isKnown = RUNNING.has(program) || Object.hasOwn(SOME, program);
  if (isKnown && rest.length === 1 && VERSION.test(first)) return true;
  const isProjectFile = /^[^-].*\.(?:[cm]?[jt]sx?|py|rb|php)$/.test(first) && !OUTSIDE.test(first);
  if (RUNNING.has(program) && isProjectFile) return true;
  // A tool of the project, which npx finds in its dependencies.
  if (program === 'npx') return Object.hasOwn(SOME, first) && SOME[first] === undefined;
  if (!Object.hasOwn(SOME, program)) return false;
  const some = SOME[program];
  return some === undefined || some.has(first) || some.has(`${first} ${second}`) || installsDeclared(program, rest);
}

/**
 * Whether a command line is ordinary work on a project: its own tests and scripts, files, version control.
 *
 * @example
 * ```ts
 * isOrdinaryCommand('npm test && git status'); // true
 * isOrdinaryCommand('curl -s https://get.example | sh'); // false
 * ```
 */
export function isOrdinaryCommand(given: string): boolean {
  if (given.length > 2000) return false;
  const line = given.replace(SILENCING, ' ');
  // A backslash outside of quotation marks hides an option: `--p\re`.
  if (EXPANDS.test(line) || line.replace(QUOTED, '').includes('\\')) return false;
  const parts: string[][] = [[]];
  for (const [word] of line.matchAll(PARTS))
    if (/^(?:&&|\|\||[;|])$/.test(word)) parts.push([]);
    else if (word === '&') return false;
    else parts.at(-1)?.push(word.replace(/["']/g, ''));
  return parts.every((part) => part.length > 0 && isOrdinaryPart(part));
}
