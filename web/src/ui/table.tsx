import { type ReactNode, useEffect, useRef, useState } from 'react';

export interface TableRow {
  readonly key: string | number;
  /** One a column, in the columns' order. */
  readonly cells: readonly ReactNode[];
}

/**
 * A table. On a phone each row reads as a card, with the column's name before each value; where it is still too wide it scrolls
 * sideways inside its frame. The roles are spelt out, since browsers forget them once rows are laid out as cards.
 */
export const Table = ({
  label,
  columns,
  rows,
}: {
  label: string;
  columns: readonly string[];
  rows: readonly TableRow[];
}) => {
  const frame = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => setScrolls(current.scrollWidth > current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    // What scrolls has to be reachable by keyboard; what doesn't would only be one stop more.
    <section ref={frame} className="table-frame" aria-label={label} tabIndex={scrolls ? 0 : undefined}>
      {/* biome-ignore-start lint/a11y/noRedundantRoles: laid out as cards, these elements would be a table no more. */}
      <table
        className="table figures"
        role="table"
        data-columns={columns.length > 8 ? 'many' : columns.length > 5 ? 'some' : undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column} scope="col" role="columnheader">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(({ key, cells }) => (
            <tr key={key} role="row">
              {columns.map((column, index) => (
                <td key={column} role="cell" data-label={column}>
                  <div>{cells[index]}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
    </section>
  );
};
