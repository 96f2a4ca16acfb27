import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Bus } from '../cache/bus.ts';

/** A request of a client, whichever replica carries it out. */
export interface Cancellable {
  readonly workspace: string;
  readonly principal: string;
  readonly server: string;
  readonly session: string;
  readonly request: unknown;
}

function nameOf({ principal, server, session, request }: Cancellable): string {
  return digestText(canonicalJson([principal, server, session, request ?? null]));
}

/** Carries the word that a client has given up a request to whoever carries it out: it comes in a request of its own. */
export class Cancels {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Until what it gives is called. */
  on(request: Cancellable, listener: () => void): () => void {
    const name = nameOf(request);
    return this.#bus.on('cancelled', (notice) => {
      if (notice?.workspace === request.workspace && notice.id === name) listener();
    });
  }

  tell(request: Cancellable): Promise<void> {
    return this.#bus.tell('cancelled', request.workspace, nameOf(request));
  }
}
