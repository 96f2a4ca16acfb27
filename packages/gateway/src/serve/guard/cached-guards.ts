import type { Caller } from '../../store/secrets/keys.ts';
import type { PrincipalGuards } from './principal-guards.ts';

interface Entry {
  readonly version: string;
  readonly guards: Promise<PrincipalGuards>;
}

export interface CachedGuardsOptions {
  /** Names the policy and thresholds of a workspace: guards of another version are created anew. */
  readonly versionOf: (workspace: string) => Promise<string>;
  readonly create: (caller: Caller) => Promise<PrincipalGuards>;
  /** Principals to keep. The others are restored from their logs. @default 2000 */
  readonly max?: number;
}

const MAX_COUNT = 2000;

/** The guards of the principals that called most recently. */
export class CachedGuards {
  readonly #options: CachedGuardsOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: CachedGuardsOptions) {
    this.#options = options;
  }

  async get(caller: Caller): Promise<PrincipalGuards> {
    const { versionOf, create, max = MAX_COUNT } = this.#options;
    const key = JSON.stringify([caller.workspace, caller.principal]);
    const version = await versionOf(caller.workspace);
    const found = this.#entries.get(key);
    const entry = found?.version === version ? found : { version, guards: create(caller) };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    // The caller gets the error; the next one tries again.
    entry.guards.catch(() => this.#entries.delete(key));
    if (this.#entries.size > max) this.#entries.delete(this.#entries.keys().next().value as string);
    return entry.guards;
  }
}
