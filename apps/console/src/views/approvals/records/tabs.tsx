import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const TABS = [
  { to: '/approvals', name: 'Waiting' },
  { to: '/approvals/answered', name: 'Answered' },
  { to: '/approvals/lasting', name: 'Lasting approvals' },
] as const;

/** The held calls, the answers, and the approvals that still apply. */
export function Tabs(): ReactNode {
  return (
    <nav className="tabs" aria-label="Approvals">
      {TABS.map(({ to, name }) => (
        <Link
          key={to}
          to={to}
          activeOptions={{ exact: true, includeSearch: false }}
          activeProps={{ 'aria-current': 'page' }}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
