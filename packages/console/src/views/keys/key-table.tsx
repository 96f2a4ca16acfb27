import type { ReactNode } from 'react';
import type { Key } from '../../api/types.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { Inert } from '../../parts/inert.tsx';
import { formatTime } from '../../parts/time.ts';
import { RevokeButton } from './revoke-button.tsx';

function stateOf({ revokedAt, expiresAt }: Key): { readonly tone: Tone; readonly word: string } {
  if (revokedAt !== undefined) return { tone: 'bad', word: 'revoked' };
  if (expiresAt !== undefined && Date.parse(expiresAt) <= Date.now()) return { tone: 'plain', word: 'expired' };
  return { tone: 'good', word: 'valid' };
}

interface KeyTableProps {
  readonly keys: readonly Key[];
}

export function KeyTable({ keys }: KeyTableProps): ReactNode {
  return (
    <div className="panel scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Label</th>
            <th scope="col">Principal</th>
            <th scope="col">Scopes</th>
            <th scope="col">Made</th>
            <th scope="col">Expires</th>
            <th scope="col">State</th>
            <th scope="col">
              <span className="hidden-text">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
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
                <td>{word === 'valid' && <RevokeButton id={key.id} label={key.label} />}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
