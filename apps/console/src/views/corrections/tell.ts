import { useMutation, useQueryClient } from '@tanstack/react-query';
import { client, read } from '../../api/client.ts';
import { correctionsQuery } from '../../api/queries.ts';
import type { Verdict } from '../../api/types.ts';
import type { Target } from './target.ts';

/** A correction: a verdict, and of a text the words that it is about. */
export interface Told {
  readonly target: Target;
  readonly verdict: Verdict;
  readonly range?: { readonly start: number; readonly end: number };
}

async function tell(id: string, { target, verdict, range = { start: 0, end: 0 } }: Told): Promise<void> {
  const params = { path: { id } };
  if (target.type === 'span')
    await read(client.POST('/api/v1/feedback', { body: { finding: target.finding, verdict } }));
  else if (target.type === 'call')
    await read(client.POST('/api/v1/conversations/{id}/decisions', { params, body: { call: target.call, verdict } }));
  else
    await read(client.POST('/api/v1/conversations/{id}/passages', { params, body: { entry: target.entry, ...range } }));
}

/** Sends what a person says of a conversation. */
export function useTell(id: string, onTold: (told: Told) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (told: Told) => tell(id, told),
    onSuccess: (_, told) => {
      onTold(told);
      return queries.invalidateQueries({ queryKey: correctionsQuery.queryKey });
    },
  });
}
