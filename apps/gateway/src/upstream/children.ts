import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { type UpstreamAnswer, UpstreamError, type UpstreamMessage } from '@sallyport/mcp-proxy/http';
import type { Child, ProcessEvents, StartChild } from './process.ts';
import type { SharedRequest } from './shared.ts';
import { StdioUpstream } from './stdio.ts';

export interface ChildPoolOptions {
  /** Maximum number of processes. */
  readonly max: number;
  /** Maximum number of processes of one workspace. */
  readonly maxOfWorkspace: number;
  /** Milliseconds after which a child is ended that has no request and no listener. */
  readonly idle: number;
  /** @default the platform's */
  readonly timer?: Timer;
}

/** The processes of one server for one principal, or for all who share it. */
interface Slot {
  readonly workspace: string;
  readonly upstream: StdioUpstream;
  /** Removes it from its server. */
  readonly remove: () => void;
  processes: number;
  requests: number;
  listeners: number;
  idle: unknown;
}

export interface ServerChildrenOptions {
  readonly pool: ChildPool;
  readonly workspace: string;
  readonly start: StartChild;
  /** Lets all principals share one child. */
  readonly isStateless: boolean;
  onLog(line: string): void;
}

export interface ChildRequest extends SharedRequest {
  readonly principal: string;
}

const FULL =
  'All child processes that the gateway may have are in use: try again later, or ask the operator to raise SALLYPORT_MAX_CHILDREN.';

const WORKSPACE_FULL =
  'All child processes that your workspace may have are in use: try again later, or ask the operator to raise SALLYPORT_WORKSPACE_CHILDREN.';

/**
 * Limits the child processes of a replica and of each workspace. At a limit, one that is idle is ended: of the workspace that has
 * the most, the one that has been idle for longest.
 */
export class ChildPool {
  readonly #options: ChildPoolOptions;
  readonly #timer: Timer;
  /** In the order of their last use. */
  readonly #slots = new Set<Slot>();
  #processes = 0;
  readonly #processesOf = new Map<string, number>();

  constructor(options: ChildPoolOptions) {
    this.#options = options;
    this.#timer = options.timer ?? backgroundTimer;
  }

  /** A slot of its own for a child. Its processes are counted. */
  add({ workspace, start, onLog }: ServerChildrenOptions, remove: () => void): Slot {
    const upstream = new StdioUpstream({ start: (events) => this.#start(slot, start, events), onLog });
    const slot: Slot = { workspace, upstream, remove, processes: 0, requests: 0, listeners: 0, idle: undefined };
    return slot;
  }

  /** Marks a slot as used, until the returned function is called. */
  use(slot: Slot, what: 'requests' | 'listeners'): () => void {
    this.#timer.clear(slot.idle);
    this.#slots.delete(slot);
    this.#slots.add(slot);
    slot[what]++;
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      slot[what]--;
      if (slot.requests + slot.listeners > 0 || !this.#slots.has(slot)) return;
      slot.idle = this.#timer.set(() => void this.end(slot), this.#options.idle);
    };
  }

  /** Ends the processes of a slot, and its streams. */
  async end(slot: Slot): Promise<void> {
    this.#timer.clear(slot.idle);
    this.#slots.delete(slot);
    slot.remove();
    await slot.upstream.close();
  }

  async #start(slot: Slot, start: StartChild, events: ProcessEvents): Promise<Child> {
    await this.#takeRoom(slot);
    let isCounted = true;
    const gone = (): void => {
      if (isCounted) this.#count(slot, -1);
      isCounted = false;
    };
    try {
      return await start({
        onLine: (line) => events.onLine(line),
        onLog: (line) => events.onLog(line),
        onGone: () => {
          gone();
          events.onGone();
        },
      });
    } catch (cause) {
      gone();
      throw cause;
    }
  }

  #count(slot: Slot, change: number): void {
    this.#processes += change;
    slot.processes += change;
    const count = this.#ofWorkspace(slot.workspace) + change;
    if (count === 0) this.#processesOf.delete(slot.workspace);
    else this.#processesOf.set(slot.workspace, count);
  }

  #ofWorkspace(workspace: string): number {
    return this.#processesOf.get(workspace) ?? 0;
  }

  /** Counts a new process as soon as there is room for it: requests that arrive at once must not take the same room. */
  async #takeRoom(slot: Slot): Promise<void> {
    for (let refusal = this.#refusalOf(slot); refusal !== undefined; refusal = this.#refusalOf(slot)) {
      const idle = this.#idleFor(slot, refusal);
      if (idle === undefined) throw new UpstreamError('busy', refusal);
      await this.end(idle);
    }
    this.#count(slot, 1);
  }

  /** Why a slot may have no further process. */
  #refusalOf({ workspace }: Slot): typeof FULL | typeof WORKSPACE_FULL | undefined {
    const { max, maxOfWorkspace } = this.#options;
    // A workspace that may have all of them is told which setting of the two to raise.
    if (maxOfWorkspace < max && this.#ofWorkspace(workspace) >= maxOfWorkspace) return WORKSPACE_FULL;
    return this.#processes >= max ? FULL : undefined;
  }

  /** The slot whose processes are ended for a new one. */
  #idleFor(asking: Slot, refusal: string): Slot | undefined {
    const own = asking.workspace;
    // The new process counts already: a workspace takes none from another that has fewer than it would have itself.
    const load = ({ workspace }: Slot): number => this.#ofWorkspace(workspace) + (workspace === own ? 1 : 0);
    return [...this.#slots]
      .filter(({ requests, processes }) => requests === 0 && processes > 0)
      .filter((slot) => slot.workspace === own || (refusal === FULL && load(slot) >= load(asking)))
      .toSorted((one, other) => load(other) - load(one))[0];
  }
}

async function* releasedAfter(
  messages: AsyncIterable<UpstreamMessage>,
  release: () => void,
): AsyncGenerator<UpstreamMessage> {
  try {
    yield* messages;
  } finally {
    release();
  }
}

/** A server that runs as child processes: one for each principal, unless it keeps nothing between calls. */
export class ServerChildren {
  readonly #options: ServerChildrenOptions;
  readonly #slots = new Map<string, Slot>();
  #isClosed = false;

  constructor(options: ServerChildrenOptions) {
    this.#options = options;
  }

  post(text: string, request: ChildRequest): Promise<UpstreamAnswer> {
    return this.#use(request, 'requests', (upstream) => upstream.post(text, request));
  }

  listen(request: ChildRequest): Promise<UpstreamAnswer> {
    return this.#use(request, 'listeners', (upstream) => upstream.listen(request));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#slots.values()].map((slot) => this.#options.pool.end(slot)));
  }

  async #use(
    { principal, signal }: ChildRequest,
    what: 'requests' | 'listeners',
    ask: (upstream: StdioUpstream) => Promise<UpstreamAnswer>,
  ): Promise<UpstreamAnswer> {
    const slot = this.#slotOf(principal);
    const release = this.#options.pool.use(slot, what);
    try {
      const answer = await ask(slot.upstream);
      if (!answer.isStream) {
        release();
        return answer;
      }
      // The reader may leave without reading.
      signal.addEventListener('abort', release, { once: true });
      if (signal.aborted) release();
      return { ...answer, messages: releasedAfter(answer.messages, release) };
    } catch (cause) {
      release();
      throw cause;
    }
  }

  #slotOf(principal: string): Slot {
    const { pool, isStateless } = this.#options;
    if (this.#isClosed)
      throw new UpstreamError('closed', 'The settings of the server have changed: send the request again.');
    const key = isStateless ? '' : principal;
    const current = this.#slots.get(key);
    if (current !== undefined) return current;
    const slot = pool.add(this.#options, () => this.#slots.delete(key));
    this.#slots.set(key, slot);
    return slot;
  }
}
