import { setTimeout as pause } from 'node:timers/promises';
import { digestText } from '@sallyport/core/adapter';

const POLL_MS = 500;
const ALIVE_MS = 15_000;

/** A watched list: a name, and its current items. */
export type Watched = readonly (readonly [what: string, read: () => readonly string[]])[];

/** Tells a page whenever what waits has changed. The page reads the details itself. */
export function liveEvents(watched: Watched, ended: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, ended]);
  async function* events(): AsyncGenerator<string> {
    const sent = new Map<string, string>();
    let quiet = 0;
    for (; !signal.aborted; await pause(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined)) {
      quiet += POLL_MS;
      for (const [what, read] of watched) {
        const names = read();
        const digest = digestText(JSON.stringify(names));
        if (sent.get(what) === digest) continue;
        sent.set(what, digest);
        yield `data: ${JSON.stringify({ what, waiting: names.length })}\n\n`;
      }
      if (quiet < ALIVE_MS) continue;
      quiet = 0;
      yield ': alive\n\n';
    }
  }
  const source = events();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await source.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => gone.abort(),
  });
}
