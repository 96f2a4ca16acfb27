import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { visibleText } from './visible.ts';

interface RevokeButtonProps {
  /** What is revoked, for people who do not see what is around the button. */
  readonly label: string;
  /** The list that is read again. */
  readonly queryKey: QueryKey;
  readonly onRevoke: () => Promise<unknown>;
}

/** Revokes something, after a second look. */
export function RevokeButton({ label, queryKey, onRevoke }: RevokeButtonProps): ReactNode {
  const [isSure, setSure] = useState(false);
  const queries = useQueryClient();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: onRevoke,
    onSettled: () => queries.invalidateQueries({ queryKey }),
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
