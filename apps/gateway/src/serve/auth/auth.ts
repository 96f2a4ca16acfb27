import type { GroupRoles } from '../../operate/identity.ts';
import type { Caller } from '../../store/secrets/keys.ts';
import { SCOPES, type Scope } from '../../store/secrets/keys.ts';
import type { Logins } from '../../store/secrets/logins.ts';
import { rolesOf } from './groups.ts';
import type { KeyLookups } from './key-lookups.ts';
import type { TokenVerdict, TokenVerifier } from './token.ts';

type Verified = Extract<TokenVerdict, { readonly type: 'verified' }>;

/** The caller, or why they could not be identified. */
export type Identified =
  | { readonly type: 'caller'; readonly caller: Caller }
  /** Credentials that are missing, wrong, expired or revoked. Callers do not learn which. */
  | { readonly type: 'unknown' }
  /** The client has tried too many unknown keys. `wait` is in milliseconds. */
  | { readonly type: 'limited'; readonly wait: number }
  /** The credentials cannot be checked at the moment. */
  | { readonly type: 'unavailable'; readonly cause: unknown };

export interface CallersOptions {
  readonly keys: Pick<KeyLookups, 'find'>;
  /** Verifies tokens; undefined if only keys are accepted. */
  readonly tokens: TokenVerifier | undefined;
  /** The sessions of people; undefined if no provider is configured. */
  readonly logins?: Pick<Logins, 'find'> | undefined;
  /** The roles of groups. @default {} */
  readonly groups?: GroupRoles;
  /** The id of the workspace that a token names, by its name or id. */
  readonly workspaceOf: (name: string) => Promise<string | undefined>;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,16384})$/i;
const UNKNOWN = { type: 'unknown' } as const;

interface Role {
  readonly workspace: string;
  readonly scopes: ReadonlySet<string>;
}

/**
 * The scopes of a token. If groups have roles, they are those of the groups: all if the token lists none,
 * otherwise those that both allow, so that the token of an agent does not get everything that its person may do.
 */
function roleOf({ workspace, scopes, groups }: Verified, roles: GroupRoles): Role | undefined {
  // Without roles, groups only say which servers are reached.
  if (groups === undefined || Object.keys(roles).length === 0)
    return workspace === undefined || scopes === undefined ? undefined : { workspace, scopes };
  const found = rolesOf(roles, groups);
  const [only] = found.size === 1 ? found.keys() : [];
  const name = workspace ?? only;
  if (name === undefined) return undefined;
  const allowed = [...(found.get(name) ?? [])].filter((scope) => scopes?.has(scope) ?? true);
  return { workspace: name, scopes: new Set(allowed) };
}

/** Identifies callers by a key of the gateway or a token of the organisation's issuer. */
export class Callers {
  readonly #options: CallersOptions;

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  /**
   * `client` is the address that unknown keys are counted for. `session` is the secret of a person's session, which counts only
   * without an `authorization`. @default client '', and no session
   */
  async identify(authorization: string | null, client = '', session?: string): Promise<Identified> {
    const text = BEARER.exec(authorization ?? '')?.[1];
    try {
      if (authorization === null && session !== undefined) return await this.#bySession(session);
      if (text === undefined) return UNKNOWN;
      return await (text.startsWith('sp_') ? this.#options.keys.find(text, client) : this.#byToken(text));
    } catch (cause) {
      return { type: 'unavailable', cause };
    }
  }

  async #bySession(session: string): Promise<Identified> {
    const caller = await this.#options.logins?.find(session);
    return caller === undefined ? UNKNOWN : { type: 'caller', caller };
  }

  async #byToken(text: string): Promise<Identified> {
    const verdict = await this.#options.tokens?.verify(text);
    if (verdict === undefined || verdict.type === 'refused') return UNKNOWN;
    if (verdict.type === 'unavailable') return verdict;
    const role = roleOf(verdict, this.#options.groups ?? {});
    const workspace = role === undefined ? undefined : await this.#options.workspaceOf(role.workspace);
    if (role === undefined || workspace === undefined) return UNKNOWN;
    const scopes = new Set(SCOPES.filter((scope): scope is Scope => role.scopes.has(scope)));
    const { principal, groups = [] } = verdict;
    // The prefix keeps a token's subject apart from the principal of a key.
    return { type: 'caller', caller: { workspace, principal: `sub:${principal}`, scopes, groups } };
  }
}
