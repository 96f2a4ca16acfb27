import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { visibleText } from '../visible.ts';

interface SureButtonProps {
  /** The action, such as `Revoke`. */
  readonly act: string;
  /** To what, for people who do not see what is around the button. */
  readonly label: string;
  /** The list that is read again. */
  readonly queryKey: QueryKey;
  readonly onSure: () => Promise<unknown>;
}

/** Does something that cannot be undone, after a second look. */
export function SureButton({ act, label, queryKey, onSure }: SureButtonProps): ReactNode {
  const [isSure, setSure] = useState(false);
  const queries = useQueryClient();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: onSure,
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  if (!isSure)
    return (
      <button
        type="button"
        className="button button-small"
        aria-label={`${act} ${visibleText(label)}`}
        onClick={() => setSure(true)}
      >
        {act}
      </button>
    );
  return (
    <button
      type="button"
      className="button button-small button-bad"
      disabled={isPending}
      // biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
      autoFocus
      onClick={() => mutate()}
      onBlur={() => setSure(isPending)}
    >
      {isError ? 'Failed. Again?' : `Really ${act.toLowerCase()}`}
    </button>
  );
}
