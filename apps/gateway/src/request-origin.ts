import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that something is done for, and where it came from. Names, digests and addresses, but no secret. */
export interface RequestOrigin {
  /** The id of the HTTP request, which its response repeats. */
  readonly request: string;
  /** The client's IP address. */
  readonly address?: string;
  readonly workspace?: string;
  /** The public id of the API key. */
  readonly key?: string;
  /** The issuer of the token. */
  readonly issuer?: string;
  /** The subject of the token. */
  readonly subject?: string;
  /** A digest of the MCP session's id. */
  readonly session?: string;
  /** The id of the trace. */
  readonly trace?: string;
}

// Facts about a request are added while it is admitted, so the store holds a variable.
const current = new AsyncLocalStorage<{ origin: RequestOrigin } | undefined>();

/** Runs work for a request. */
export function inOrigin<T>(origin: RequestOrigin, work: () => T): T {
  return current.run({ origin }, work);
}

/** Runs work that belongs to no request, even if a request has caused it. */
export function withoutOrigin<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** Adds what became known of the current request. */
export function addToOrigin(known: Partial<RequestOrigin>): void {
  const store = current.getStore();
  if (store !== undefined) store.origin = { ...store.origin, ...known };
}

/** The origin of the current request; undefined outside of one. */
export function requestOrigin(): RequestOrigin | undefined {
  return current.getStore()?.origin;
}
