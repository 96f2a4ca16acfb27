import type { Caller, Keys } from '../../store/secrets/keys.ts';
import { SCOPES, type Scope } from '../../store/secrets/keys.ts';
import type { TokenVerifier } from './token.ts';

/** Who asks, or why nobody knows. */
export type Identified =
  | { readonly type: 'caller'; readonly caller: Caller }
  /** No credentials, wrong ones, or ones that do not count any more: which, is not said. */
  | { readonly type: 'unknown' }
  /** Nobody can tell at the moment. */
  | { readonly type: 'unavailable' };

export interface CallersOptions {
  readonly keys: Keys;
  /** @default undefined: keys alone */
  readonly tokens: TokenVerifier | undefined;
  /** The id of a workspace by its name or id, as a token names it. */
  readonly workspaceOf: (name: string) => Promise<string | undefined>;
}

const BEARER = /^Bearer +([\w.~+/=-]{1,16384})$/i;
const UNKNOWN = { type: 'unknown' } as const;

/** Finds out who asks, by a key of the gateway's or a token of the organisation's. */
export class Callers {
  readonly #options: CallersOptions;

  constructor(options: CallersOptions) {
    this.#options = options;
  }

  async identify(authorization: string | null): Promise<Identified> {
    const text = BEARER.exec(authorization ?? '')?.[1];
    if (text === undefined) return UNKNOWN;
    try {
      if (!text.startsWith('sp_')) return await this.#byToken(text);
      const caller = await this.#options.keys.find(text);
      return caller === undefined ? UNKNOWN : { type: 'caller', caller };
    } catch {
      return { type: 'unavailable' };
    }
  }

  async #byToken(text: string): Promise<Identified> {
    const verdict = await this.#options.tokens?.verify(text);
    if (verdict === undefined || verdict.type === 'refused') return UNKNOWN;
    if (verdict.type === 'unavailable') return verdict;
    const workspace = await this.#options.workspaceOf(verdict.workspace);
    if (workspace === undefined) return UNKNOWN;
    const scopes = new Set(SCOPES.filter((scope): scope is Scope => verdict.scopes.has(scope)));
    // A token's subject cannot be taken for the principal of a key.
    return { type: 'caller', caller: { workspace, principal: `sub:${verdict.principal}`, scopes } };
  }
}
