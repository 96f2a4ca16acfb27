import type { Io } from '../io.ts';
import type { WrapRequest } from '../local-process/request.ts';
import { notifier } from '../notify.ts';
import { stateFolder } from '../state.ts';
import type { Start, Streams } from './child.ts';
import { wrapKeys } from './key.ts';
import { proxyFor } from './proxy.ts';
import { relay } from './relay.ts';
import { LOCAL, Session } from './session.ts';
import { linesOf } from './upstream.ts';

/** Wraps a server in this process. Ends when the server does, with its exit code. */
export async function wrapInProcess(io: Io, request: WrapRequest, start: Start, streams: Streams): Promise<number> {
  const { environment } = io;
  const state = stateFolder(environment);
  const keys = wrapKeys(state, environment.SALLYPORT_KEY);
  const { proxy } = proxyFor(request, {
    state,
    environment,
    session: (settings) => new Session(environment.SALLYPORT_CONVERSATION || LOCAL, state, keys, settings),
    stderr: io.stderr,
    notify: notifier(io),
  });
  return relay(linesOf(await start()), proxy, streams, io.stderr);
}
