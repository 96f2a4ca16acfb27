import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { serversQuery } from '../../api/queries.ts';
import { Inert } from '../../parts/inert.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';

/** The servers of the workspace. */
export function ServerTable(): ReactNode {
  const query = useQuery(serversQuery);
  return (
    <Loaded query={query}>
      {(servers) =>
        servers.length === 0 ? (
          <EmptyNote title="No servers yet">
            Add one with <code>PUT /api/v1/servers/NAME</code>.
          </EmptyNote>
        ) : (
          <Table label="All servers" columns={['Name', 'Kind', 'Address or command', 'Credentials']}>
            {servers.map((server) => (
              <tr key={server.name}>
                <th scope="row" className="cell-name">
                  {server.name}
                </th>
                <td>{server.kind}</td>
                <td>
                  <code>
                    <Inert text={server.kind === 'http' ? server.url : server.command} />
                  </code>
                </td>
                <td>{server.hasCredentials ? 'stored' : 'none'}</td>
              </tr>
            ))}
          </Table>
        )
      }
    </Loaded>
  );
}
