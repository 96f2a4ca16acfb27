import './shell.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense } from 'react';
import { Identity, mayUse } from '../api/identity.ts';
import { type LiveState, useLive } from '../api/live.ts';
import { meQuery } from '../api/queries.ts';
import { Failure } from '../parts/failure.tsx';
import { Loading } from '../parts/loading.tsx';
import { Allowed } from './allowed.tsx';
import { Navigation } from './navigation.tsx';
import { NotLoggedIn } from './not-logged-in.tsx';
import { Person } from './person.tsx';

const LIVE: Readonly<Record<LiveState, string>> = {
  connecting: 'Connecting',
  live: 'Live',
  lost: 'Connection lost, trying again',
};

/** The frame around every view. */
export function Shell(): ReactNode {
  const { data: me, error, refetch } = useQuery(meQuery);
  const hears = me != null && mayUse(me, ['approve:own', 'approve:any', 'pins']);
  const live = useLive(hears);
  if (me === null) return <NotLoggedIn />;
  if (me === undefined)
    return (
      <main className="shell-main">
        {error === null ? <Loading /> : <Failure cause={error} onRetry={() => void refetch()} />}
      </main>
    );
  return (
    <Identity value={me}>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="shell">
        <header className="shell-side">
          <div className="brand">
            <img src="/console/mark.svg" alt="" width="26" height="26" />
            <span>Sallyport</span>
            {hears && (
              <span className={`live live-${live}`} role="status">
                {LIVE[live]}
              </span>
            )}
          </div>
          <Navigation />
          <Person />
        </header>
        <main className="shell-main" id="main" tabIndex={-1}>
          <Suspense fallback={<Loading />}>
            <Allowed />
          </Suspense>
        </main>
      </div>
    </Identity>
  );
}
