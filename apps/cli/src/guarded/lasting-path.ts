const names = (text: string): string => text.replaceAll('.', '\\.').split(' ').join('|');

/** Hidden names of a project that nothing runs and no agent reads: what is ignored, formatted, built and kept for a while. */
const FILES =
  'gitignore gitattributes gitkeep keep mailmap editorconfig nvmrc node-version python-version ruby-version tool-versions npmignore dockerignore eslintcache ds_store';
const FOLDERS =
  'cache next nuxt turbo parcel-cache svelte-kit astro vite output nyc_output pytest_cache mypy_cache ruff_cache tox angular docusaurus vercel coverage temp worktrees changeset changesets storybook';
/** Settings for tools of the project, which belong to it as its sources do. */
const SETTINGS =
  'env babelrc swcrc browserslistrc mocharc nycrc c8rc golangci rubocop clang-format clang-tidy flake8 coveragerc jshintrc taprc nojekyll yamllint';
const CHECKERS = 'eslint prettier stylelint markdownlint markdownlint-cli2 commitlint';
/** Endings of hidden names in the project's own code, which only the project reads. */
const CODE = '[cm]?[jt]sx?|py|rb|php|css|html|vue|svelte';
const PLAIN_HIDDEN = new RegExp(
  `^\\.(?:${names(`${FILES} ${FOLDERS}`)}|tmp\\w*|(?:${names(SETTINGS)}|(?:${names(CHECKERS)})(?:rc|ignore)?)(?:\\.[\\w.-]+)?|[\\w-]+\\.(?:${CODE}))$`,
  'i',
);

/** A folder of a person, whose hidden names are the settings of shells and programs. */
const HOME =
  /^(?:~[\w.-]*|\/(?:home|Users|[a-z]\/Users|mnt\/[a-z]\/Users)\/[^/]+|\/(?:var\/)?root|[a-z]:\/Users\/[^/]+)\//i;
/** Plain names in such a folder: programs, settings, and programs that start with the session. */
const OF_HOME = /^(?:\.|bin\/|Library\/|AppData\/Roaming\/|_[a-z]+rc$)/i;
const SYSTEM = new RegExp(
  [
    '^(?:/|(?:\\.\\./)+)(?:private/)?etc/',
    '^/(?:private/)?(?:boot|bin|sbin|lib\\w*|usr(?!/src/)|dev(?!/null$)|proc|sys|run|var/run|var/spool|opt/homebrew|Library|System|Applications)/',
    '^(?:[a-z]:|/mnt/[a-z]|/[a-z]|//[^/]+/[a-z]\\$)/(?:Windows|Program Files(?: \\(x86\\))?|ProgramData)/',
  ].join('|'),
  'i',
);
/** Names that mean the same wherever they are. `git~1` is `.git` for some systems. */
const ACTING =
  /^(?:crontab|cron\.\w+|autostart|LaunchAgents|LaunchDaemons|git~\d|(?:Microsoft\.\w+_)?profile\.ps1|(?:AGENTS?|CLAUDE|GEMINI|QWEN)(?:\.\w+)?\.md|copilot-instructions\.md|\S+\.instructions\.md)$/i;
/** Texts for people: an agent's plan, which its host shows, and forms of a forge. */
const READ_BY_PEOPLE =
  /(?:^|\/)(?:\.claude\/plans\/[\w-]+\.md|\.github\/(?:ISSUE_TEMPLATE\/[\w-]+\.(?:md|ya?ml)|PULL_REQUEST_TEMPLATE\.md))$/i;
const STARTUP = /\/Start Menu\/Programs\/Startup\//i;

function actsBelow(segment: string): boolean {
  const isHidden = segment.startsWith('.') && !/^\.{1,3}$/.test(segment);
  return ACTING.test(segment) || (isHidden && !PLAIN_HIDDEN.test(segment));
}

const FILE_URL = /^file:\/\/(?:localhost)?(?=\/)/i;

/** The path that a URL of a file means. */
function withoutScheme(given: string): string {
  if (!FILE_URL.test(given)) return given;
  const path = given.replace(FILE_URL, '').replace(/^\/(?=[a-z]:)/i, '');
  return path.replace(/%([2-7][\da-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A path with `/` between its names, without steps that lead nowhere. */
function plainPath(given: string): string {
  // Some systems compare names without characters that have no width.
  const path = withoutScheme(given.trim().replace(/\p{Cf}/gu, '')).replaceAll('\\', '/');
  const start = /^\/*/.exec(path)?.[0] ?? '';
  const steps: string[] = [];
  for (const step of path.split('/')) {
    if (step === '..' && steps.length > 0 && steps.at(-1) !== '..') steps.pop();
    else if (step !== '' && step !== '.' && !(step === '..' && start !== '')) steps.push(step);
  }
  return start + steps.join('/');
}

/**
 * Recognizes a file that is run or read later: settings of shells and programs, keys, hooks, jobs, instructions for
 * agents. A hidden name counts as one, unless it is known to be none; so does what belongs to the system.
 *
 * @example
 * ```ts
 * actsLater('.git/config'); // true
 * actsLater('src/.prettierrc'); // false
 * ```
 */
export function actsLater(given: string): boolean {
  const path = plainPath(given);
  if (READ_BY_PEOPLE.test(path)) return false;
  const [home] = HOME.exec(path) ?? [];
  if (home !== undefined && OF_HOME.test(path.slice(home.length))) return true;
  return SYSTEM.test(path) || STARTUP.test(path) || path.split('/').some(actsBelow);
}
