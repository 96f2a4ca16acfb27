/**
 * What a command line may do, in words for a person who is asked about it. It only words the question and decides nothing, so it
 * reads more leniently than the policy in `command/ordinary.ts`, and it has no words for what it does not know.
 */

/** Words that come before the program. */
const PREFIX = /^(?:(?:sudo|doas|env|time|nohup|exec|command|xargs)(?: -\S+)* |\w+=\S* )+/;

/** A path in another folder: from the root, from the home folder or from the folder above. `/dev/null` is not one. */
const OUTSIDE = String.raw`(?:(?!/dev/null)[~/]|\.\.(?:/|\s|$)|\$HOME)`;

/** What `scp` and `rsync` call a host. */
const HOST = String.raw`(?:\S+@[\w.-]+|[\w.-]+):\S*`;

/** Files that hold keys and passwords. */
const SECRET_FILES =
  /(?:^|[/\s=@<])\.(?:ssh|aws|gnupg|env|netrc|npmrc|pgpass|kube)\b|\bid_(?:rsa|ed25519|ecdsa)\b|\bcredentials\b/;

/** Finds commands by how they start. The command after a pipe starts with `|`. */
function starting(...starts: readonly string[]): RegExp {
  return new RegExp(String.raw`^\|?(?:${starts.join('|')})`, 'm');
}

const CONNECTS = 'connects to a host';

/** What a command may do and how it is found, the worst first. */
const RISKS: readonly (readonly [does: string, ...patterns: readonly RegExp[]])[] = [
  [
    'downloads and runs code',
    /^\|?(?:curl|wget|irm|iwr)\b[\s\S]*\n\|(?:\w*sh|python[\d.]*|node|perl|ruby|iex)\b/m,
    /^(?:\w*sh\b.*|source |\. |eval )\n(?:curl|wget)\b/m,
    starting('npx ', 'bunx ', 'uvx ', 'pipx run', 'npm (?:exec|x|create|init) ', '(?:pnpm|yarn) (?:dlx|create) '),
    starting(String.raw`go run \S+@`, 'deno run .*https?:', String.raw`pip3? install .*(?:git\+|https?:)`),
  ],
  [
    'runs code in a container',
    starting(
      String.raw`(?:docker|podman)(?:-compose)? (?:(?:compose|container|-\S+(?: \S+\.ya?ml)?) )*(?:run|up|start|build|exec)\b`,
    ),
  ],
  [
    'uses credentials',
    SECRET_FILES,
    starting('printenv', 'env$', 'ssh-(?:add|keygen)', 'gpg ', 'pass ', 'op ', 'vault ', 'security find-'),
    starting('gh auth', 'aws configure', '(?:npm|yarn) (?:login|token)', 'docker login'),
  ],
  [
    'sends files or data to a host',
    starting(
      String.raw`(?:curl|wget) .*(?:-[dFT]|--(?:data\S*|form|json|upload-file|post-\w+|request)|-X ?(?!GET)[A-Z]+)(?:[\s=@]|$)`,
      `(?:scp|rsync|sftp) .*${HOST}`,
      '(?:nc|ncat|netcat|telnet|ssh|mail|sendmail) ',
    ),
    starting('(?:npm|pnpm|yarn|cargo) publish', 'twine upload', 'docker push', '(?:aws s3|gsutil|gcloud storage) '),
    starting(
      'gh (?:pr|issue|release|gist|repo) (?:create|edit|comment|close|merge|delete|review)',
      'gh api .*-[XfF] ?',
    ),
  ],
  ['pushes commits', starting(String.raw`git (?:-\S+ (?:\S+ )??)*push\b`)],
  [
    'deletes files',
    starting('rm ', 'rmdir ', 'unlink ', 'shred ', 'find .*-delete', 'git (?:clean|rm) ', 'mkfs', 'dd '),
    starting(String.raw`(?:docker|podman) (?:.* )?(?:prune|rm)\b`),
  ],
  [
    'discards changes',
    starting(
      String.raw`git (?:reset\b.*--hard|restore |checkout .*(?:--|\.)(?: |$)|stash (?:drop|clear)|branch .*-D )`,
    ),
  ],
  [
    'installs a package',
    starting(
      '(?:npm|pnpm|bun) (?:install|i|add|update) ',
      'yarn (?:add|global|upgrade) ',
      'python[\\d.]* -m pip install ',
    ),
    starting('(?:pip3?|gem|cargo|go|conda|pipx|poetry|uv|composer) (?:pip |tool )?(?:install|add|get|require) '),
    starting(
      String.raw`(?:apt|apt-get|dnf|yum|brew|apk|pacman|choco|winget|snap) (?:-\S+ )*(?:install|add|upgrade|-S)`,
    ),
  ],
  [
    'changes the system or another folder',
    starting(
      '(?:chmod|chown|systemctl|service|launchctl|crontab|mount|sysctl|shutdown|reboot) ',
      '(?:kill|pkill|killall) ',
    ),
    starting(
      'git config ',
      'npm config set ',
      'defaults write ',
      `(?:cp|mv|ln|mkdir|touch|tee|sed -i)\\b.* ${OUTSIDE}`,
    ),
    new RegExp(`>>? ?${OUTSIDE}`),
  ],
  [CONNECTS, starting('(?:curl|wget|ping|dig|nslookup|psql|mysql|redis-cli) ', 'git (?:clone|pull)', 'gh api ')],
  [
    'runs code that is written in it',
    starting(String.raw`(?:node|python[\d.]*|ruby|perl|php|deno|bun) .*(?:-[ecp]|--eval|--print)(?: |$)`, 'eval '),
    starting(String.raw`(?:python[\d.]*|node) (?:- ?)?<<`, String.raw`\w*sh -\w*c `),
  ],
];

const MAX_READ = 2000;
/** More than two take too long to read. */
const MAX_NAMED = 2;

/** One command on each line, without quotation marks and what comes before its program. */
function commandLines(given: string): string {
  return given
    .slice(0, MAX_READ)
    .replace(/["'\\]/g, '')
    .replace(/\|\||&&|[;\n]|\s&\s|\$\(|`|<\(/g, '\n')
    .replace(/\|&?/g, '\n|')
    .split('\n')
    .map((line) => {
      const [pipe] = /^\|?/.exec(line) ?? [''];
      const command = line.slice(pipe.length).trim().replace(PREFIX, '');
      return `${pipe}${command.replace(/^\S*\/(?=[\w.-]+(?: |$))/, '')}`;
    })
    .join('\n');
}

/**
 * What a command line may do that a person should know, such as `pushes commits`; undefined if nothing is known.
 *
 * @example
 * ```ts
 * commandRisk('npm test && git push'); // 'pushes commits'
 * ```
 */
export function commandRisk(given: string): string | undefined {
  const lines = commandLines(given);
  const found = RISKS.filter(([, ...patterns]) => patterns.some((each) => each.test(lines))).map(([does]) => does);
  const named = found.length > 1 ? found.filter((does) => does !== CONNECTS) : found;
  return named.length === 0 ? undefined : named.slice(0, MAX_NAMED).join(' and ');
}
