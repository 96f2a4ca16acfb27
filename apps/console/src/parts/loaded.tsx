import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Failure } from './failure.tsx';
import { Loading } from './loading.tsx';

interface LoadedProps<T> {
  readonly query: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** The result of a query. Old data stay while they are read again, and while that fails. */
export function Loaded<T>({ query, children }: LoadedProps<T>): ReactNode {
  const { data, error, refetch } = query;
  return (
    <>
      {error !== null && <Failure cause={error} onRetry={() => void refetch()} />}
      {data !== undefined ? children(data) : error === null && <Loading />}
    </>
  );
}
