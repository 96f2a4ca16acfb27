import '../approvals.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { lastingQuery } from '../../../api/queries.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { EmptyNote } from '../../../parts/note.tsx';
import { Page } from '../../../parts/page.tsx';
import { LastingTable } from './lasting-table.tsx';
import { Tabs } from './tabs.tsx';

/** The approvals that cover later calls. */
export function Lasting(): ReactNode {
  const query = useQuery(lastingQuery);
  return (
    <Page
      title="Lasting approvals"
      about="Calls like these pass without a question, while the server, its tool and its policy stay as they were."
      tabs={<Tabs />}
    >
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyNote title="Nothing is approved for longer">Every call that must be asked about is asked.</EmptyNote>
          ) : (
            <LastingTable approvals={all} />
          )
        }
      </Loaded>
    </Page>
  );
}
