import './audit.css';
import type { ReactNode } from 'react';
import { Page } from '../../parts/page.tsx';
import { EventTable } from './event-table.tsx';
import { Filters } from './filters.tsx';
import { Verify } from './verify.tsx';

/** The audit: actions of people and decisions about calls. */
export function Audit(): ReactNode {
  return (
    <Page title="Audit" about="Every decision and every change, in a chain of rows that nobody can edit unseen.">
      <div className="sections">
        <Verify />
        <Filters />
        <section>
          <h2>Events</h2>
          <EventTable />
        </section>
      </div>
    </Page>
  );
}
