import './keys.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { keysQuery } from '../../api/queries.ts';
import { NewSecret } from '../../parts/control/new-secret.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { CreateKey } from './create-key.tsx';
import { KeyTable } from './key-table.tsx';

/** The keys of the workspace. */
export function Keys(): ReactNode {
  const query = useQuery(keysQuery);
  const [isCreating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const create = (
    <button type="button" className="button button-main" onClick={() => setCreating(true)}>
      New key
    </button>
  );
  return (
    <Page title="Keys" about="Agents and programs use keys. People log in." actions={!isCreating && create}>
      <div className="sections">
        {secret !== undefined && (
          <NewSecret
            of="key"
            secret={secret}
            about="The gateway keeps only a hash of it."
            onDone={() => setSecret(undefined)}
          />
        )}
        {isCreating && (
          <CreateKey
            onCancel={() => setCreating(false)}
            onCreated={({ text }) => {
              setSecret(text);
              setCreating(false);
            }}
          />
        )}
        <Loaded query={query}>
          {(keys) =>
            keys.length === 0 ? (
              <EmptyNote title="No keys yet">Create one for each agent.</EmptyNote>
            ) : (
              <KeyTable keys={keys} />
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}
