import { HOME } from './path.ts';

/** Endings of files with code, which only mentions keys: `auth.ts`, `tokens.css`. */
const CODE = String.raw`(?![\w.-]*\.(?:[cm]?[jt]sx?|map|snap|rs|py|go|rb|php|c|h|cc|cpp|java|kt|swift|md|mdx|html|css|scss|vue|svelte)(?![\w.-]))`;
/** The end of a path, so that no folder with such a name counts. */
const END = String.raw`(?![\w/-]|\.\w)`;

/** Folders and files of a user that hold keys and passwords, `sallyport`'s own too. */
export const SECRET_FILE: RegExp = new RegExp(
  [
    String.raw`(?:^|[/\s=:])\.(?:(?:ssh|aws|gnupg|kube|password-store)(?=\/|\s|$)|(?:netrc|pypirc|pgpass|vault-token|git-credentials)(?![\w-]))`,
    // Such files below a program's hidden folder in the home folder. Further down are projects, as in worktrees.
    String.raw`${HOME}\/\.(?!worktrees\/)[^\s/]+\/(?:(?!worktrees\/)[^\s/]+\/){0,2}\.?(?:credentials?|auth|oauth_creds|tokens?|keys|cookies|logins|secrets?)${CODE}(?:[-_.][\w.-]*)?${END}`,
    String.raw`${HOME}\/\.(?:npmrc|yarnrc\.yml|env|databrickscfg|s3cfg|boto|my\.cnf|\w+_history|oci\/config|m2\/settings\.xml|gradle\/gradle\.properties|fly\/config\.yml)${END}`,
    String.raw`${HOME}\/\.(?:docker\/config\.json|config\/(?:gh|gcloud|git\/credentials|github-copilot|hub|rclone|op|sops|ngrok|solana\/id\.json)|azure\/|local\/share\/keyrings)(?![\w-])`,
    String.raw`(?:Chrome|Chromium|Edge|Brave|Safari|Firefox|Mozilla)[^\n]{0,300}\/(?:Cookies|Login Data|logins\.json|cookies\.sqlite|key4\.db)(?![\w/])`,
    String.raw`\/proc\/[^\s/]+\/(?:task\/[^\s/]+\/)?environ\b`,
    String.raw`\/Library\/Keychains(?![\w-])|\.keychain(?:-db)?(?![\w-])`,
    // A pattern of the shell that finds such a folder or file without its name.
    String.raw`${HOME}\/\.[^\s/]*[*?[{]`,
    String.raw`(?<![\w.-])id_(?:r|rs|e|ed\w*|ec\w*)?[*?[{]`,
    String.raw`(?<![\w.-])id_(?:rsa|ed25519|ecdsa)(?![\w.-])`,
    String.raw`\/etc\/shadow\b`,
    String.raw`\/sallyport\/(?:state\/)?(?:logins\/|(?:judge-)?key(?![\w./-]))`,
    // The key of the judge in the keychain.
    String.raw`(?<![\w.-])sallyport-judge(?![\w./-])`,
  ].join('|'),
  'i',
);

/** Folders that hold such files further down, as a Locator spells them. */
const ABOVE = new RegExp(
  [
    String.raw`^(?:\/|[a-z]:|\/(?:home|Users|mnt|etc|proc(?:\/[^/]+)?)|\/mnt\/[a-z](?:\/Users)?|[a-z]:\/Users|\.\.(?:\/\.\.)*)$`,
    String.raw`^\/home\/user(?:\/(?:\.config(?:\/(?:solana|composer|google-chrome|chromium))?|\.local(?:\/(?:share(?:\/opencode)?|state(?:\/sallyport(?:\/state)?)?))?|\.cache(?:\/huggingface)?|Library(?:\/Application Support)?|\.(?:docker|cargo|terraform\.d|claude|codex|gemini|oci|m2|gradle|gem|pulumi|fly|mozilla|azure)))?$`,
  ].join('|'),
  'i',
);

/** A last name that can be one of many, hidden ones or those of a system too. */
const ANY_NAME = /^(?:.*\/)?([.L]?[*?[{][^/]*)$/i;

/** Checks that a folder may contain guarded files. One above an unknown folder may be the home folder. */
export function isAboveGuarded(located: string): boolean {
  const last = ANY_NAME.exec(located)?.[1];
  const folder = last === undefined ? located : located.slice(0, -last.length).replace(/(?<=.)\/$/, '');
  return ABOVE.test(folder);
}
