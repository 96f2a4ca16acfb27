import '../approvals.css';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answeredQuery } from '../../../api/queries.ts';
import { Loaded } from '../../../parts/loaded.tsx';
import { EmptyNote } from '../../../parts/note.tsx';
import { Page } from '../../../parts/page.tsx';
import { AnsweredTable } from './answered-table.tsx';
import { Tabs } from './tabs.tsx';

/** The calls that people have answered. */
export function Answered(): ReactNode {
  const query = useQuery(answeredQuery);
  return (
    <Page title="Answered calls" about="What people decided, the last answer first." tabs={<Tabs />}>
      <Loaded query={query}>
        {(all) =>
          all.length === 0 ? (
            <EmptyNote title="Nothing was answered yet">Calls appear here when someone has decided.</EmptyNote>
          ) : (
            <AnsweredTable approvals={all} />
          )
        }
      </Loaded>
    </Page>
  );
}
