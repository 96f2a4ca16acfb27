import { SCOPES, type Scope } from '../store/secrets/keys.ts';
import { AddressRules } from '../upstream/address.ts';
import { ConfigError, type Environment, readAll } from './config-error.ts';
import { checkUrl, required, textOf, WEB } from './environment.ts';

interface TokenSetting {
  readonly issuer: string;
  readonly jwksUrl: string;
  readonly workspaceClaim: string;
  readonly scopesClaim: string;
  /** Undefined: groups do not count. */
  readonly groupsClaim: string | undefined;
}

/** The provider where people log in. */
export interface LoginSetting {
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined: a public client. */
  readonly clientSecret: string | undefined;
  /** The requested scopes, separated by blanks. */
  readonly scope: string;
  readonly groupsClaim: string;
}

/** The rights of a group's members, by the name of the group. */
export type GroupRoles = Readonly<
  Record<string, { readonly workspace: string; readonly scopes: readonly [Scope, ...Scope[]] }>
>;

export interface Identity {
  readonly tokens: TokenSetting | undefined;
  readonly login: LoginSetting | undefined;
  readonly groups: GroupRoles;
}

function tokensIn(environment: Environment): TokenSetting | undefined {
  const issuer = environment.SALLYPORT_JWT_ISSUER ?? '';
  if (issuer === '') return undefined;
  const jwksUrl = required(environment, 'SALLYPORT_JWT_JWKS_URL', "set it to the URL of the issuer's key set");
  checkUrl('SALLYPORT_JWT_JWKS_URL', jwksUrl, WEB);
  return {
    issuer,
    jwksUrl,
    workspaceClaim: environment.SALLYPORT_JWT_WORKSPACE_CLAIM || 'workspace',
    scopesClaim: environment.SALLYPORT_JWT_SCOPES_CLAIM || 'scope',
    groupsClaim: environment.SALLYPORT_JWT_GROUPS_CLAIM || undefined,
  };
}

/** A group as `SALLYPORT_OIDC_GROUPS` has it, with nothing that is not known: a misspelt scope must not be dropped silently. */
function isRole(value: unknown): value is GroupRoles[string] {
  const { workspace, scopes, ...rest } = (value ?? {}) as { readonly workspace?: unknown; readonly scopes?: unknown };
  const isNamed = typeof workspace === 'string' && /^[a-z0-9-]{1,40}$/.test(workspace);
  const isScoped = Array.isArray(scopes) && scopes.length > 0 && scopes.every((scope) => SCOPES.includes(scope));
  return isNamed && isScoped && Object.keys(rest).length === 0;
}

function groupsIn({ SALLYPORT_OIDC_GROUPS: text }: Environment): GroupRoles {
  if (text === undefined || text === '') return {};
  const invalid = new ConfigError(
    `SALLYPORT_OIDC_GROUPS must be JSON of the form {"group": {"workspace": "acme", "scopes": ["approve:own"]}}, with scopes of ${SCOPES.join(', ')}.`,
  );
  let table: unknown;
  try {
    table = JSON.parse(text);
  } catch {
    throw invalid;
  }
  if (typeof table !== 'object' || table === null || Array.isArray(table)) throw invalid;
  if (!Object.values(table).every(isRole)) throw invalid;
  return table as GroupRoles;
}

/** Checks that browsers keep a cookie that needs a secure connection. */
function isSecure(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === 'https:' || hostname === 'localhost' || hostname === '127.0.0.1';
}

function issuerIn({ SALLYPORT_OIDC_ISSUER: issuer = '' }: Environment, open: readonly string[]): string {
  try {
    new AddressRules({ open }).checkUrl(issuer);
  } catch (cause) {
    throw new ConfigError('SALLYPORT_OIDC_ISSUER must be an https:// URL, or one that SALLYPORT_OPEN allows.', {
      cause,
    });
  }
  return issuer;
}

function checkAudience(clientId: string, publicUrl: string): void {
  if (clientId === publicUrl)
    throw new ConfigError(
      'SALLYPORT_OIDC_CLIENT_ID must not be SALLYPORT_PUBLIC_URL, which is the audience of access tokens: register another id.',
    );
}

function checkCookies(publicUrl: string): void {
  if (!isSecure(publicUrl))
    throw new ConfigError('SALLYPORT_PUBLIC_URL must begin with https:// where people log in: their cookies need it.');
}

function loginIn(
  environment: Environment,
  publicUrl: () => string,
  open: () => readonly string[],
): LoginSetting | undefined {
  return readAll((read) => {
    const clientSecret = read(() => textOf(environment, 'SALLYPORT_OIDC_CLIENT_SECRET') || undefined);
    const scope = environment.SALLYPORT_OIDC_SCOPE || 'openid';
    const groupsClaim = environment.SALLYPORT_OIDC_GROUPS_CLAIM || 'groups';
    if ((environment.SALLYPORT_OIDC_ISSUER ?? '') === '') return () => undefined;
    const issuer = read(() => issuerIn(environment, open()));
    const clientId = read(() =>
      required(environment, 'SALLYPORT_OIDC_CLIENT_ID', 'set it to the id that the issuer has given'),
    );
    read(() => checkAudience(clientId(), publicUrl()));
    read(() => checkCookies(publicUrl()));
    return () => ({ issuer: issuer(), clientId: clientId(), clientSecret: clientSecret(), scope, groupsClaim });
  });
}

/** A subject is unique for its issuer alone: with two issuers, one name could be two people. */
function checkIssuers(tokens: TokenSetting | undefined, login: LoginSetting | undefined): void {
  if (tokens !== undefined && login !== undefined && tokens.issuer !== login.issuer)
    throw new ConfigError('SALLYPORT_OIDC_ISSUER must be the same as SALLYPORT_JWT_ISSUER, if both are set.');
}

/** How callers are known, in addition to API keys. */
export function identityIn(environment: Environment, publicUrl: () => string, open: () => readonly string[]): Identity {
  return readAll((read) => {
    const tokens = read(() => tokensIn(environment));
    const login = read(() => loginIn(environment, publicUrl, open));
    read(() => checkIssuers(tokens(), login()));
    const groups = read(() => groupsIn(environment));
    return () => ({ tokens: tokens(), login: login(), groups: groups() });
  });
}
