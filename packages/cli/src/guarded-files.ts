import type { GateQuestion, RuleResult, Rules } from '@sallyport/core';

const HOME = String.raw`(?:~[\w-]*|\$\{?HOME\}?|\/root|\/(?:home|Users)\/[^/\s]+)`;

/** Folders and files of a user that hold keys and passwords, `sallyport`'s own too. */
const SECRET = new RegExp(
  [
    String.raw`(?:^|[/\s=:])\.(?:(?:ssh|aws|gnupg|kube|password-store)(?=\/|\s|$)|(?:netrc|pypirc|git-credentials)(?![\w-]))`,
    String.raw`${HOME}\/\.(?:npmrc|docker\/config\.json|config\/(?:gh|gcloud|git\/credentials))(?![\w-])`,
    // A pattern of the shell that finds such a folder without its name.
    String.raw`${HOME}\/\.[^\s/]*[*?[{]`,
    String.raw`(?<![\w.-])id_(?:rsa|ed25519|ecdsa)(?![\w.-])`,
    String.raw`\/etc\/shadow\b`,
    String.raw`\/sallyport\/(?:state\/)?(?:logins\/|key(?![\w./-]))`,
  ].join('|'),
  'i',
);

/** The files of sallyport, and those in which hosts keep their hooks: an agent could approve its own calls there, or end the checks. */
const OWN =
  /\/sallyport\/(?:state\/)?(?:approvals|overrides|sessions|pins|log|daemon|key\b|lasting-approvals\.json|sallyport\.yaml)|\.claude\/settings(?:\.local)?\.json|\.claude\.json|\.gemini\/settings\.json|\.cursor\/hooks\.json|\.copilot\/hooks\b|\.github\/hooks\b/i;

const MAX_PARENTS = 20;

/** A path without the parts that change nothing: `//`, `/./` and `/folder/..`. */
function resolved(text: string): string {
  let path = text.replace(/%2e/gi, '.').replace(/%2f/gi, '/');
  for (let count = 0; count < MAX_PARENTS; count++) {
    const next = path.replace(/\/(?:\.?\/)+/g, '/').replace(/(?<=\/)(?!\.\.\/)[^/\s]+\/\.\.(?:\/|(?=\s|$))/g, '');
    if (next === path) break;
    path = next;
  }
  return path;
}

/** What a text may mean as a path: in a shell, quotes and backslashes vanish; on Windows, a backslash separates. */
function pathsIn(text: string): readonly string[] {
  return [text.replace(/[\\'"]/g, ''), text.replaceAll('\\', '/')].map(resolved);
}

const NAMING: ReadonlySet<string> = new Set(['path', 'command']);

/** Asks about a call that names such a file, unless the user has named it. */
function askAbout(
  { arguments: all }: GateQuestion,
  isGuarded: (path: string) => boolean,
  reason: string,
): RuleResult | undefined {
  const about = all.filter(
    ({ text, role, provenance }) =>
      (NAMING.has(role) || /^file:/i.test(text)) &&
      provenance.vouchedBy === undefined &&
      pathsIn(text).some((path) => isGuarded(path)),
  );
  return about.length === 0 ? undefined : { outcome: 'ask', reason, about };
}

/**
 * Files that no call should touch unless the user names them. Keys and passwords are not even read: once a model has read a key, every
 * later call can carry it away.
 */
export function guardedFiles(stateFolder: string): Rules {
  const isOwn = (path: string): boolean => OWN.test(path) || path.includes(`${stateFolder}/`);
  return {
    secretFiles: (question) =>
      askAbout(
        question,
        (path) => SECRET.test(path),
        'This uses a file of yours that holds keys or passwords, and you did not name it.',
      ),
    ownFiles: (question) =>
      question.effect === 'read'
        ? undefined
        : askAbout(
            question,
            isOwn,
            'This changes the files with which your agent is checked, and you did not name them.',
          ),
  };
}
