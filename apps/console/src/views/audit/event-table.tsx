import { useInfiniteQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loading } from '../../parts/loading.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { EventRow } from './event-row.tsx';
import { auditFilterIn, queryOf } from './filter.ts';

/** The events found, newest first. */
export function EventTable(): ReactNode {
  // The router adds what is in the address besides.
  const filter = auditFilterIn(useSearch({ from: '/audit' }));
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam }) => {
      const before = pageParam === undefined ? {} : { before: String(pageParam) };
      return read(client.GET('/api/v1/audit/events', { params: { query: { ...queryOf(filter), ...before } } }));
    },
    getNextPageParam: ({ next }) => next,
  });
  const rows = data?.pages.flatMap((page) => page.rows);
  if (rows === undefined)
    return error === null ? <Loading /> : <Failure cause={error} onRetry={() => void refetch()} />;
  if (rows.length === 0) return <EmptyNote title="Nothing was found">Search for less, or for another time.</EmptyNote>;
  return (
    <>
      <Table label="Events" columns={['Event', 'When', 'Type', 'Who', 'What', 'Result']}>
        {rows.map((row) => (
          <EventRow key={row.seq} row={row} />
        ))}
      </Table>
      {error !== null && <Failure cause={error} />}
      {hasNextPage && (
        <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older events
        </button>
      )}
    </>
  );
}
