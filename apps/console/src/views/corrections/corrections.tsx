import './corrections.css';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { mayUse, useMe } from '../../api/identity.ts';
import { correctionsQuery } from '../../api/queries.ts';
import type { Correction } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { raisable } from './alarms.ts';
import { CorrectionTable } from './correction-table.tsx';
import { Raise } from './raise.tsx';
import { raisedIn } from './raised.ts';
import { ThresholdTable } from './threshold-table.tsx';

function Offers({ corrections }: { readonly corrections: readonly Correction[] }): ReactNode {
  return (
    <div className="row">
      {raisable(corrections).map(({ server, tag }) => (
        <Link key={`${server} ${tag}`} to="/corrections" search={{ server, tag }} className="button">
          <span>
            Raise the threshold of <Inert text={tag} /> for <Inert text={server} />
          </span>
        </Link>
      ))}
    </div>
  );
}

/** The corrections of marks and decisions, and their consequences. */
export function Corrections(): ReactNode {
  const query = useQuery(correctionsQuery);
  // The address has whatever was typed there.
  const { server, tag } = raisedIn({ ...useSearch({ from: '/corrections' }) });
  const maySet = mayUse(useMe(), ['policy']);
  const exporting = (
    <a className="button" href="/api/v1/corrections/export" download="corrections.jsonl">
      Export
    </a>
  );
  return (
    <Page
      title="Corrections"
      about="What people have said of marks and decisions. False alarms can raise a threshold; attacks keep it low."
      actions={maySet && exporting}
    >
      <div className="sections">
        {maySet && server !== undefined && tag !== undefined && (
          <Raise key={`${server} ${tag}`} server={server} tag={tag} />
        )}
        {maySet && (
          <section>
            <h2>Raised thresholds</h2>
            <ThresholdTable />
            {query.data !== undefined && <Offers corrections={query.data} />}
          </section>
        )}
        <section>
          <h2>What was said</h2>
          <Loaded query={query}>
            {(corrections) =>
              corrections.length === 0 ? (
                <EmptyNote title="No corrections yet">
                  Open a conversation, and say of a mark or a call that it was harmless or an attack.
                </EmptyNote>
              ) : (
                <CorrectionTable corrections={corrections} />
              )
            }
          </Loaded>
        </section>
      </div>
    </Page>
  );
}
