import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { client, read } from '../../api/client.ts';
import { approvalsQuery } from '../../api/queries.ts';
import type { ApprovalScope } from '../../api/types.ts';

export interface GivenAnswer {
  readonly id: string;
  readonly answer: 'approved' | 'denied';
  readonly note?: string;
  /** The approved calls. @default only this call */
  readonly scope?: ApprovalScope;
  readonly until?: string;
}

export interface Answering {
  /** Answers a held call once: an answer to the same call that comes while the first is on its way is left out. */
  answer(given: GivenAnswer): void;
  readonly error: Error | null;
  reset(): void;
}

/** Answers held calls. One leaves the list at once, and comes back if the gateway refuses the answer. */
export function useAnswer(onAnswered: (given: GivenAnswer) => void): Answering {
  const queries = useQueryClient();
  const sent = useRef(new Set<string>());
  const { queryKey } = approvalsQuery;
  const { mutate, error, reset } = useMutation({
    mutationFn: ({ id, ...body }: GivenAnswer) =>
      read(client.POST('/api/v1/approvals/{id}', { params: { path: { id } }, body })),
    onMutate: async ({ id }) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueryData(queryKey, (all) => all?.filter((each) => each.id !== id));
    },
    onSuccess: (_, given) => onAnswered(given),
    onError: (_, { id }) => sent.current.delete(id),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  return {
    answer(given) {
      if (sent.current.has(given.id)) return;
      sent.current.add(given.id);
      mutate(given);
    },
    error,
    reset,
  };
}
