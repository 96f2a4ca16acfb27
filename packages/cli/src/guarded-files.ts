import type { GateQuestion, RuleResult, Rules } from '@sallyport/core';

/** Folders and files of a user that hold keys and passwords. */
const SECRET =
  /(?:~|\$\{?HOME\}?|\/root|\/(?:home|Users)\/[^/\s"']+)\/\.(?:ssh|aws|gnupg|netrc|npmrc|pypirc|git-credentials|kube|password-store|docker\/config\.json|config\/(?:gh|gcloud|git\/credentials))(?![\w-])|(?<![\w.-])id_(?:rsa|ed25519|ecdsa)(?![\w.-])|\/etc\/shadow\b/;

/** The files of sallyport, and those in which hosts keep their hooks: an agent could approve its own calls there, or end the checks. */
const OWN =
  /[\\/]sallyport[\\/](?:state[\\/])?(?:approvals|overrides|sessions|pins|log|key\b|lasting-approvals\.json|sallyport\.yaml)|\.claude[\\/]settings(?:\.local)?\.json|\.gemini[\\/]settings\.json|\.cursor[\\/]hooks\.json|\.copilot[\\/]hooks\b|\.github[\\/]hooks\b/i;

const NAMING: ReadonlySet<string> = new Set(['path', 'command']);

/** Asks about a call that names such a file, unless the user has named it. */
function askAbout({ arguments: all }: GateQuestion, files: RegExp, reason: string): RuleResult | undefined {
  const about = all.filter(
    ({ text, role, provenance }) => NAMING.has(role) && provenance.vouchedBy === undefined && files.test(text),
  );
  return about.length === 0 ? undefined : { outcome: 'ask', reason, about };
}

/**
 * Files that no call should touch unless the user names them. Keys and passwords are not even read: once a model has read a key, every
 * later call can carry it away.
 */
export const guardedFiles: Rules = {
  secretFiles: (question) =>
    askAbout(question, SECRET, 'This uses a file of yours that holds keys or passwords, and you did not name it.'),
  ownFiles: (question) =>
    question.effect === 'read'
      ? undefined
      : askAbout(question, OWN, 'This changes the files with which your agent is checked, and you did not name them.'),
};
