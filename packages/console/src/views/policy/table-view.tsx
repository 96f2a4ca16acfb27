import type { ReactNode } from 'react';
import { ASKED, SUPPLIERS } from '../../api/presets.ts';
import type { PolicyBody } from '../../api/types.ts';
import { EmptyNote } from '../../parts/note.tsx';
import { effectiveTable, type TableRow } from './table.ts';

const SUPPLIER_NAMES: Readonly<Record<(typeof SUPPLIERS)[number], string>> = {
  trusted: 'You, or a trusted source',
  named: 'Content that you pointed at',
  model: 'The model itself',
  content: 'Content that others wrote',
  requested: 'A request in such content',
  instructed: 'An instruction to the model',
};

const ASKED_NAMES: Readonly<Record<(typeof ASKED)[number], string>> = {
  asked: 'you asked for it',
  'not asked': 'you did not ask',
  unheard: 'you are not heard',
};

function Row({ row: { effect, asked, cells } }: { readonly row: TableRow }): ReactNode {
  return (
    <tr>
      {asked === ASKED[0] && (
        <th scope="rowgroup" rowSpan={ASKED.length} className="cell-name">
          {effect}
        </th>
      )}
      <th scope="row">{ASKED_NAMES[asked]}</th>
      {cells.map(({ supplier, outcome, isChanged }) => (
        <td key={supplier} className={`outcome outcome-${outcome}`}>
          {outcome}
          {isChanged && <span className="outcome-changed"> changed</span>}
        </td>
      ))}
    </tr>
  );
}

interface TableViewProps {
  readonly body: PolicyBody;
}

/** The table that decides: what a call does, whether the user asked, and who supplied the value that decides. */
export function TableView({ body }: TableViewProps): ReactNode {
  const rows = effectiveTable(body);
  if (rows === undefined)
    return (
      <EmptyNote title="No table">With the preset none, every call passes. Other presets are not known.</EmptyNote>
    );
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="panel scroll" aria-label="The table" tabIndex={0}>
      <table className="policy-table">
        <thead>
          <tr>
            <th scope="col">Effect</th>
            <th scope="col">Asked</th>
            {SUPPLIERS.map((supplier) => (
              <th key={supplier} scope="col">
                {SUPPLIER_NAMES[supplier]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.effect} ${row.asked}`} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}
