import { Outlet, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useMe } from '../api/identity.ts';
import { EmptyNote } from '../parts/note.tsx';
import { maySee, VIEWS } from './views.ts';

/** The view at the address, if the person has a scope for it. The gateway checks every request in any case. */
export function Allowed(): ReactNode {
  const me = useMe();
  const { pathname } = useLocation();
  const view = VIEWS.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  if (view === undefined || maySee(me, view)) return <Outlet />;
  return (
    <EmptyNote title={`You may not see ${view.name.toLowerCase()}`}>
      This needs the scope {view.scopes.join(' or ')}. Ask an administrator of your workspace.
    </EmptyNote>
  );
}
