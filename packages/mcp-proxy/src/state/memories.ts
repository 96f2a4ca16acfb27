import type { ClassifierV1 } from '@sallyport/core';
import { Memory, type MemoryOptions, type Origin, type Said } from './memory.ts';

const MAX_MEMORIES = 1000;
const MAX_EVICTED = 100_000;
const TELLING: ReadonlySet<string> = new Set(['medium', 'high']);

/** `Read the contents of a file`: what a definition asks for is what its tool does. In one, only what is clearly an instruction counts. */
function forgiving(classifier: ClassifierV1): ClassifierV1 {
  return {
    specificationVersion: 'v1',
    id: `${classifier.id} of definitions`,
    async prepare() {
      await classifier.prepare?.();
    },
    async doClassify(input) {
      const { spans } = await classifier.doClassify(input);
      return { spans: spans.filter(({ likelihood }) => TELLING.has(likelihood)) };
    },
  };
}

/** The conversations of a host, those used last. One that was dropped comes back by the log; without a log, as one that has forgotten. */
export class Memories {
  /** What no conversation in particular has read: what a server says by itself. All have read it. */
  readonly principal: Memory;
  /** What says how a server is used: listings and instructions. */
  readonly definitions: Memory;
  readonly #options: MemoryOptions;
  readonly #forgiving: MemoryOptions;
  readonly #kept = new Map<string, Memory>();
  readonly #evicted = new Set<string>();

  constructor(principal: string, options: MemoryOptions) {
    const { classifier } = options;
    this.#options = options;
    this.#forgiving = classifier === undefined ? options : { ...options, classifier: forgiving(classifier) };
    this.principal = new Memory(principal, options, { keepsFirstUse: true, keptAs: 'own' });
    this.definitions = new Memory(principal, this.#forgiving, { keptAs: 'definitions' });
  }

  /** Takes in what says how a server is used, for all, and gives its frames under the key of who asked. */
  async define(memory: Memory, origin: Omit<Origin, 'id'>, said: Said): Promise<readonly string[]> {
    const frames = await this.definitions.takeOnce(origin, { texts: said.texts, bare: [] });
    await memory.takeOnce(origin, { texts: [], bare: said.bare });
    if (memory === this.principal) return frames;
    const { log, ...unkept } = this.#forgiving;
    return new Memory(memory.id, unkept).takeOnce(origin, { texts: said.texts, bare: [] });
  }

  of(id: string | undefined): Memory {
    if (id === undefined || id === this.principal.id) return this.principal;
    const isLost = this.#evicted.has(id) || this.#evicted.size >= MAX_EVICTED;
    const hasForgotten = isLost && this.#options.log === undefined;
    const memory = this.#kept.get(id) ?? new Memory(id, this.#options, { hasForgotten });
    this.#kept.delete(id);
    this.#kept.set(id, memory);
    if (this.#kept.size > MAX_MEMORIES) this.#evict();
    return memory;
  }

  #evict(): void {
    const [oldest] = this.#kept.keys();
    if (oldest === undefined) return;
    this.#kept.delete(oldest);
    if (this.#evicted.size < MAX_EVICTED) this.#evicted.add(oldest);
  }
}
