import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { HeldAs, PinStore, Pins } from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { CachedValue } from '../../cache/cached-value.ts';
import type { HeldPin, PinBook } from '../../store/pins.ts';

/** The pinned and held definitions of one server. */
interface PinState {
  readonly pins: Pins | undefined;
  /** Why calls of a tool are refused. */
  readonly held: ReadonlyMap<string, HeldAs>;
  /** Changes with every change of the pins. */
  readonly revision: string;
}

/** The tool whose calls a held definition refuses. One that is only flagged may be called until a person rejects it. */
function refusedTool({ held, rejectedBy }: HeldPin): readonly (readonly [string, HeldAs])[] {
  if (held.type === 'instructions' || (held.type === 'flagged' && rejectedBy === undefined)) return [];
  return [[held.tool, rejectedBy === undefined ? 'waits' : 'rejected']];
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
      const held = new Map(own.flatMap(refusedTool));
      const content = [pins ?? null, own.map(({ digest, rejectedBy = null }) => [digest, rejectedBy])];
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
      waits: async (tool) => {
        const heldAs = (await this.#state(workspace, server)).held.get(tool);
        return heldAs === 'rejected' ? heldAs : heldAs !== undefined;
      },
    };
  }

  close(): void {
    this.#states.close();
  }
}
