import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { keysQuery } from '../../api/queries.ts';
import type { Key } from '../../api/types.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { SureButton } from '../../parts/control/sure-button.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Table } from '../../parts/table.tsx';
import { formatTime } from '../../parts/words/time.ts';

function stateOf({ revokedAt, expiresAt }: Key): { readonly tone: Tone; readonly word: string } {
  if (revokedAt !== undefined) return { tone: 'bad', word: 'revoked' };
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return { tone: 'plain', word: 'expired' };
  return { tone: 'good', word: 'valid' };
}

const revoke = (id: string): Promise<unknown> => read(client.DELETE('/api/v1/keys/{id}', { params: { path: { id } } }));

interface KeyTableProps {
  readonly keys: readonly Key[];
}

export function KeyTable({ keys }: KeyTableProps): ReactNode {
  return (
    <Table label="Keys" columns={['Label', 'Principal', 'Scopes', 'Made', 'Expires', 'State']} lastColumn="Actions">
      {keys.map((key) => {
        const { tone, word } = stateOf(key);
        return (
          <tr key={key.id}>
            <th scope="row" className="cell-name">
              <Inert text={key.label} />
              <br />
              <code className="muted">{key.id}</code>
            </th>
            <td>
              <Inert text={key.principal} />
            </td>
            <td>{key.scopes.join(', ')}</td>
            <td className="cell-time">{formatTime(key.madeAt)}</td>
            <td className="cell-time">{key.expiresAt === undefined ? 'never' : formatTime(key.expiresAt)}</td>
            <td>
              <Badge tone={tone}>{word}</Badge>
            </td>
            <td>
              {word === 'valid' && (
                <SureButton
                  act="Revoke"
                  label={key.label}
                  queryKey={keysQuery.queryKey}
                  onSure={() => revoke(key.id)}
                />
              )}
            </td>
          </tr>
        );
      })}
    </Table>
  );
}
