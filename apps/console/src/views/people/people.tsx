import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { peopleQuery } from '../../api/queries.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { PeopleTable } from './people-table.tsx';

/** The people who have logged in or have keys. */
export function People(): ReactNode {
  const query = useQuery(peopleQuery);
  return (
    <Page
      title="People"
      about="Who has logged in or has a key. Groups at your identity provider decide what they may do after a login."
    >
      <Loaded query={query}>
        {(people) =>
          people.length === 0 ? (
            <EmptyNote title="Nobody yet">People appear here when they log in, or when a key is made.</EmptyNote>
          ) : (
            <PeopleTable people={people} />
          )
        }
      </Loaded>
    </Page>
  );
}
