import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { logOut } from '../api/client.ts';
import { useMe } from '../api/identity.ts';
import { Inert } from '../parts/inert.tsx';
import { personName } from '../parts/words/person.ts';
import { ThemeSwitch } from './theme-switch.tsx';

/** The logged-in person, their rights, and the way out. */
export function Person(): ReactNode {
  const { principal, workspace, scopes } = useMe();
  const queries = useQueryClient();
  const { mutate, isPending, isError } = useMutation({
    mutationFn: logOut,
    onSuccess: () => {
      // Visible components watch this query, so it is changed and not removed.
      queries.setQueryData(['me'], null);
      queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    },
  });
  return (
    <div className="person">
      <div className="person-name">
        <strong>
          <Inert text={personName(principal)} />
        </strong>
        <span className="muted small">
          in <Inert text={workspace} />
        </span>
      </div>
      <details className="person-scopes small">
        <summary>Your scopes</summary>
        <ul>
          {scopes.map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
        </ul>
      </details>
      <div className="row">
        <ThemeSwitch />
        <button type="button" className="button button-small" disabled={isPending} onClick={() => mutate()}>
          Log out
        </button>
      </div>
      {isError && (
        <p className="small" role="alert">
          You are still logged in: the gateway does not answer. Try again.
        </p>
      )}
    </div>
  );
}
