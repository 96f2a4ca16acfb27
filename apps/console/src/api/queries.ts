import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import { client, read } from './client.ts';
import { ProblemError } from './problem.ts';
import type { Me } from './types.ts';

const isLoggedOut = (cause: unknown): boolean => cause instanceof ProblemError && cause.status === 401;

function onError(cause: unknown): void {
  if (isLoggedOut(cause)) queries.setQueryData(['me'], null);
}

/** The gateway's answers. A session that has ended shows the login at once, wherever it is noticed. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, cause) => !(cause instanceof ProblemError && cause.status < 500) && count < 2,
    },
  },
});

/** The logged-in person; null if this browser has no session. */
export const meQuery = queryOptions<Me | null>({
  queryKey: ['me'],
  staleTime: 60_000,
  queryFn: async () => {
    try {
      return await read(client.GET('/api/v1/me'));
    } catch (cause) {
      if (isLoggedOut(cause)) return null;
      throw cause;
    }
  },
});

/** Milliseconds after which lists that others change are read again, even if no event came: a stream may be refused or lost. */
const REREAD = 30_000;
const COUNTING = 500;

export const approvalsQuery = queryOptions({
  queryKey: ['approvals'],
  refetchInterval: REREAD,
  queryFn: async () => (await read(client.GET('/api/v1/approvals'))).approvals,
});

export const answeredQuery = queryOptions({
  queryKey: ['approvals', 'answered'],
  queryFn: async () =>
    (await read(client.GET('/api/v1/approvals', { params: { query: { state: 'answered' } } }))).approvals,
});

export const lastingQuery = queryOptions({
  queryKey: ['approvals', 'lasting'],
  refetchInterval: REREAD,
  queryFn: async () => (await read(client.GET('/api/v1/approvals/lasting'))).approvals,
});

export const pinsQuery = queryOptions({
  queryKey: ['pins'],
  refetchInterval: REREAD,
  queryFn: async () => (await read(client.GET('/api/v1/pins'))).held,
});

/** Those of the last week. */
export const conversationsQuery = queryOptions({
  queryKey: ['conversations'],
  queryFn: async () =>
    (await read(client.GET('/api/v1/conversations', { params: { query: { hours: '168' } } }))).conversations,
});

/** The corrections of marks and decisions. */
export const correctionsQuery = queryOptions({
  queryKey: ['corrections'],
  queryFn: async () => (await read(client.GET('/api/v1/corrections'))).corrections,
});

export const thresholdsQuery = queryOptions({
  queryKey: ['thresholds'],
  queryFn: async () => (await read(client.GET('/api/v1/thresholds'))).thresholds,
});

export const serversQuery = queryOptions({
  queryKey: ['servers'],
  queryFn: async () => (await read(client.GET('/api/v1/servers'))).servers,
});

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async () => (await read(client.GET('/api/v1/keys'))).keys,
});

export const policyQuery = queryOptions({
  queryKey: ['policy'],
  queryFn: () => read(client.GET('/api/v1/policy')),
});

export const policyHistoryQuery = queryOptions({
  queryKey: ['policy', 'history'],
  queryFn: async () => (await read(client.GET('/api/v1/policy/history'))).policies,
});

/** The figures of the last hours. While older rows are still being counted, they are read again at once. */
export const statisticsQuery = (hours: number) =>
  queryOptions({
    queryKey: ['statistics', hours],
    refetchInterval: ({ state }) => (state.data?.isCounting === true ? COUNTING : REREAD),
    queryFn: () => read(client.GET('/api/v1/audit/statistics', { params: { query: { hours: String(hours) } } })),
  });

export const peopleQuery = queryOptions({
  queryKey: ['people'],
  queryFn: async () => (await read(client.GET('/api/v1/people'))).people,
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: async () => (await read(client.GET('/api/v1/webhooks'))).webhooks,
});
