import { type ReactNode, useState } from 'react';
import { SUPPLIERS } from '../../api/presets.ts';
import type { PolicyBody } from '../../api/types.ts';
import { EmptyNote } from '../../parts/note.tsx';
import { SUPPLIER_NAMES } from '../../parts/words/policy-cell.ts';
import { effectiveTable, OUTCOMES, type Outcome, type TableRow, withCell } from './table.ts';

interface RowProps {
  readonly row: TableRow;
  /** Absent: the cells are only shown. */
  readonly onCell: ((supplier: TableRow['cells'][number]['supplier'], outcome: Outcome) => void) | undefined;
}

function Row({ row: { effect, cells }, onCell }: RowProps): ReactNode {
  return (
    <tr>
      <th scope="row">{effect}</th>
      {cells.map(({ supplier, outcome, isChanged }) => (
        <td key={supplier} className={`outcome outcome-${outcome}`}>
          {onCell === undefined ? (
            outcome
          ) : (
            <select
              className="outcome-select"
              aria-label={`${effect}, ${SUPPLIER_NAMES[supplier]}`}
              value={outcome}
              onChange={({ target }) => onCell(supplier, target.value as Outcome)}
            >
              {OUTCOMES.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
          {isChanged && (
            <>
              {' '}
              <span className="outcome-changed">changed</span>
            </>
          )}
        </td>
      ))}
    </tr>
  );
}

interface TableViewProps {
  readonly body: PolicyBody;
  readonly onBody: (body: PolicyBody) => void;
}

/** The table that decides: what a call does, and who supplied the value that decides. */
export function TableView({ body, onBody }: TableViewProps): ReactNode {
  const [isEditing, setEditing] = useState(false);
  const rows = effectiveTable(body);
  if (rows === undefined)
    return (
      <EmptyNote title="No table">With the preset none, every call passes. Other presets are not known.</EmptyNote>
    );
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <section className="panel scroll" aria-label="The table" tabIndex={0}>
        <table className="policy-table">
          <thead>
            <tr>
              <th scope="col">The call can</th>
              {SUPPLIERS.map((supplier) => (
                <th key={supplier} scope="col">
                  {SUPPLIER_NAMES[supplier]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row
                key={row.effect}
                row={row}
                onCell={
                  isEditing
                    ? (supplier, outcome) => onBody(withCell(body, { effect: row.effect, supplier }, outcome))
                    : undefined
                }
              />
            ))}
          </tbody>
        </table>
      </section>
      <div className="row">
        <button type="button" className="button" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
          {isEditing ? 'Stop editing the table' : 'Edit the table'}
        </button>
        {isEditing && (
          <span className="small muted">Nothing applies yet: what you choose goes into the draft below.</span>
        )}
      </div>
    </>
  );
}
