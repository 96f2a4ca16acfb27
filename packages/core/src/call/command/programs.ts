import { type Options, optionsIn } from './options.ts';

/**
 * What the words of a command are that are not options. `words`: text, or names that only this repository has; `names`: what
 * another program looks up, on another host too; `reads`, `changes`, `makes` and `runs`: paths, in order of what they risk;
 * `searches`: a pattern and paths; `columns`: a program of awk that prints columns, and paths; `edits`: a replacement and the path
 * of one file; `prints`: a format and what is printed; `moves`: what the names of the next commands mean; `swaps`: nothing, but
 * files change; `records`: paths that are kept in a commit; `refs` and `switches`: commits and branches, of which `switches` puts
 * the files in place; `fetches`: a remote and its branches; `requirements`: a list of packages; `script`: the name of a script; `scripts`: that, and what it is given; `files`: a file of code and what it is given;
 * `local`: addresses of this machine.
 */
export type Operands =
  | ('none' | 'words' | 'prints' | 'formats' | 'names' | 'targets')
  | ('reads' | 'one' | 'searches' | 'filters' | 'lines' | 'columns')
  | ('records' | 'refs' | 'switches' | 'fetches' | 'requirements')
  | ('moves' | 'swaps' | 'changes' | 'edits' | 'makes' | 'runs' | 'script' | 'scripts' | 'files' | 'local');

const SEARCH =
  '-[nrRilLcvwxEFPGoHhsqIaU] -A= -B= -C= -m= -# --color=? --colour=? --include= --exclude= --exclude-dir= --line-number --recursive --ignore-case --files-with-matches --count --only-matching --word-regexp --fixed-strings --extended-regexp';
const LOG =
  '-[psgi] -n= -# -L= -S= -G= -U= -M=? -C=? --oneline --stat=? --shortstat --numstat --name-only --name-status --summary --graph --all --decorate=? --no-decorate --patch --no-patch --format= --pretty=? --since= --until= --after= --before= --author= --grep= --max-count= --first-parent --merges --no-merges --reverse --follow --date= --abbrev-commit --no-color --color=? --cached --staged --word-diff=? --check --exit-code --quiet --minimal --unified= --ignore-all-space --ignore-blank-lines -w -b --diff-filter= --branches --tags --raw --no-renames --topo-order --no-ext-diff --no-textconv';
/** What the runners of tests and scripts usually take, and what reaches no other code or file in any of them. */
export const SCRIPT =
  '-[hqsu] --fix --check --write --run --watch=? --no-watch --watchAll=false --coverage --no-coverage --ci --bail=? --verbose --silent --quiet --update --runInBand --passWithNoTests --no-cache --forceExit --detectOpenHandles --onlyChanged --nocapture --help --version --dry-run --release --production --prod --reporter=verbose --reporter=dot --reporter=default --reporter=basic --reporter=spec --reporter=json --reporter=tap -t= --testNamePattern= --testPathPattern= --grep= --max-warnings= --maxWorkers= --test-threads= --testTimeout= --port= --project=';
const NODE_SCRIPTS =
  'scripts -s --silent -w= --workspace= --workspaces --if-present --ignore-scripts --loglevel= --color --no-color --foreground-scripts --filter= -F= -r --recursive';
const INSTALL =
  '--no-audit --no-fund --silent --quiet -s --ignore-scripts --legacy-peer-deps --prefer-offline --frozen-lockfile --immutable --no-progress --loglevel= --omit=dev --production --offline';
const PYTEST =
  '-[vqxsl] -k= -m= -n= -r= --tb= --maxfail= --lf --ff --last-failed --failed-first --nf --sw --stepwise --co --collect-only --no-header --no-summary --durations= --exitfirst --verbose --quiet --cov=? --cov-report=term --cov-report=term-missing --no-cov --color= --strict-markers --disable-warnings --showlocals';
const MYPY =
  '-[v] -p= -m= --strict --ignore-missing-imports --show-error-codes --pretty --no-error-summary --no-incremental --check-untyped-defs --follow-imports= --no-color-output --warn-unused-ignores --disallow-untyped-defs --python-version= --explicit-package-bases --namespace-packages';
const CARGO =
  '-[qv] -p= -j= --quiet --verbose --release --all --workspace --package= --lib --bins --bin= --tests --test= --examples --example= --all-targets --all-features --no-default-features --features= --no-fail-fast --no-run --locked --offline --frozen --doc --jobs= --message-format=short --color=';
const GO =
  '-v -race -short -cover -json -failfast -x -n -run= -count= -timeout= -bench= -benchmem -benchtime= -parallel= -p= -cpu= -skip= -list= -tags=';
const GH =
  '-c -L= -s= -A= -l= -S= -j= -B= --comments --json= --limit= --state= --author= --label= --assignee= --search= --name-only --patch --log --log-failed --branch= --workflow= --base= --head= --job= --verbose --exit-status --required';
const STASH = '-[uqk] -m= --message= --include-untracked --keep-index --quiet';
const DIFFERENCES =
  '-[uqrNwbBiay] -U= --unified=? --brief --recursive --side-by-side --color=? --ignore-all-space --strip-trailing-cr';
const RUFF = '-q -s --fix --diff --check --quiet --select= --ignore= --statistics --no-cache --show-fixes --preview';
const TESTS =
  '-[hius] -t= -u --run --watch=? --no-watch --coverage --no-coverage --bail=? --silent --verbose --ci --update --runInBand --testNamePattern= --testPathPattern= --maxWorkers= --project= --passWithNoTests --no-cache --forceExit --detectOpenHandles --onlyChanged --watchAll=false --no-color --changed --no-file-parallelism --reporter=verbose --reporter=dot --reporter=default --reporter=basic --reporter=json --reporter=tap --testTimeout= --hideSkippedTests';

/**
 * The ordinary commands, by one to three words: what their operands are, then their options. Programs whose options reach other
 * code or write a file have those that do not; `*` is for programs that cannot do either, and `-*` for those that cannot with the
 * name of any file as an option.
 */
const TABLE: Readonly<Record<string, string>> = {
  true: 'words',
  pwd: 'words -[LP]',
  cd: 'moves',
  ls: 'reads *',
  cat: 'reads *',
  head: 'reads *',
  tail: 'reads *',
  wc: 'reads *',
  nl: 'reads *',
  cut: 'reads *',
  du: 'reads *',
  stat: 'reads *',
  realpath: 'reads *',
  which: 'words -[as]',
  sleep: 'words',
  echo: 'words *',
  printf: 'prints',
  basename: 'words -[a] -s=',
  dirname: 'words',
  tr: 'words -[dsc]',
  uname: 'words -[asrmnpo]',
  whoami: 'words',
  date: 'formats -[uR] -I=? -d= --date= --iso-8601=? --utc',
  sort: 'reads -[nrufhVbdgMs] -k= -t= --key= --field-separator= --numeric-sort --reverse --unique --human-numeric-sort --version-sort',
  uniq: 'one -[cdui] -f= -s= -w= --count --repeated --unique --ignore-case',
  diff: `reads ${DIFFERENCES}`,
  file: 'reads -[bikL] --brief --mime --mime-type --mime-encoding',
  tree: 'reads -[adfhislDCFup] -L= -I= -P= --dirsfirst --gitignore --noreport --prune',
  test: 'words -f= -d= -e= -s= -r= -w= -x= -L= -h= -z= -n=',
  grep: `searches -* ${SEARCH}`,
  rg: 'searches -[nilLcwxFvsSoUuNHIPp0] -A= -B= -C= -m= -g= -t= -T= -d= --files --hidden --glob= --type= --iglob= --max-count= --max-depth= --line-number --no-line-number --ignore-case --smart-case --fixed-strings --word-regexp --count --files-with-matches --no-ignore --no-heading --heading --color= --json --sort= --stats --multiline --context= --after-context= --before-context=',
  find: 'reads -name= -iname= -path= -ipath= -type= -size= -mtime= -mmin= -newer= -maxdepth= -mindepth= -not -a -o -and -or -prune -print -print0 -empty',
  sed: 'lines -[nE]',
  'sed -i': 'edits -[E]',
  awk: 'columns -F=',
  curl: 'local -[sSfiIv] -m= --silent --show-error --fail --include --head --verbose --max-time=',
  jq: 'filters -[rcneSsMCaj] --raw-output --compact-output --sort-keys --slurp --null-input --exit-status --tab --indent=',
  mkdir: 'makes -[pv] --parents',
  touch: 'makes',
  cp: 'changes -[rRpvnfa]',
  mv: 'changes -[vnf]',
  make: 'targets -j=? -[ks]',
  'git status':
    'reads -[sbuv] --short --branch --porcelain=? --long --untracked-files=? --ignored --no-renames -uno -uall',
  'git diff': `reads ${LOG}`,
  'git log': `reads ${LOG}`,
  'git show': `reads ${LOG}`,
  'git shortlog': 'reads -[sne] --all --since= --no-merges',
  'git blame': 'reads -[wsleMC] -L= --date= --porcelain',
  'git grep': `searches ${SEARCH} --cached --untracked`,
  'git describe': 'words --tags --always --dirty --abbrev= --long --all --match=',
  'git rev-parse':
    'words --short=? --abbrev-ref --show-toplevel --verify --quiet -q --git-dir --show-prefix --is-inside-work-tree',
  'git ls-files': 'reads -[comdstz] --others --exclude-standard --modified --cached --deleted --stage --error-unmatch',
  'git add': 'records -[Aunv] --all --update --verbose --dry-run --intent-to-add -N',
  'git commit':
    'records -[avqsn] -m= --message= --all --amend --no-edit --quiet --verbose --signoff --allow-empty --fixup=',
  'git mv': 'changes -[vkn]',
  'git init': 'makes -q --quiet -b= --initial-branch=',
  'git switch': 'switches -c= --create= -q --quiet --guess',
  'git checkout -b': 'switches -q --quiet',
  'git branch':
    'refs -[avr] -vv --list --all --show-current --remotes --verbose --contains= --merged=? --no-merged=? --sort= --format=',
  'git stash': `swaps ${STASH}`,
  'git stash push': `swaps ${STASH}`,
  'git stash pop': 'swaps -q --quiet --index',
  'git stash apply': 'swaps -q --quiet --index',
  'git stash list': 'none -# --oneline --stat',
  'git stash show': `words ${LOG}`,
  'git remote': 'none -v',
  'git fetch': 'fetches -[pqtav] --all --prune --tags --quiet --verbose --dry-run --depth= --no-tags',
  'gh issue view': `names ${GH}`,
  'gh issue list': `none ${GH}`,
  'gh pr view': `names ${GH}`,
  'gh pr list': `none ${GH}`,
  'gh pr diff': `names ${GH}`,
  'gh pr checks': `names ${GH}`,
  'gh pr status': 'none',
  'gh run view': `names ${GH}`,
  'gh run list': `none ${GH}`,
  'gh repo view': 'none --json= --branch=',
  'docker ps': 'none -[aqsl] --all --no-trunc --quiet',
  'docker images': 'none -[aq] --all --quiet',
  'docker logs': 'names -[ft] -n= --follow --timestamps --tail= --since= --until=',
  'docker compose ps': 'names -[aq] --all --services',
  'docker compose logs': 'names -[ft] -n= --follow --timestamps --tail= --since= --no-color --no-log-prefix',
  'npm test': NODE_SCRIPTS,
  'npm t': NODE_SCRIPTS,
  'npm run': NODE_SCRIPTS,
  'npm start': NODE_SCRIPTS,
  'npm ci': `none ${INSTALL}`,
  'npm install': `none ${INSTALL}`,
  'npm i': `none ${INSTALL}`,
  'npm ls': 'names -[ag] --all --depth= --json --prod --omit=dev --long -l -p --parseable',
  'npm outdated': 'names --json --long --all',
  'npm view': 'names --json',
  'npm audit': 'none --json --omit=dev --production --audit-level=',
  'pnpm test': `${NODE_SCRIPTS} ${SCRIPT}`,
  'pnpm run': `${NODE_SCRIPTS} ${SCRIPT}`,
  'pnpm start': `${NODE_SCRIPTS} ${SCRIPT}`,
  'pnpm build': `${NODE_SCRIPTS} ${SCRIPT}`,
  'pnpm lint': `${NODE_SCRIPTS} ${SCRIPT}`,
  'pnpm ls': 'names --depth= --json -r',
  'pnpm install': `none ${INSTALL}`,
  'pnpm i': `none ${INSTALL}`,
  'yarn test': `${NODE_SCRIPTS} ${SCRIPT}`,
  // Yarn looks for anything else among the programs of the dependencies.
  'yarn run': 'script -s --silent',
  'yarn start': `${NODE_SCRIPTS} ${SCRIPT}`,
  'yarn build': `${NODE_SCRIPTS} ${SCRIPT}`,
  'yarn lint': `${NODE_SCRIPTS} ${SCRIPT}`,
  'yarn install': `none ${INSTALL}`,
  yarn: `none ${INSTALL}`,
  node: `files ${SCRIPT}`,
  python: `files ${SCRIPT}`,
  python3: `files ${SCRIPT}`,
  tsx: `files ${SCRIPT}`,
  'node --test':
    'runs --watch --test-only --test-name-pattern= --test-reporter=spec --test-reporter=tap --test-reporter=dot',
  ruby: `files ${SCRIPT}`,
  php: `files ${SCRIPT}`,
  pytest: `runs ${PYTEST}`,
  'python -m pytest': `runs ${PYTEST}`,
  'python3 -m pytest': `runs ${PYTEST}`,
  'python -m unittest': 'runs -[vqfbc] -k= -s= -p= -t=',
  'python3 -m unittest': 'runs -[vqfbc] -k= -s= -p= -t=',
  mypy: `runs ${MYPY}`,
  'python -m mypy': `runs ${MYPY}`,
  'python3 -m mypy': `runs ${MYPY}`,
  'ruff check': `runs ${RUFF}`,
  'ruff format': `runs ${RUFF}`,
  'pip install -r': 'requirements -q --quiet',
  'pip3 install -r': 'requirements -q --quiet',
  'pip list': 'none --outdated -o --format= --not-required',
  'pip show': 'names -f --files',
  'pip freeze': 'none --all -l --local',
  'pip check': 'none',
  'cargo build': `names ${CARGO}`,
  'cargo test': `scripts ${CARGO}`,
  'cargo check': `names ${CARGO}`,
  'cargo clippy': `names ${CARGO} --fix --allow-dirty`,
  'cargo fmt': 'names --all --check --verbose',
  'go build': `names ${GO}`,
  'go test': `names ${GO}`,
  'go vet': `names ${GO}`,
  'go fmt': 'names -n -x',
  tsc: 'runs -[bpwv] -p= --project= --noEmit --build --watch --pretty --pretty=false --strict --skipLibCheck --incremental --listFiles --showConfig --force --verbose --dry --noErrorTruncation --extendedDiagnostics',
  eslint:
    'runs --fix --fix-dry-run --quiet --cache --ext= --max-warnings= --no-error-on-unmatched-pattern --report-unused-disable-directives --color --no-color --format=stylish --format=json --format=compact --format=unix',
  prettier:
    'runs -[cwlu] --check --write --list-different --ignore-unknown --no-error-on-unmatched-pattern --log-level= --cache --single-quote --no-semi --print-width= --tab-width=',
  'biome check': 'runs --write --apply --unsafe --fix --changed --staged --max-diagnostics= --error-on-warnings',
  'biome lint': 'runs --write --apply --unsafe --fix --changed --staged --max-diagnostics= --error-on-warnings',
  'biome format': 'runs --write --fix --changed --staged',
  'biome ci': 'runs --changed --max-diagnostics= --error-on-warnings',
  vitest: `runs ${TESTS}`,
  mocha: 'runs -b -g= --grep= --bail --exit --timeout= --recursive --reporter=spec --reporter=dot --reporter=min',
  'bun test': 'runs -t= --watch --coverage --bail=? --timeout=',
  'bun run': 'script --silent',
  'deno test': 'runs --fail-fast --filter=',
  'deno task': 'script',
  rspec: 'runs -e= --fail-fast --format=documentation --format=progress',
  'dotnet test': 'runs -c= -v= --no-build --no-restore --filter= --configuration= --verbosity= --nologo',
  'dotnet build': 'runs -c= -v= --no-restore --configuration= --verbosity= --nologo',
  'mvn test': 'none -[qBo] --quiet --batch-mode --offline',
  './mvnw test': 'none -[qBo] --quiet --batch-mode --offline',
  'gradle test': 'none -q --quiet --info --stacktrace --offline --no-daemon',
  './gradlew test': 'none -q --quiet --info --stacktrace --offline --no-daemon',
  './gradlew build': 'none -q --quiet --info --stacktrace --offline --no-daemon',
  jest: `runs ${TESTS} -i -o`,
};

/** A command that can be ordinary. */
export interface Program {
  /** How many words name it. */
  readonly length: number;
  readonly operands: Operands;
  readonly options: Options;
}

const programs = new Map<string, Program>();

/** The program with the most words of those that begin a command; undefined if none does. */
export function programOf(words: readonly string[]): Program | undefined {
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const name = words.slice(0, length).join(' ');
    if (!Object.hasOwn(TABLE, name)) continue;
    // Read on first use, so that loading the module is cheap.
    const [operands = 'none', ...options] = (TABLE[name] as string).split(' ');
    const program = programs.get(name) ?? { length, operands: operands as Operands, options: optionsIn(options) };
    programs.set(name, program);
    return program;
  }
  return undefined;
}

/** Programs that print their version for `-v`, and end. Others then print more, and read code from standard input. */
const SHORT_VERSION: ReadonlySet<string> = new Set(['node', 'npm', 'pnpm', 'yarn', 'ruby', 'php', 'tsc', 'tsx']);

/** Whether a program, given one option alone, prints its version. */
export function printsVersion(program: string, option: string): boolean {
  if (option === '-v') return SHORT_VERSION.has(program);
  const isVersion = option === '--version' || option === '-V';
  return isVersion && Object.keys(TABLE).some((name) => name === program || name.startsWith(`${program} `));
}
