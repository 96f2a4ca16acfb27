import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { describeFailure } from '../../api/problem.ts';
import { webhooksQuery } from '../../api/queries.ts';
import { Inert } from '../../parts/inert.tsx';

interface TestButtonProps {
  readonly name: string;
}

/** Sends a message that says only that messages arrive. */
export function TestButton({ name }: TestButtonProps): ReactNode {
  const queries = useQueryClient();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => read(client.POST('/api/v1/webhooks/{name}/test', { params: { path: { name } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: webhooksQuery.queryKey }),
  });
  const failure = error === null ? data?.failure : describeFailure(error).message;
  return (
    <>
      <button
        type="button"
        className="button button-small"
        aria-label={`Test ${name}`}
        disabled={isPending}
        onClick={() => mutate()}
      >
        Test
      </button>
      <span role="status" className="small">
        {data?.isDelivered === true && 'Delivered.'}
        {failure !== undefined && (
          <>
            Not delivered: <Inert text={failure} />
          </>
        )}
      </span>
    </>
  );
}
