import type { ReactNode } from 'react';

interface TableProps {
  /** The table's subject, for screen readers. */
  readonly label: string;
  readonly columns: readonly string[];
  /** The title of a last column, such as "Actions", that is only heard. @default no such column */
  readonly lastColumn?: string;
  readonly className?: string;
  /** The rows. */
  readonly children: ReactNode;
}

/** A table that scrolls sideways where the window is narrow. */
export function Table({ label, columns, lastColumn, className, children }: TableProps): ReactNode {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section className="panel scroll" aria-label={label} tabIndex={0}>
      <table className={className}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            {lastColumn !== undefined && (
              <th scope="col">
                <span className="hidden-text">{lastColumn}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
