import type { ReactNode } from 'react';
import { client, read } from '../../api/client.ts';
import { peopleQuery } from '../../api/queries.ts';
import type { Person } from '../../api/types.ts';
import { SureButton } from '../../parts/control/sure-button.tsx';
import { Inert } from '../../parts/inert.tsx';
import { Table } from '../../parts/table.tsx';
import { personName } from '../../parts/words/person.ts';
import { formatTime } from '../../parts/words/time.ts';

const logOut = (principal: string): Promise<unknown> =>
  read(client.POST('/api/v1/logins/end', { body: { principal } }));

function namesOf(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}

function Row({ person }: { readonly person: Person }): ReactNode {
  const { principal, login, sessions, keys, keyScopes, groups } = person;
  return (
    <tr>
      <th scope="row" className="cell-name">
        <Inert text={personName(principal)} />
      </th>
      <td className="cell-name">{login === undefined ? 'never logged in' : namesOf(login.scopes)}</td>
      <td className="cell-time">{login === undefined ? '' : formatTime(login.at)}</td>
      <td>{sessions}</td>
      <td className="cell-name">{keys === 0 ? 0 : `${keys}: ${namesOf(keyScopes)}`}</td>
      <td>
        <Inert text={namesOf(groups)} />
      </td>
      <td>
        {sessions > 0 && (
          <SureButton
            act="Log out"
            label={personName(principal)}
            queryKey={peopleQuery.queryKey}
            onSure={() => logOut(principal)}
          />
        )}
      </td>
    </tr>
  );
}

interface PeopleTableProps {
  readonly people: readonly Person[];
}

export function PeopleTable({ people }: PeopleTableProps): ReactNode {
  return (
    <Table
      label="People"
      columns={['Person', 'May do, logged in', 'Last login', 'Sessions', 'Keys', 'Groups of keys']}
      lastColumn="Actions"
    >
      {people.map((person) => (
        <Row key={person.principal} person={person} />
      ))}
    </Table>
  );
}
