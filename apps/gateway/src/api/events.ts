import { canonicalJson, digestText } from '@sallyport/core/adapter';
import type { Bus, Topic } from '../cache/bus.ts';
import { CachedValue } from '../cache/cached-value.ts';
import { ConcurrencyLimit } from '../concurrency-limit.ts';
import type { Callers } from '../serve/auth/auth.ts';
import { Reply } from '../serve/reply.ts';
import type { Approvals } from '../store/approvals.ts';
import type { PinBook } from '../store/pins/pins.ts';
import type { Caller, Scope } from '../store/secrets/keys.ts';
import { principalFor } from './approvals.ts';
import { BusyError } from './route/problem.ts';
import { type ApiRequest, objectOf, type Route, route } from './route/route.ts';

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

/** The number of pending items, and a digest of their ids. */
interface State {
  readonly waiting: number;
  readonly name: string;
}

const TOPICS: readonly Topic[] = ['approval', 'pins', 'keys', 'logins'];
const MAX_STREAMS = 100;
const SCOPES: readonly Scope[] = ['approve:own', 'approve:any', 'pins'];

function stateOf(names: readonly string[]): State {
  return { waiting: names.length, name: digestText(canonicalJson(names)) };
}

/** Notifies people of one workspace that approvals or pins have changed. They read the details from the other routes. */
export function eventRoutes(options: EventRouteOptions): readonly Route[] {
  const { bus, approvals, book, callers, stopping, track, onError } = options;
  // Streams that show the same share these reads.
  const states = {
    approvals: new CachedValue<State>(bus, 'approval', async (key) => {
      const [workspace, principal] = JSON.parse(key) as [string, string | null];
      return stateOf((await approvals.pending(workspace, principal ?? undefined)).map(({ id }) => id));
    }),
    pins: new CachedValue<State>(bus, 'pins', async (workspace) =>
      stateOf(
        (await book.held(workspace))
          .filter(({ rejectedBy }) => rejectedBy === undefined)
          .map(({ server, digest }) => `${server} ${digest}`),
      ),
    ),
  };

  /** The states that a caller may see. */
  async function statesFor(caller: Caller): Promise<readonly (readonly [string, State])[]> {
    const { workspace, scopes } = caller;
    const isApprover = scopes.has('approve:own') || scopes.has('approve:any');
    const key = JSON.stringify([workspace, principalFor(caller) ?? null]);
    return [
      ...(isApprover ? [['approvals', await states.approvals.get(key)] as const] : []),
      ...(scopes.has('pins') ? [['pins', await states.pins.get(workspace)] as const] : []),
    ];
  }
  const streams = new ConcurrencyLimit(MAX_STREAMS);

  /** Checked before each event, because a key may be revoked or a token may expire while the stream is open. */
  async function isStillAdmitted({ authorization, session, caller }: ApiRequest): Promise<boolean> {
    const found = await callers.identify(authorization, '', session);
    if (found.type !== 'caller' || found.caller.workspace !== caller.workspace) return false;
    return (
      found.caller.principal === caller.principal && [...caller.scopes].every((scope) => found.caller.scopes.has(scope))
    );
  }

  async function sendChanges(request: ApiRequest, reply: Reply, sent: Map<string, string>): Promise<void> {
    for (const [what, { waiting, name }] of await statesFor(request.caller)) {
      if (sent.get(what) === name) continue;
      sent.set(what, name);
      reply.send(JSON.stringify({ what, waiting }));
    }
    await reply.drained();
  }

  async function run(request: ApiRequest, reply: Reply, gone: AbortSignal): Promise<void> {
    const ended = AbortSignal.any([gone, stopping]);
    const sent = new Map<string, string>();
    let wake: () => void = () => undefined;
    let woken = Promise.resolve();
    const notify = (): void => wake();
    const stops = TOPICS.map((topic) =>
      bus.subscribe(topic, (notice) => {
        // A person's sessions may end in all workspaces at once.
        if (notice === undefined || notice.workspace === request.caller.workspace || topic === 'logins') notify();
      }),
    );
    ended.addEventListener('abort', notify);
    try {
      for (; !ended.aborted; await woken) {
        woken = new Promise((resolve) => {
          wake = resolve;
        });
        if (!(await isStillAdmitted(request))) break;
        await sendChanges(request, reply, sent);
        if (ended.aborted) notify();
      }
    } finally {
      for (const stop of stops) stop();
      ended.removeEventListener('abort', notify);
      reply.end();
    }
  }

  return [
    route({
      method: 'get',
      path: '/events',
      name: 'listen',
      summary:
        'Streams an event when the approvals or pins that the caller may see change. The first events describe the current state',
      scope: SCOPES,
      answer: {
        status: 200,
        description: 'One object per event. Comments keep the connection open',
        type: 'text/event-stream',
        schema: objectOf({ what: { enum: ['approvals', 'pins'] }, waiting: { type: 'integer', minimum: 0 } }),
      },
      async handle(request) {
        const release = streams.enter(request.caller.workspace);
        if (release === undefined) throw new BusyError(`The workspace has ${MAX_STREAMS} open event streams.`);
        const gone = new AbortController();
        const reply = new Reply({ acceptsStream: true, isLast: () => false, onGone: () => gone.abort() });
        reply.stream();
        void track(run(request, reply, gone.signal).catch(onError).finally(release));
        return reply.response;
      },
    }),
  ];
}
