import { canonicalJson, digestText } from '@sallyport/core/adapter';
import { type Definition, definitionDigest, type PinStore, type Pins } from '@sallyport/mcp-proxy';
import type { Bus } from '../../cache/bus.ts';
import { CachedValue } from '../../cache/cached-value.ts';
import type { Lister } from '../../store/pins/held-rows.ts';
import { type HeldPin, heldFor, heldTools, type PinBook } from '../../store/pins/pins.ts';

/** The pinned and held definitions of one server. */
interface PinState {
  readonly pins: Pins | undefined;
  /** Digest of the pins. */
  readonly digest: string;
  readonly held: readonly HeldPin[];
}

/** The pins of all servers, cached for at most a second, so that a call needs no query. */
export class PinViews {
  readonly #book: PinBook;
  readonly #states: CachedValue<PinState>;

  constructor(book: PinBook, bus: Bus) {
    this.#book = book;
    this.#states = new CachedValue(bus, 'pins', async (key) => {
      const [workspace, server] = JSON.parse(key) as [string, string];
      const [pins, held] = await Promise.all([book.store(workspace, server).load(), book.held(workspace)]);
      const digest = digestText(canonicalJson(pins ?? null));
      return { pins, digest, held: held.filter((each) => each.server === server) };
    });
  }

  #state(workspace: string, server: string): Promise<PinState> {
    return this.#states.get(JSON.stringify([workspace, server]));
  }

  /** Changes with every change of the pins, and of what is held for a principal. */
  async revision(workspace: string, server: string, principal: string): Promise<string> {
    const { digest: pinned, held } = await this.#state(workspace, server);
    const own = heldFor(held, server, principal).map(({ digest, rejectedBy = null }) => [digest, rejectedBy]);
    return digestText(canonicalJson([pinned, own]));
  }

  /** The digest of the definition that is accepted for a tool; undefined if none is. */
  async definitions(workspace: string, server: string): Promise<(tool: string) => string | undefined> {
    const { pins } = await this.#state(workspace, server);
    const tools = pins?.tools ?? {};
    return (tool) => (Object.hasOwn(tools, tool) ? definitionDigest(tools[tool] as Definition) : undefined);
  }

  store(workspace: string, server: string, lister: Lister): PinStore {
    const book = this.#book.store(workspace, server, lister);
    return {
      ...book,
      load: async () => (await this.#state(workspace, server)).pins,
      waits: async (tool) => {
        const { held } = await this.#state(workspace, server);
        const heldAs = heldTools(held, server, lister.principal).get(tool);
        return heldAs === 'rejected' ? heldAs : heldAs !== undefined;
      },
    };
  }

  close(): void {
    this.#states.close();
  }
}
