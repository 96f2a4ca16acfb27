import type { ClassifierV1 } from '@sallyport/core';
import { DefinitionCheck } from './definition-check.ts';
import { Memory, type MemoryOptions, type Origin, type ReadContent } from './memory.ts';

const MAX_MEMORIES = 1000;
const MAX_EVICTED = 100_000;
const INSTRUCTION_LEVELS: ReadonlySet<string> = new Set(['medium', 'high']);

/**
 * A classifier for definitions. They are written in the imperative (`Read the contents of a file`), so only clear
 * instructions count.
 */
function forDefinitions(classifier: ClassifierV1): ClassifierV1 {
  return {
    specificationVersion: 'v1',
    id: `${classifier.id} of definitions`,
    async prepare() {
      await classifier.prepare?.();
    },
    async doClassify(input) {
      const { spans } = await classifier.doClassify(input);
      return { spans: spans.filter(({ likelihood }) => INSTRUCTION_LEVELS.has(likelihood)) };
    },
  };
}

/**
 * The conversations of a host. The least recently used one is evicted when there are too many. It is restored from the
 * log, or without a log it asks about every effect.
 *
 * @example
 * ```ts
 * const memories = new Memories('ann', { key, classifier, randomId: randomUUID });
 * const mail = createGuard({ server: 'mail', principal: 'ann', memories, key, pins, randomId: randomUUID });
 * ```
 */
export class Memories {
  /**
   * Content that belongs to no single conversation, such as a server's notifications. It counts as read by all of them.
   */
  readonly principal: Memory;
  /** Tool listings and server instructions. */
  readonly definitions: Memory;
  readonly #options: MemoryOptions;
  readonly #forDefinitions: MemoryOptions;
  readonly #memories = new Map<string, Memory>();
  readonly #evicted = new Set<string>();
  readonly #check: DefinitionCheck;

  constructor(principal: string, options: MemoryOptions) {
    const { classifier } = options;
    this.#options = options;
    // The code of these frames depends on the content, so that a code that became known is of no use in another
    // definition.
    const keyed = { ...options, key: options.definitionsKey ?? options.key };
    this.#forDefinitions = classifier === undefined ? keyed : { ...keyed, classifier: forDefinitions(classifier) };
    this.#check = new DefinitionCheck(this.#forDefinitions);
    this.principal = new Memory(principal, options, { keepsFirstUse: true, keptAs: 'own' });
    this.definitions = new Memory(principal, this.#forDefinitions, { keptAs: 'definitions' });
  }

  /**
   * Records a definition for all conversations, and returns its frames under the key of the conversation that asked.
   */
  async define(memory: Memory, origin: Omit<Origin, 'id'>, content: ReadContent): Promise<readonly string[]> {
    const frames = await this.definitions.addOnce(origin, { texts: content.texts, bare: [] });
    await memory.addOnce(origin, { texts: [], bare: content.bare });
    if (memory === this.principal) return frames;
    const { log, ...unkept } = this.#forDefinitions;
    return new Memory(memory.id, unkept).addOnce(origin, { texts: content.texts, bare: [] });
  }

  /** True if the prose of a definition was checked and does not address the model. */
  isClean(texts: readonly string[]): Promise<boolean> {
    return this.#check.isClean(texts);
  }

  /** The conversation with an id, or the principal's if there is none. */
  of(id: string | undefined): Memory {
    if (id === undefined || id === this.principal.id) return this.principal;
    const isLost = this.#evicted.has(id) || this.#evicted.size >= MAX_EVICTED;
    const hasForgotten = isLost && this.#options.log === undefined;
    const memory = this.#memories.get(id) ?? new Memory(id, this.#options, { hasForgotten });
    this.#memories.delete(id);
    this.#memories.set(id, memory);
    const { maxReadTotal = Number.POSITIVE_INFINITY } = this.#options;
    const isFull = (): boolean => this.#memories.size > MAX_MEMORIES || this.characters > maxReadTotal;
    while (this.#memories.size > 1 && isFull()) this.#evict();
    return memory;
  }

  /** Characters that all conversations remember. */
  get characters(): number {
    let sum = this.principal.characters + this.definitions.characters;
    for (const { characters } of this.#memories.values()) sum += characters;
    return sum;
  }

  #evict(): void {
    const [oldest] = this.#memories.keys();
    if (oldest === undefined) return;
    this.#memories.delete(oldest);
    if (this.#evicted.size < MAX_EVICTED) this.#evicted.add(oldest);
  }
}
