import type { GuardThread } from './guard-thread.ts';
import { Placement, type PlacementOptions } from './placement.ts';
import type { RemotePrincipal } from './remote-principal.ts';

/** Limits of what a replica remembers, in characters. */
export interface MemoryLimits {
  readonly conversation: number;
  readonly principal: number;
  readonly workspace: number;
  readonly replica: number;
}

/** Bytes that a thread needs for a character that a conversation has read: the text, its words, and where they occur. */
const BYTES_PER_CHARACTER = 16;

/** Divides the memory of a replica, so that no conversation, principal or workspace takes all of it. */
export function memoryLimits(megabytes: number): MemoryLimits {
  const replica = Math.floor((megabytes * 1024 * 1024) / BYTES_PER_CHARACTER);
  return {
    conversation: Math.floor(replica / 8),
    principal: Math.floor(replica / 4),
    workspace: Math.floor(replica / 2),
    replica,
  };
}

export interface CachedPrincipalsOptions extends Omit<PlacementOptions, 'events'> {
  readonly memory: MemoryLimits;
  /** Principals to keep. @default 2000 */
  readonly max?: number;
  /** Called when a thread was ended, with the reason. */
  readonly onLost: (reason: 'overrun' | 'crashed') => void;
}

interface Entry {
  readonly cached: RemotePrincipal;
  /** Names the settings that the memory depends on. */
  readonly version: string;
}

const MAX_COUNT = 2000;

/** The principals that called most recently. What the others have read is in the log. */
export class CachedPrincipals {
  readonly #options: CachedPrincipalsOptions;
  readonly #placement: Placement;
  readonly #entries = new Map<string, Entry>();
  readonly #keys = new Map<number, string>();

  constructor(options: CachedPrincipalsOptions) {
    this.#options = options;
    this.#placement = new Placement({
      ...options,
      events: {
        onLost: (thread, culprit) => this.#lose(thread, culprit),
        onUsed: (_thread, principal, milliseconds, characters) => this.#use(principal, milliseconds, characters),
      },
    });
  }

  /** Characters of the messages that are being checked. */
  get bytes(): number {
    return this.#placement.bytes;
  }

  /** Characters that all principals remember. */
  get characters(): number {
    return this.#sum(() => true);
  }

  /**
   * The principal, in the thread it belongs to now that it sends a message of this length. Created anew if its memory depends on
   * other settings than before.
   */
  get(
    key: string,
    { version, length }: { readonly version: string; readonly length: number },
    create: (thread: GuardThread) => RemotePrincipal,
  ): RemotePrincipal {
    const thread = this.#placement.threadFor(key, length);
    const found = this.#entries.get(key);
    const isCurrent = found?.version === version && found.cached.thread === thread;
    if (found !== undefined && !isCurrent) this.#drop(key);
    const entry = isCurrent ? found : { version, cached: create(thread) };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#keys.set(entry.cached.number, key);
    if (this.#entries.size > (this.#options.max ?? MAX_COUNT)) this.#dropOldest(() => true);
    return entry.cached;
  }

  async close(): Promise<void> {
    await this.#placement.close();
  }

  #use(principal: number, milliseconds: number, characters: number): void {
    const key = this.#keys.get(principal);
    const cached = key === undefined ? undefined : this.#entries.get(key)?.cached;
    if (key === undefined || cached?.number !== principal) return;
    this.#placement.recordWork(key, milliseconds);
    cached.characters = characters;
    const { memory } = this.#options;
    const isNeighbour = ({ workspace }: RemotePrincipal): boolean => workspace === cached.workspace;
    while (this.#sum(isNeighbour) > memory.workspace) if (!this.#dropOldest(isNeighbour)) break;
    while (this.#sum(() => true) > memory.replica) if (!this.#dropOldest(() => true)) break;
  }

  #sum(isCounted: (cached: RemotePrincipal) => boolean): number {
    let sum = 0;
    for (const { cached } of this.#entries.values()) if (isCounted(cached)) sum += cached.characters;
    return sum;
  }

  /** Drops the principal that called least recently. False if there is only one. */
  #dropOldest(isEligible: (cached: RemotePrincipal) => boolean): boolean {
    const eligible = [...this.#entries].filter(([, { cached }]) => isEligible(cached));
    const [oldest] = eligible;
    if (oldest === undefined || eligible.length === 1) return false;
    this.#drop(oldest[0]);
    return true;
  }

  #drop(key: string): void {
    const cached = this.#entries.get(key)?.cached;
    this.#entries.delete(key);
    if (cached === undefined) return;
    this.#keys.delete(cached.number);
    cached.drop();
  }

  /** A principal that took too long is moved: the others of its thread come back to a new one without it. */
  #lose(thread: GuardThread, culprit: number | undefined): void {
    const key = culprit === undefined ? undefined : this.#keys.get(culprit);
    if (key !== undefined) this.#placement.recordWork(key, this.#options.turnLimit);
    for (const [each, { cached }] of [...this.#entries]) if (cached.thread === thread) this.#drop(each);
    this.#options.onLost(culprit === undefined ? 'crashed' : 'overrun');
  }
}
