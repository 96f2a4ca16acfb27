import './webhooks.css';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { webhooksQuery } from '../../api/queries.ts';
import { NewSecret } from '../../parts/control/new-secret.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { AddWebhook } from './add-webhook.tsx';
import { WebhookTable } from './webhook-table.tsx';

/** Where people are told that a call waits for them. */
export function Webhooks(): ReactNode {
  const query = useQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | undefined>();
  const add = (
    <button type="button" className="button button-main" onClick={() => setAdding(true)}>
      Add a webhook
    </button>
  );
  return (
    <Page
      title="Webhooks"
      about="Where people are told that a call waits for them. A message says who called which tool and why it waits, without arguments."
      actions={!isAdding && add}
    >
      <div className="sections">
        {secret !== undefined && (
          <NewSecret
            of="secret"
            secret={secret}
            about="The receiver checks the signatures of messages with it."
            onDone={() => setSecret(undefined)}
          />
        )}
        {isAdding && (
          <AddWebhook
            onCancel={() => setAdding(false)}
            onAdded={(added) => {
              setSecret(added);
              setAdding(false);
            }}
          />
        )}
        <Loaded query={query}>
          {(webhooks) =>
            webhooks.length === 0 ? (
              <EmptyNote title="No webhooks yet">Add one for the chat or the system where people are asked.</EmptyNote>
            ) : (
              <WebhookTable webhooks={webhooks} />
            )
          }
        </Loaded>
      </div>
    </Page>
  );
}
