import { randomUUID } from 'node:crypto';
import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import type { GuardedFetch, GuardedRequest } from '@sallyport/mcp-proxy/http';
import { repeat } from '../../timer.ts';
import { type Database, runQuery } from '../database.ts';

export interface FeedOptions {
  readonly database: Database;
  /** Where rows are posted. */
  readonly url: string;
  /** The value of the header `authorization`. @default none is sent */
  readonly authorization?: string | undefined;
  readonly fetch: GuardedFetch;
  /** Called when rows could not be sent. They are sent again. */
  readonly onError: (cause: unknown) => void;
  /** @default the platform's */
  readonly timer?: Timer;
}

/** Rows of the audit were not sent. The message has no content. */
export class FeedError extends Error {
  override readonly name = 'FeedError';
  readonly code: string;
  /** Set if the receiver refused the rows of one workspace. Otherwise it was not reached. */
  readonly isRefusal: boolean;

  constructor(status: number | undefined, cause?: unknown) {
    const { code } = (cause ?? {}) as { readonly code?: unknown };
    const problem = status === undefined ? 'could not be reached' : `answered with status ${status}`;
    super(`The receiver of the audit feed ${problem}. The rows are sent again.`, { cause });
    this.code = String(status ?? code ?? 'unknown');
    this.isRefusal = status !== undefined;
  }
}

const EVERY_MILLISECONDS = 1000;
const MAX_ROWS = 500;
const MAX_WORKSPACES = 100;
const TIMEOUT = 10_000;
/** Milliseconds after which a round sends no further workspace. */
const SENDING_TIME = 20_000;
/** Longer than a round with its last request may take: otherwise two replicas would send the same rows. */
const LEASE_SECONDS = 60;
/** Rounds between attempts, at most. */
const MAX_PAUSE = 300;

/** Attempts that failed, and the round of the next one. */
interface Pause {
  readonly failures: number;
  readonly until: number;
}

const NONE: Pause = { failures: 0, until: 0 };

interface Row {
  readonly seq: string;
  readonly at: string;
  readonly payload: string;
  readonly hash: string;
  readonly mac: string;
}

/**
 * Posts the rows of all chains to one receiver, as JSON lines. The rows of a workspace arrive in their order and at least once:
 * the number of the last one that was accepted is in the database.
 */
export class Feed {
  readonly #options: FeedOptions;
  readonly #id = randomUUID();
  readonly #stopping = new AbortController();
  #end: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #round = 0;
  /** Of all workspaces, because the receiver cannot be reached. */
  #pause = NONE;
  /** Of workspaces whose rows the receiver refuses. */
  readonly #pauses = new Map<string, Pause>();

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  start(): void {
    this.#end ??= repeat(this.#options.timer ?? backgroundTimer, EVERY_MILLISECONDS, () => this.#tick());
  }

  #tick(): void {
    if (this.#running !== undefined) return;
    this.#round++;
    if (this.#round < this.#pause.until) return;
    this.#running = this.send()
      .catch((cause: unknown) => {
        if (!this.#stopping.signal.aborted) this.#options.onError(cause);
      })
      .finally(() => {
        this.#running = undefined;
      });
  }

  /** Sends what was not sent yet. After a failure, the next attempts are further and further apart. */
  async send(): Promise<void> {
    try {
      const refusal = await this.#sendAll();
      this.#pause = NONE;
      if (refusal !== undefined) this.#options.onError(refusal);
    } catch (cause) {
      this.#pause = this.#pauseAfter(this.#pause);
      throw cause;
    }
  }

  /** Sends the rows of each workspace. Returns the first refusal, which concerns one workspace and stops no other. */
  async #sendAll(): Promise<FeedError | undefined> {
    const { database } = this.#options;
    const claimed = await runQuery(
      () => database.system<{ ws: string; seq: string }[]>`
        select ws, seq from sallyport.claim_feed(${this.#id}::uuid, ${LEASE_SECONDS}, ${MAX_WORKSPACES})`,
    );
    const end = performance.now() + SENDING_TIME;
    let refusal: FeedError | undefined;
    for (const { ws, seq } of claimed) {
      const pause = this.#pauses.get(ws) ?? NONE;
      if (performance.now() >= end || this.#round < pause.until) continue;
      try {
        await this.#sendNext(ws, Number(seq));
        this.#pauses.delete(ws);
      } catch (cause) {
        if (!(cause instanceof FeedError && cause.isRefusal)) throw cause;
        this.#pauses.set(ws, this.#pauseAfter(pause));
        refusal ??= cause;
      }
    }
    return refusal;
  }

  #pauseAfter({ failures }: Pause): Pause {
    return { failures: failures + 1, until: this.#round + 1 + Math.min(2 ** failures, MAX_PAUSE) };
  }

  async #sendNext(workspace: string, after: number): Promise<void> {
    const { database } = this.#options;
    const rows = await runQuery(
      () => database.system<Row[]>`
        select seq, at, payload, hash, mac from sallyport.rows_after(${workspace}::uuid, ${after}, ${MAX_ROWS})`,
    );
    const last = rows.at(-1);
    if (last === undefined) return;
    const lines = rows.map(({ seq, at, ...row }) =>
      JSON.stringify({ type: 'row', workspace, seq: Number(seq), at: Number(at), ...row }),
    );
    await this.#post(`${lines.join('\n')}\n`);
    await runQuery(() => database.system`select sallyport.advance_feed(${workspace}::uuid, ${last.seq})`);
  }

  async #post(body: string): Promise<void> {
    const { database, url, authorization, fetch } = this.#options;
    const at = Date.now();
    const request: GuardedRequest = {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        ...(authorization === undefined ? {} : { authorization }),
        'sallyport-timestamp': String(at),
        'sallyport-signature': database.chains.key.signFeed(at, body),
      },
      body,
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(TIMEOUT)]),
    };
    const { status, discard } = await fetch(url, request).catch((cause: unknown) => {
      throw new FeedError(undefined, cause);
    });
    discard();
    if (status < 200 || status > 299) throw new FeedError(status);
  }

  /** Stops. What was not sent yet is sent by another replica, or after the next start. */
  async stop(): Promise<void> {
    this.#end?.();
    this.#stopping.abort();
    await this.#running;
  }
}
