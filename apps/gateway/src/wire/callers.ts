import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { Config } from '../operate/config.ts';
import type { Log } from '../operate/log.ts';
import { Callers } from '../serve/auth/auth.ts';
import { KeyLookups } from '../serve/auth/key-lookups.ts';
import { TokenVerifier } from '../serve/auth/token.ts';
import { LoginProvider, type Person } from '../serve/login/provider.ts';
import type { LoginOptions } from '../serve/login/routes.ts';
import { findWorkspace } from '../store/workspaces.ts';
import type { Failures } from './failures.ts';
import type { Stores } from './stores.ts';

/** Identifies callers by API keys and, if an issuer is configured, by its tokens. */
export function createCallers(config: Config, { keys, logins, database }: Stores, fetch: GuardedFetch): Callers {
  const { tokens, publicUrl } = config;
  const verifier =
    tokens === undefined
      ? undefined
      : new TokenVerifier({
          issuer: tokens.issuer,
          audience: publicUrl,
          keys: { type: 'url', url: tokens.jwksUrl, fetch },
          claims: { workspace: tokens.workspaceClaim, scopes: tokens.scopesClaim, groups: tokens.groupsClaim },
        });
  return new Callers({
    keys: new KeyLookups(keys),
    logins: config.login === undefined ? undefined : logins,
    tokens: verifier,
    groups: config.groups,
    workspaceOf: (name) => findWorkspace(database, name),
  });
}

/** Why a person has no access, for the operator. Their groups are not named. */
function whyNoRole(claim: string, { lacksGroups }: Person, missing: string | undefined): string {
  if (missing !== undefined) return `SALLYPORT_OIDC_GROUPS names the workspace ${missing}, which does not exist`;
  if (lacksGroups) return `neither the token nor userinfo has the claim \`${claim}\`; SALLYPORT_OIDC_SCOPE may need it`;
  return `SALLYPORT_OIDC_GROUPS gives the groups in the claim \`${claim}\` no access`;
}

/** The login of people, if a provider is configured. */
export function createLogin(
  config: Config,
  { logins, rates, database }: Stores,
  fetch: GuardedFetch,
  { onError }: Failures,
  log: Log,
): LoginOptions | undefined {
  const { login: setting, publicUrl, groups } = config;
  if (setting === undefined) return undefined;
  return {
    provider: new LoginProvider({ setting, redirectUri: `${publicUrl}/login/callback`, fetch }),
    logins,
    rates,
    groups,
    keys: config.keysFor('login attempts'),
    publicUrl,
    workspaceOf: (name) => findWorkspace(database, name),
    onError,
    onNoRole: (person, missing) => {
      const { subject } = person;
      log.warn(`login without access: ${whyNoRole(setting.groupsClaim, person, missing)}`, { subject });
    },
  };
}
