import type { Timer } from '@sallyport/core/stages';
import { platformTimer, repeat } from '../timer.ts';
import type { RedisLink } from './redis.ts';

/** What replicas tell each other of. */
const TOPICS = ['policy', 'servers', 'pins', 'keys', 'approval', 'cancelled'] as const;

export type Topic = (typeof TOPICS)[number];

/** Means "look again" and no more: who gets it asks the database. */
export interface Notice {
  readonly what: Topic;
  readonly workspace: string;
  readonly id: string;
}

/** Told of a notice, or of undefined where anything may have changed unheard. */
export type Listener = (notice: Notice | undefined) => void;

export interface BusOptions {
  /** @default the platform's */
  readonly timer?: Timer;
}

const POLL_MILLISECONDS = 500;
/** While Redis is there, a notice can still be lost on its way: every so many polls everybody looks again. */
const POLLS_WHEN_HEARD = 4;

function readNotice(text: string): Notice | undefined {
  try {
    const { what, workspace, id } = (JSON.parse(text) ?? {}) as { readonly [Name in keyof Notice]?: unknown };
    const isNotice = TOPICS.includes(what as Topic) && typeof workspace === 'string' && typeof id === 'string';
    return isNotice ? { what: what as Topic, workspace, id } : undefined;
  } catch {
    return undefined;
  }
}

/** Carries notices between replicas. Without Redis it says "look again" twice a second instead. */
export class Bus {
  readonly #link: RedisLink | undefined;
  readonly #channel: string;
  readonly #listeners = new Map<Topic, Set<Listener>>(TOPICS.map((topic) => [topic, new Set()]));
  readonly #stop: () => void;
  #isHearing = false;
  #polls = 0;

  constructor(link?: RedisLink, { timer = platformTimer }: BusOptions = {}) {
    this.#link = link;
    this.#channel = `${link?.prefix ?? ''}bus`;
    this.#stop = repeat(timer, POLL_MILLISECONDS, () => this.#poll());
    if (link === undefined) return;
    const { events } = link;
    events.on('ready', () => this.#subscribe());
    events.on('close', () => {
      this.#isHearing = false;
    });
    events.on('message', (_channel: string, text: string) => this.#hear(readNotice(text)));
    if (events.status === 'ready') this.#subscribe();
  }

  /** Whether notices of other replicas arrive. */
  get isHearing(): boolean {
    return this.#isHearing;
  }

  #subscribe(): void {
    const subscribed = this.#link?.events.subscribe(this.#channel).then(() => {
      this.#isHearing = true;
      // Nobody knows what was said meanwhile.
      this.#lookAgain();
    });
    subscribed?.catch(() => undefined);
  }

  #poll(): void {
    this.#polls++;
    if (!this.#isHearing || this.#polls % POLLS_WHEN_HEARD === 0) this.#lookAgain();
  }

  #lookAgain(): void {
    for (const listeners of this.#listeners.values()) for (const listener of [...listeners]) listener(undefined);
  }

  #hear(notice: Notice | undefined): void {
    if (notice === undefined) return;
    for (const listener of [...(this.#listeners.get(notice.what) ?? [])]) listener(notice);
  }

  /** Listens until what it gives is called. */
  on(topic: Topic, listener: Listener): () => void {
    this.#listeners.get(topic)?.add(listener);
    return () => void this.#listeners.get(topic)?.delete(listener);
  }

  /** Tells everybody, this replica at once. Where Redis is away the others find out by themselves. */
  async tell(what: Topic, workspace: string, id: string): Promise<void> {
    const notice = { what, workspace, id };
    this.#hear(notice);
    await this.#link?.commands.publish(this.#channel, JSON.stringify(notice)).catch(() => undefined);
  }

  close(): void {
    this.#stop();
    for (const listeners of this.#listeners.values()) listeners.clear();
  }
}
