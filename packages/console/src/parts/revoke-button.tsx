import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client, read } from '../../api/client.ts';
import { keysQuery } from '../../api/queries.ts';
import { visibleText } from '../../parts/visible.ts';

interface RevokeButtonProps {
  readonly id: string;
  readonly label: string;
}

/** Revokes a key, after a second look. */
export function RevokeButton({ id, label }: RevokeButtonProps): ReactNode {
  const [isSure, setSure] = useState(false);
  const queries = useQueryClient();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: () => read(client.DELETE('/api/v1/keys/{id}', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  if (!isSure)
    return (
      <button
        type="button"
        className="button button-small"
        aria-label={`Revoke ${visibleText(label)}`}
        onClick={() => setSure(true)}
      >
        Revoke
      </button>
    );
  return (
    <div className="row">
      <button
        type="button"
        className="button button-small button-bad"
        disabled={isPending}
        // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
        autoFocus
        onClick={() => mutate()}
        onBlur={() => setSure(isPending)}
      >
        {isError ? 'Failed. Again?' : 'Really revoke'}
      </button>
    </div>
  );
}
