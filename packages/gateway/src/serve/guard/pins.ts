import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { PinStore, Pins } from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { CachedValue } from '../../cache/cached-value.ts';
import type { PinBook } from '../../store/pins.ts';

/** The pinned and held definitions of one server. */
interface PinState {
  readonly pins: Pins | undefined;
  readonly held: ReadonlySet<string>;
  /** Changes with every change of the pins. */
  readonly revision: string;
}

/** The pins of all servers, cached for at most a second, so that a call needs no query. */
export class PinViews {
  readonly #book: PinBook;
  readonly #states: CachedValue<PinState>;

  constructor(book: PinBook, bus: Bus) {
    this.#book = book;
    this.#states = new CachedValue(bus, 'pins', async (key) => {
      const [workspace, server] = JSON.parse(key) as [string, string];
      const [pins, waiting] = await Promise.all([book.store(workspace, server).load(), book.held(workspace)]);
      const own = waiting.filter((each) => each.server === server);
      const held = new Set(
        own.flatMap(({ held: each }) => (each.type === 'instructions' || each.type === 'flagged' ? [] : [each.tool])),
      );
      const content = [pins ?? null, own.map(({ digest }) => digest)];
      return { pins, held, revision: digestText(canonicalJson(content)) };
    });
  }

  #state(workspace: string, server: string): Promise<PinState> {
    return this.#states.get(JSON.stringify([workspace, server]));
  }

  async revision(workspace: string, server: string): Promise<string> {
    return (await this.#state(workspace, server)).revision;
  }

  store(workspace: string, server: string): PinStore {
    const book = this.#book.store(workspace, server);
    return {
      ...book,
      load: async () => (await this.#state(workspace, server)).pins,
      waits: async (tool) => (await this.#state(workspace, server)).held.has(tool),
    };
  }

  close(): void {
    this.#states.close();
  }
}
