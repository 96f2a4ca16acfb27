import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { PinStore, Pins } from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { Fresh } from '../../cache/cached-value.ts';
import type { PinBook } from '../../store/pins.ts';

/** What is pinned and held of one server, as of a moment ago. */
interface PinState {
  readonly pins: Pins | undefined;
  readonly held: ReadonlySet<string>;
  /** Another one where anything has changed. */
  readonly revision: string;
}

/** The pins of all servers as proxies ask for them, at most a second old: a call is not to cost a question to the database. */
export class PinViews {
  readonly #book: PinBook;
  readonly #fresh: Fresh<PinState>;

  constructor(book: PinBook, bus: Bus) {
    this.#book = book;
    this.#fresh = new Fresh(bus, 'pins', async (key) => {
      const [workspace, server] = JSON.parse(key) as [string, string];
      const [pins, waiting] = await Promise.all([book.store(workspace, server).load(), book.held(workspace)]);
      const own = waiting.filter((each) => each.server === server);
      const held = new Set(own.flatMap(({ held: each }) => (each.type === 'instructions' ? [] : [each.tool])));
      const said = [pins ?? null, own.map(({ digest }) => digest)];
      return { pins, held, revision: digestText(canonicalJson(said)) };
    });
  }

  #state(workspace: string, server: string): Promise<PinState> {
    return this.#fresh.get(JSON.stringify([workspace, server]));
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
    this.#fresh.close();
  }
}
