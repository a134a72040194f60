import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Icon } from './icons.tsx';
import { Skeleton } from './skeleton.tsx';

/** A column of a table whose rows are of one kind. */
export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** The name by which the server sorts; without one the column can't be sorted. */
  readonly sort?: string;
  /** Money and counts stand at the end of the column, digit under digit. */
  readonly align?: 'end';
  /** Its place on the card that a row is on a phone: a picture before its head, the head, or the corner beside that. Below these unless told. */
  readonly card?: 'image' | 'head' | 'corner';
}

/** The order after a press on a column's header: ascending, then descending, then the usual one again. */
const nextSort = (sort: string, column: string): string =>
  sort === column ? `-${column}` : sort === `-${column}` ? '' : column;

const directions = { '': 'none', up: 'ascending', down: 'descending' } as const;

// biome-ignore-start lint/a11y/noRedundantRoles: laid out as cards, these elements would be a table no more.
const Header = <Row,>({
  column,
  sort,
  onSort,
}: {
  column: Column<Row>;
  sort: string;
  onSort: (sort: string) => void;
}) => {
  const { header, align, sort: name } = column;
  const direction = sort === name ? 'up' : sort === `-${name}` ? 'down' : '';
  return (
    <th
      scope="col"
      role="columnheader"
      data-align={align}
      aria-sort={name ? directions[direction] : undefined}
    >
      {name ? (
        <button type="button" className="sort" onClick={() => onSort(nextSort(sort, name))}>
          {header}
          <span data-direction={direction}>
            <Icon name="sort" size={14} />
          </span>
        </button>
      ) : (
        header
      )}
    </th>
  );
};

/** Bars of different lengths, the same on each render. */
const WIDTHS = ['72%', '54%', '86%', '63%'];

const SkeletonRows = ({ count, columns }: { count: number; columns: readonly string[] }) =>
  Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    // biome-ignore lint/suspicious/noArrayIndexKey: place holders have nothing else to tell them apart.
    <tr key={row} aria-hidden="true">
      {columns.map((column, index) => (
        <td key={column} data-card={index === 0 ? 'head' : undefined} data-label={column}>
          <div>
            <Skeleton height={20} width={WIDTHS[(row + index) % WIDTHS.length]} />
          </div>
        </td>
      ))}
    </tr>
  ));

/** Whether an element is wider inside than outside. */
const useScrolls = () => {
  const frame = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => setScrolls(current.scrollWidth > current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return { frame, scrolls };
};

/**
 * A table of rows of one kind. On a phone each row reads as a card, with the column's name before each value; where it is still
 * too wide it scrolls sideways inside its frame. The roles are spelt out, since browsers forget them once rows are laid out as cards.
 */
export const DataTable = <Row extends { readonly id: string | number }>({
  label,
  columns,
  rows,
  actions,
  sort = '',
  onSort = () => undefined,
  skeletons = 10,
  stale,
}: {
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined until they are there: place holders have their shape meanwhile. */
  rows: readonly Row[] | undefined;
  /** What can be done with a row: buttons, in a last column. */
  actions?: (row: Row) => ReactNode;
  /** The column that the rows are sorted by, with `-` before it where the last comes first. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** How many place holders there are. */
  skeletons?: number;
  /** Other rows are on their way. */
  stale?: boolean;
}) => {
  const { frame, scrolls } = useScrolls();
  const headers = [...columns.map(({ header }) => header), ...(actions ? ['Actions'] : [])];
  return (
    // What scrolls has to be reachable by keyboard; what doesn't would only be one stop more.
    <section ref={frame} className="table-frame" aria-label={label} tabIndex={scrolls ? 0 : undefined}>
      <table
        className="table figures"
        role="table"
        aria-label={label}
        aria-busy={!rows || stale || undefined}
        data-stale={stale || undefined}
        data-columns={headers.length > 8 ? 'many' : headers.length > 5 ? 'some' : undefined}
      >
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <Header key={column.header} {...{ column, sort, onSort }} />
            ))}
            {actions ? (
              <th scope="col" role="columnheader">
                Actions
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows ? null : <SkeletonRows count={skeletons} columns={headers} />}
          {rows?.map((row) => (
            <tr key={row.id} role="row">
              {columns.map(({ header, cell, align, card }) => (
                <td key={header} role="cell" data-label={header} data-align={align} data-card={card}>
                  <div>{cell(row)}</div>
                </td>
              ))}
              {actions ? (
                <td role="cell" data-card="actions">
                  <div>{actions(row)}</div>
                </td>
              ) : null}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
};
// biome-ignore-end lint/a11y/noRedundantRoles: see above
