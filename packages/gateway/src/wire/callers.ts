import type { GuardedFetch } from '@sallyport/mcp-proxy/http';
import type { Config } from '../operate/config.ts';
import { Callers } from '../serve/auth/auth.ts';
import { KeyLookups } from '../serve/auth/key-lookups.ts';
import { TokenVerifier } from '../serve/auth/token.ts';
import { findWorkspace } from '../store/workspaces.ts';
import type { Stores } from './stores.ts';

/** Identifies callers by API keys and, if an issuer is configured, by its tokens. */
export function createCallers(config: Config, { keys, database }: Stores, fetch: GuardedFetch): Callers {
  const { tokens, publicUrl } = config;
  const verifier =
    tokens === undefined
      ? undefined
      : new TokenVerifier({
          issuer: tokens.issuer,
          audience: publicUrl,
          keys: { type: 'url', url: tokens.jwksUrl, fetch },
          claims: { workspace: tokens.workspaceClaim, scopes: tokens.scopesClaim },
        });
  return new Callers({
    keys: new KeyLookups(keys),
    tokens: verifier,
    workspaceOf: (name) => findWorkspace(database, name),
  });
}
