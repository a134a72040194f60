import './theme/staff.css';
import { Fragment } from 'react';
import type { Column, Rows } from './data-table.tsx';
import { Skeleton } from './skeleton.tsx';
import { Heading } from './text.tsx';

const Placeholders = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no other key.
    <li key={index} className="picture-item" aria-hidden="true">
      <div className="skeleton picture-frame" style={{ aspectRatio: '4 / 3' }} />
      <Skeleton height={25} width="70%" />
      <Skeleton height={84} width="85%" />
    </li>
  ));

/** Takes the same props as a table; the `image` column is the picture. */
export const PictureGrid = <Row extends { readonly id: string | number }>({
  label,
  columns,
  rows,
  actions,
  skeletons = 10,
  stale,
}: Rows<Row>) => {
  const at = (place: Column<Row>['card']) => columns.filter(({ card }) => card === place);
  return (
    <ul
      className="picture-grid figures"
      aria-label={label}
      aria-busy={!rows || stale || undefined}
      data-stale={stale || undefined}
    >
      {rows ? null : <Placeholders count={skeletons} />}
      {rows?.map((row) => (
        <li key={row.id} className="picture-item">
          <div className="picture-frame">
            {at('image').map(({ header, cell }) => (
              <div key={header}>{cell(row)}</div>
            ))}
          </div>
          {at('corner').map(({ header, cell }) => (
            <Fragment key={header}>{cell(row)}</Fragment>
          ))}
          {at('head').map(({ header, cell }) => (
            <Heading key={header} render="h3" size="body">
              {cell(row)}
            </Heading>
          ))}
          <dl className="picture-facts">
            {at(undefined).map(({ header, cell }) => (
              <div key={header}>
                <dt className="unseen">{header}</dt>
                <dd>{cell(row)}</dd>
              </div>
            ))}
          </dl>
          {actions ? <div className="picture-actions">{actions(row)}</div> : null}
        </li>
      ))}
    </ul>
  );
};
