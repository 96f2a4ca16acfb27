import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayUse, useMe } from '../api/identity.ts';
import { approvalsQuery, pinsQuery } from '../api/queries.ts';
import { maySee, VIEWS, type View } from './views.ts';

/** How much waits for a person, by view. */
function useWaiting(): Partial<Record<View['path'], number>> {
  const me = useMe();
  const approvals = useQuery({ ...approvalsQuery, enabled: mayUse(me, ['approve:own', 'approve:any']) });
  const pins = useQuery({ ...pinsQuery, enabled: mayUse(me, ['pins']) });
  return {
    '/approvals': approvals.data?.length ?? 0,
    '/servers': pins.data?.filter(({ rejectedBy }) => rejectedBy === undefined).length ?? 0,
  };
}

export function Navigation(): ReactNode {
  const me = useMe();
  const waiting = useWaiting();
  return (
    <nav className="navigation" aria-label="Views">
      <ul>
        {VIEWS.filter((view) => maySee(me, view)).map(({ path, name }) => (
          <li key={path}>
            <Link to={path} activeProps={{ 'aria-current': 'page' }}>
              {name}
              {(waiting[path] ?? 0) > 0 && (
                <span className="navigation-count">
                  {waiting[path]}
                  <span className="hidden-text"> waiting</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
