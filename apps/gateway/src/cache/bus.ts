import { backgroundTimer } from '@sallyport/core/adapter';
import type { Timer } from '@sallyport/core/stages';
import { repeat } from '../timer.ts';
import type { RedisLink } from './redis.ts';

/** Topics of the notices between replicas. */
const TOPICS = ['policy', 'servers', 'pins', 'keys', 'logins', 'approval', 'cancelled'] as const;

export type Topic = (typeof TOPICS)[number];

/** Says that something has changed. The receiver reads the new state from the database. */
export interface Notice {
  readonly what: Topic;
  readonly workspace: string;
  readonly id: string;
}

/** Called with a notice, or with undefined if notices may have been missed and anything may have changed. */
export type Listener = (notice: Notice | undefined) => void;

export interface BusOptions {
  /** @default the platform's */
  readonly timer?: Timer;
}

const POLL_MILLISECONDS = 500;
/** A notice can be lost even while Redis is connected, so every fourth poll invalidates everything. */
const POLLS_WHEN_SUBSCRIBED = 4;

function readNotice(text: string): Notice | undefined {
  try {
    const { what, workspace, id } = (JSON.parse(text) ?? {}) as { readonly [Name in keyof Notice]?: unknown };
    const isNotice = TOPICS.includes(what as Topic) && typeof workspace === 'string' && typeof id === 'string';
    return isNotice ? { what: what as Topic, workspace, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Carries notices between replicas over Redis. Without Redis, listeners are told twice a second to read again. */
export class Bus {
  readonly #link: RedisLink | undefined;
  readonly #channel: string;
  readonly #listeners = new Map<Topic, Set<Listener>>(TOPICS.map((topic) => [topic, new Set()]));
  readonly #stop: () => void;
  #isSubscribed = false;
  #polls = 0;

  constructor(link?: RedisLink, { timer = backgroundTimer }: BusOptions = {}) {
    this.#link = link;
    this.#channel = `${link?.prefix ?? ''}bus`;
    this.#stop = repeat(timer, POLL_MILLISECONDS, () => this.#poll());
    if (link === undefined) return;
    const { events } = link;
    events.on('ready', () => this.#subscribe());
    events.on('close', () => {
      this.#isSubscribed = false;
    });
    events.on('message', (_channel: string, text: string) => this.#deliver(readNotice(text)));
    if (events.status === 'ready') this.#subscribe();
  }

  /** Set while notices of other replicas are received. */
  get isSubscribed(): boolean {
    return this.#isSubscribed;
  }

  #subscribe(): void {
    const subscribed = this.#link?.events.subscribe(this.#channel).then(() => {
      this.#isSubscribed = true;
      // Notices may have been missed while there was no subscription.
      this.#invalidateAll();
    });
    // The connection is lost again: `RedisLink` reports it, and the next `ready` event subscribes.
    subscribed?.catch(() => undefined);
  }

  #poll(): void {
    this.#polls++;
    if (!this.#isSubscribed || this.#polls % POLLS_WHEN_SUBSCRIBED === 0) this.#invalidateAll();
  }

  #invalidateAll(): void {
    for (const listeners of this.#listeners.values()) for (const listener of [...listeners]) listener(undefined);
  }

  #deliver(notice: Notice | undefined): void {
    if (notice === undefined) return;
    for (const listener of [...(this.#listeners.get(notice.what) ?? [])]) listener(notice);
  }

  /** Calls `listener` with each notice of a topic. Call the returned function to unsubscribe. */
  subscribe(topic: Topic, listener: Listener): () => void {
    this.#listeners.get(topic)?.add(listener);
    return () => void this.#listeners.get(topic)?.delete(listener);
  }

  /** Notifies this replica at once and the others over Redis. Without Redis, the others find out by polling. */
  async publish(what: Topic, workspace: string, id: string): Promise<void> {
    const notice = { what, workspace, id };
    this.#deliver(notice);
    // A lost notice is made up for by polling, and `RedisLink` reports the lost connection.
    await this.#link?.commands.publish(this.#channel, JSON.stringify(notice)).catch(() => undefined);
  }

  close(): void {
    this.#stop();
    for (const listeners of this.#listeners.values()) listeners.clear();
  }
}
