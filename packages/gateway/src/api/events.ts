import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Bus, Topic } from '../cache/bus.ts';
import { Fresh } from '../cache/cached-value.ts';
import type { Callers } from '../serve/auth/auth.ts';
import { Crowd } from '../serve/concurrency-limit.ts';
import { Reply } from '../serve/reply.ts';
import type { Approvals } from '../store/approvals.ts';
import type { PinBook } from '../store/pins.ts';
import { BusyError } from './problem.ts';
import { type Asked, objectOf, type Route, route } from './route.ts';

export interface EventRouteOptions {
  readonly bus: Bus;
  readonly approvals: Approvals;
  readonly book: PinBook;
  readonly callers: Callers;
  /** Aborted when the replica stops. */
  readonly stopping: AbortSignal;
  readonly track: <T>(work: Promise<T>) => Promise<T>;
  readonly onError: (cause: unknown) => void;
}

/** How many wait, and which: two states that have the same name are the same. */
interface State {
  readonly waiting: number;
  readonly name: string;
}

const TOPICS: readonly Topic[] = ['approval', 'pins', 'keys'];
const MAX_STREAMS = 100;
const SCOPE = 'approve';

function stateOf(names: readonly string[]): State {
  return { waiting: names.length, name: digestText(canonicalJson(names)) };
}

/** Tells people of one workspace that there is something new to look at. What it is, they ask for. */
export function eventRoutes(options: EventRouteOptions): readonly Route[] {
  const { bus, approvals, book, callers, stopping, track, onError } = options;
  // All streams of a workspace share what was read.
  const states = {
    approvals: new Fresh<State>(bus, 'approval', async (workspace) =>
      stateOf((await approvals.pending(workspace)).map(({ id }) => id)),
    ),
    pins: new Fresh<State>(bus, 'pins', async (workspace) =>
      stateOf((await book.held(workspace)).map(({ server, digest }) => `${server} ${digest}`)),
    ),
  };
  const streams = new Crowd(MAX_STREAMS);

  /** A key may be revoked and a token may end while somebody listens. */
  async function isStillAdmitted({ authorization, caller }: Asked): Promise<boolean> {
    const found = await callers.identify(authorization);
    return found.type === 'caller' && found.caller.workspace === caller.workspace && found.caller.scopes.has(SCOPE);
  }

  async function tell(asked: Asked, reply: Reply, told: Map<string, string>): Promise<void> {
    for (const [what, fresh] of Object.entries(states)) {
      const { waiting, name } = await fresh.get(asked.caller.workspace);
      if (told.get(what) === name) continue;
      told.set(what, name);
      reply.send(JSON.stringify({ what, waiting }));
    }
    await reply.drained();
  }

  async function run(asked: Asked, reply: Reply, gone: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([gone, stopping]);
    const told = new Map<string, string>();
    let wake: () => void = () => undefined;
    let woken = Promise.resolve();
    const ring = (): void => wake();
    const stops = TOPICS.map((topic) =>
      bus.on(topic, (notice) => {
        if (notice === undefined || notice.workspace === asked.caller.workspace) ring();
      }),
    );
    ended.addEventListener('abort', ring);
    try {
      for (; !ended.aborted; await woken) {
        woken = new Promise((resolve) => {
          wake = resolve;
        });
        if (!(await isStillAdmitted(asked))) break;
        await tell(asked, reply, told);
        if (ended.aborted) ring();
      }
    } finally {
      for (const stop of stops) stop();
      ended.removeEventListener('abort', ring);
      reply.end();
    }
  }

  return [
    route({
      method: 'get',
      path: '/events',
      name: 'listen',
      summary: 'Tells when approvals or pins of the workspace have changed, and at first how they stand',
      scope: SCOPE,
      answer: {
        status: 200,
        description: 'Each event is such an object. A comment now and then shows that the stream lives',
        type: 'text/event-stream',
        schema: objectOf({ what: { enum: ['approvals', 'pins'] }, waiting: { type: 'integer', minimum: 0 } }),
      },
      async handle(asked) {
        const leave = streams.enter(asked.caller.workspace);
        if (leave === undefined) throw new BusyError('The workspace has too many open streams.');
        const gone = new AbortController();
        const reply = new Reply({ acceptsStream: true, isLast: () => false, onGone: () => gone.abort() });
        reply.stream();
        void track(run(asked, reply, gone.signal).catch(onError).finally(leave));
        return reply.response;
      },
    }),
  ];
}
