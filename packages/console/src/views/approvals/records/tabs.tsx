import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

const TABS = [
  { to: '/approvals', name: 'Waiting' },
  { to: '/approvals/answered', name: 'Answered' },
  { to: '/approvals/lasting', name: 'Lasting approvals' },
] as const;

/** What waits, what was answered, and what still applies. */
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
