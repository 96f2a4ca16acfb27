import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { webhooksQuery } from '../../api/queries.ts';
import type { Webhook } from '../../api/types.ts';
import { Badge } from '../../parts/badge.tsx';
import { SureButton } from '../../parts/control/sure-button.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Table } from '../../parts/table.tsx';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';
import { TestButton } from './test-button.tsx';

const remove = (name: string): Promise<unknown> =>
  read(client.DELETE('/api/v1/webhooks/{name}', { params: { path: { name } } }));

function Last({ webhook: { failure, sentAt } }: { readonly webhook: Webhook }): ReactNode {
  if (failure !== undefined)
    return (
      <>
        <Badge tone="bad">failed</Badge> <Inert text={failure} />
      </>
    );
  return sentAt === undefined ? 'none yet' : `delivered ${formatTime(sentAt)}`;
}

interface WebhookTableProps {
  readonly webhooks: readonly Webhook[];
}

export function WebhookTable({ webhooks }: WebhookTableProps): ReactNode {
  return (
    <Table label="Webhooks" columns={['Name', 'Format', 'Host', 'Made by', 'Last message']} lastColumn="Actions">
      {webhooks.map((webhook) => (
        <tr key={webhook.name}>
          <th scope="row" className="cell-name">
            {webhook.name}
          </th>
          <td>{webhook.format}</td>
          <td>
            <Inert text={webhook.host} />
          </td>
          <td>
            <Inert text={personName(webhook.madeBy)} />
          </td>
          <td>
            <Last webhook={webhook} />
          </td>
          <td>
            <div className="row">
              <TestButton name={webhook.name} />
              <SureButton
                act="Remove"
                label={webhook.name}
                queryKey={webhooksQuery.queryKey}
                onSure={() => remove(webhook.name)}
              />
            </div>
          </td>
        </tr>
      ))}
    </Table>
  );
}
