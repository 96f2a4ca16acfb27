import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Bus } from '../cache/bus.ts';

/** A client's request, in whichever replica it runs. */
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

/** Tells the replica that runs a request that the client has cancelled it. The cancellation may arrive at another replica. */
export class Cancellations {
  readonly #bus: Bus;

  constructor(bus: Bus) {
    this.#bus = bus;
  }

  /** Call the returned function to unsubscribe. */
  subscribe(request: Cancellable, listener: () => void): () => void {
    const name = nameOf(request);
    return this.#bus.subscribe('cancelled', (notice) => {
      if (notice?.workspace === request.workspace && notice.id === name) listener();
    });
  }

  publish(request: Cancellable): Promise<void> {
    return this.#bus.publish('cancelled', request.workspace, nameOf(request));
  }
}
