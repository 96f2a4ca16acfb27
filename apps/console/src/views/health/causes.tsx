import type { ReactNode } from 'react';
import type { Statistics } from '../../api/types.ts';
import { Inert } from '../../parts/inert.tsx';
import { EmptyNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';

type Cause = Statistics['causes'][number];

const sizeOf = ({ asked, denied, wouldAsk, wouldDeny }: Cause): number => asked + denied + wouldAsk + wouldDeny;

interface CausesProps {
  readonly causes: Statistics['causes'];
}

/** Which rules hold calls, as a table with a bar for each. */
export function Causes({ causes }: CausesProps): ReactNode {
  if (causes.length === 0)
    return <EmptyNote title="No call was held">Nothing was asked or denied in this time.</EmptyNote>;
  const most = Math.max(...causes.map(sizeOf));
  return (
    <Table label="Holds by cause" columns={['Rule', 'Asked', 'Denied', 'Would ask', 'Would deny']} lastColumn="Share">
      {causes.map((cause) => (
        <tr key={cause.rule}>
          <th scope="row" className="cell-name">
            <Inert text={cause.rule} />
          </th>
          <td>{cause.asked}</td>
          <td>{cause.denied}</td>
          <td>{cause.wouldAsk}</td>
          <td>{cause.wouldDeny}</td>
          <td className="cause-share">
            <svg viewBox="0 0 100 8" preserveAspectRatio="none" className="cause-bar" aria-hidden="true">
              <rect className="chart-bar-brand" width={(100 * sizeOf(cause)) / most} height="8" />
            </svg>
          </td>
        </tr>
      ))}
    </Table>
  );
}
