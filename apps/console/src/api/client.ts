import createClient from 'openapi-fetch';
import { problemIn } from './problem.ts';
import type { paths } from './schema.ts';

/** Requests to the gateway. The session is in a cookie that scripts cannot read. */
export const client = createClient<paths>({ baseUrl: location.origin, cache: 'no-store' });

interface Result<T> {
  readonly data?: T | undefined;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer. Throws `ProblemError` if the gateway refused. */
export async function read<T>(request: Promise<Result<T>>): Promise<T> {
  const { data, error, response } = await request;
  if (!response.ok) throw problemIn(response, error);
  return data as T;
}

/** Ends the session. */
export async function logOut(): Promise<void> {
  const response = await fetch('/logout', { method: 'POST' });
  if (!response.ok) throw problemIn(response, undefined);
}
