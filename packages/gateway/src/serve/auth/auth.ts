import type { Caller } from '../../store/secrets/keys.ts';
import { SCOPES, type Scope } from '../../store/secrets/keys.ts';
import type { KeyLookups } from './key-lookups.ts';
import type { TokenVerifier } from './token.ts';

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
  /** The id of the workspace that a token names, by its name or id. */
  readonly workspaceOf: (name: string) => Promise<string | undefined>;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,16384})$/i;
const UNKNOWN = { type: 'unknown' } as const;

/** Identifies callers by a key of the gateway or a token of the organisation's issuer. */
export class Callers {
  readonly #options: CallersOptions;

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  /** `client` is the address that unknown keys are counted for. @default '' */
  async identify(authorization: string | null, client = ''): Promise<Identified> {
    const text = BEARER.exec(authorization ?? '')?.[1];
    if (text === undefined) return UNKNOWN;
    try {
      return await (text.startsWith('sp_') ? this.#options.keys.find(text, client) : this.#byToken(text));
    } catch (cause) {
      return { type: 'unavailable', cause };
    }
  }

  async #byToken(text: string): Promise<Identified> {
    const verdict = await this.#options.tokens?.verify(text);
    if (verdict === undefined || verdict.type === 'refused') return UNKNOWN;
    if (verdict.type === 'unavailable') return verdict;
    const workspace = await this.#options.workspaceOf(verdict.workspace);
    if (workspace === undefined) return UNKNOWN;
    const scopes = new Set(SCOPES.filter((scope): scope is Scope => verdict.scopes.has(scope)));
    // The prefix keeps a token's subject apart from the principal of a key.
    return { type: 'caller', caller: { workspace, principal: `sub:${verdict.principal}`, scopes } };
  }
}
