import './theme/staff.css';
import { type FocusEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, ButtonLink } from './button.tsx';
import { Icon } from './icons.tsx';
import { Skeleton } from './skeleton.tsx';

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly sort?: string;
  readonly align?: 'end';
  /** Position on a phone, where rows are cards. Default: a line below the title. */
  readonly card?: 'image' | 'head' | 'corner';
}

export const RowButton = ({
  words,
  label,
  disabled,
  onClick,
}: {
  words: string;
  label: string;
  disabled?: boolean | undefined;
  onClick: () => void;
}) => (
  <Button kind="plain" size="compact" aria-label={label} disabled={disabled} onClick={onClick}>
    {words}
  </Button>
);

export const RowLink = ({ words, label, to }: { words: string; label: string; to: string }) => (
  <ButtonLink kind="plain" size="compact" aria-label={label} to={to}>
    {words}
  </ButtonLink>
);

const nextSort = (sort: string, column: string): string =>
  sort === column ? `-${column}` : sort === `-${column}` ? '' : column;

const directions = { '': 'none', up: 'ascending', down: 'descending' } as const;

// biome-ignore-start lint/a11y/noRedundantRoles: CSS that lays rows out as cards removes these elements' own roles.
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
      data-label={header}
      data-align={align}
      aria-sort={name ? directions[direction] : undefined}
    >
      {name ? (
        <button type="button" className="sort" onClick={() => onSort(nextSort(sort, name))}>
          <span>{header}</span>
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

const WIDTHS = ['72%', '54%', '86%', '63%'];

const SkeletonRows = ({ count, columns }: { count: number; columns: readonly string[] }) =>
  Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it takes the focus.
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key.
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

const useScrolls = () => {
  const frame = useRef<HTMLElement>(null);
  const [scrolls, setScrolls] = useState(false);
  useEffect(() => {
    const { current } = frame;
    if (!current) return;
    const observer = new ResizeObserver(() => setScrolls(current.scrollWidth > current.clientWidth));
    observer.observe(current);
    // Rows may grow wider without resizing the frame.
    if (current.firstElementChild) observer.observe(current.firstElementChild);
    return () => observer.disconnect();
  }, []);
  return { frame, scrolls };
};

/** Scrolls the focused element out from under the sticky last column. */
const uncover = ({ target, currentTarget: frame }: FocusEvent<HTMLElement>): void => {
  const last = frame.querySelector('th[data-card=actions]');
  if (!last || target === frame || target.closest('[data-card=actions]')) return;
  const covered = target.getBoundingClientRect().right - last.getBoundingClientRect().left;
  if (covered > 0) frame.scrollLeft += covered;
};

export interface Rows<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[] | undefined;
  readonly actions?: (row: Row) => ReactNode;
  readonly skeletons?: number;
  readonly stale?: boolean;
}

/** Explicit ARIA roles, because browsers drop table semantics once CSS changes a table's display (rows are cards on a phone). */
export const DataTable = <Row extends { readonly id: string | number }>({
  label,
  columns,
  rows,
  actions,
  sort = '',
  onSort = () => undefined,
  skeletons = 10,
  stale,
}: Rows<Row> & {
  /** Column's `sort` name, prefixed with `-` for descending. */
  sort?: string;
  onSort?: (sort: string) => void;
}) => {
  const { frame, scrolls } = useScrolls();
  const headers = [...columns.map(({ header }) => header), ...(actions ? ['Actions'] : [])];
  return (
    // Scrollable regions must be focusable by keyboard.
    <section
      ref={frame}
      className="table-frame"
      data-scrolls={scrolls || undefined}
      aria-label={label}
      tabIndex={scrolls ? 0 : undefined}
      onFocus={scrolls ? uncover : undefined}
    >
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
              <th scope="col" role="columnheader" data-card="actions">
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
                <td
                  key={header}
                  // Screen readers read the row header with each cell.
                  role={card === 'head' ? 'rowheader' : 'cell'}
                  data-label={header}
                  data-align={align}
                  data-card={card}
                >
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
