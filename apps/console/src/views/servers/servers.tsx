import './servers.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { mayUse, useMe } from '../../api/identity.ts';
import { pinsQuery } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { PinCard } from './pin-card.tsx';
import { ServerTable } from './server-table.tsx';

function Pins(): ReactNode {
  const query = useQuery(pinsQuery);
  return (
    <Loaded query={query}>
      {(held) =>
        held.length === 0 ? (
          <EmptyNote title="No definition waits">A tool that changes after it was first seen appears here.</EmptyNote>
        ) : (
          <ul className="pins">
            {held.map((pin) => (
              <PinCard key={`${pin.server} ${pin.digest}`} pin={pin} />
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}

/** The servers of the workspace, and what they have changed. */
export function Servers(): ReactNode {
  const me = useMe();
  return (
    <Page title="Servers" about="What servers offer is kept as it was first seen. You decide about every change.">
      <div className="sections">
        {mayUse(me, ['pins']) && (
          <section>
            <h2>Changed definitions</h2>
            <Pins />
          </section>
        )}
        {mayUse(me, ['admin']) && (
          <section>
            <h2>All servers</h2>
            <ServerTable />
          </section>
        )}
      </div>
    </Page>
  );
}
