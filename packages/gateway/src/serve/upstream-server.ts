import type { UpstreamAnswer } from '../upstream/answer.ts';

/** A server, whichever way it is reached. */
export interface Reached {
  post(text: string, request: ReachRequest): Promise<UpstreamAnswer>;
  listen(request: ReachRequest & { readonly lastEventId?: string }): Promise<UpstreamAnswer>;
  end(request: ReachRequest & { readonly session: string }): Promise<number>;
}

export interface ReachRequest {
  readonly session?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Whose request it is, for servers that several callers share. */
  readonly caller: string;
}
