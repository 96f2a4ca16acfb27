import type { UpstreamAnswer } from '@sallyport/mcp-proxy/http';

/** A server, reached over HTTP or as a child process. */
export interface UpstreamServer {
  post(text: string, request: UpstreamRequest): Promise<UpstreamAnswer>;
  listen(request: UpstreamRequest & { readonly lastEventId?: string }): Promise<UpstreamAnswer>;
  end(request: UpstreamRequest & { readonly session: string }): Promise<number>;
}

export interface UpstreamRequest {
  readonly session?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly principal: string;
  /** Names the principal among those of all workspaces: each has a share of the connections to a server. */
  readonly countsFor: string;
  /** Identifies the caller, for servers that several callers share. */
  readonly caller: string;
}
