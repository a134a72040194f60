import type { ReactNode } from 'react';

/** A table that scrolls sideways inside its frame where it is too wide. */
export const Table = ({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly string[];
  children: ReactNode;
}) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
  <section className="table-frame" aria-label={label} tabIndex={0}>
    <table
      className="table figures"
      data-columns={columns.length > 8 ? 'many' : columns.length > 5 ? 'some' : undefined}
    >
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </section>
);
