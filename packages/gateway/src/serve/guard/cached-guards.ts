import type { Caller } from '../../store/secrets/keys.ts';
import type { Premises } from './principal-guards.ts';

interface Kept {
  readonly version: string;
  readonly premises: Promise<Premises>;
}

export interface ResidentsOptions {
  /** Names what the premises are made from: another one means that they are made anew. */
  readonly versionOf: (workspace: string) => Promise<string>;
  readonly make: (caller: Caller) => Promise<Premises>;
  /** Principals that are kept. The others come back by their logs. @default 2000 */
  readonly most?: number;
}

const MAX_COUNT = 2000;

/** The premises of principals, those used last. */
export class Residents {
  readonly #options: ResidentsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: ResidentsOptions) {
    this.#options = options;
  }

  async of(caller: Caller): Promise<Premises> {
    const { versionOf, make, most = MAX_COUNT } = this.#options;
    const key = JSON.stringify([caller.workspace, caller.principal]);
    const version = await versionOf(caller.workspace);
    const known = this.#kept.get(key);
    const kept = known?.version === version ? known : { version, premises: make(caller) };
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    kept.premises.catch(() => this.#kept.delete(key));
    if (this.#kept.size > most) this.#kept.delete(this.#kept.keys().next().value as string);
    return kept.premises;
  }
}
