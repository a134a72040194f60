import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Listed } from '../api/client.ts';
import { loggedOut } from '../frame/logged-out.ts';
import { Below } from '../ui/bar.tsx';
import { Box, Panel, Row } from '../ui/box.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { type Option, RoundSelect } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { Blank } from '../ui/page.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Heading, Text } from '../ui/text.tsx';
import type { ListState } from './list-state.ts';
import { SearchField } from './search-field.tsx';

/** A list as its hook has it: the rows of a page, and how many there are in all. */
export type ListQuery<Row> = Pick<
  UseQueryResult<Listed<Row>>,
  'data' | 'error' | 'isPlaceholderData' | 'refetch'
>;

/** What a list can be narrowed to by one choice. */
export interface Filter<Name extends string> {
  readonly name: Name;
  /** What it is, for who listens: "Status". */
  readonly label: string;
  /** The choice that doesn't narrow: "All statuses". */
  readonly all: string;
  readonly options: readonly Option[];
}

type Choices = Readonly<Record<string, readonly string[]>>;

interface ListProps<Row, Filters extends Choices> {
  readonly title: string;
  /** What is listed, in the plural: "refunds". */
  readonly noun: string;
  readonly query: ListQuery<Row>;
  readonly list: ListState<Filters>;
  readonly columns: readonly Column<Row>[];
  /** What can be done with a row. */
  readonly actions?: (row: Row) => ReactNode;
  /** What is searched: "Search by title or venue". Without it there is no search. */
  readonly search?: string;
  readonly filters?: readonly Filter<keyof Filters & string>[];
  /** What can be done with the list: buttons at its head. */
  readonly tools?: ReactNode;
  /** Says that there is nothing, where nothing narrows the list. */
  readonly empty: { readonly title: string; readonly text?: string };
  /** Fetches anew what the list and its surroundings show. The list alone unless told. */
  readonly onRefresh?: () => Promise<unknown>;
}

/** Search, filters and, on a phone where no header can be pressed, the order. */
const FilterBar = <Row, Filters extends Choices>({
  search,
  filters = [],
  list,
  columns,
}: Pick<ListProps<Row, Filters>, 'search' | 'filters' | 'list' | 'columns'>) => {
  const orders = columns.flatMap(({ header, sort }) =>
    sort
      ? [
          { value: sort, label: `${header}, ascending` },
          { value: `-${sort}`, label: `${header}, descending` },
        ]
      : [],
  );
  if (!search && filters.length === 0 && orders.length === 0) return null;
  return (
    <div className="filter-bar">
      {search ? (
        <div className="filter-search">
          <SearchField
            label={search}
            search={list.search}
            onSearch={(text) => list.change({ search: text })}
          />
        </div>
      ) : null}
      {filters.map(({ name, label, all, options }) => (
        <RoundSelect
          key={name}
          label={label}
          value={list.filters[name]}
          options={[{ value: '', label: all }, ...options]}
          onChange={({ target: { value } }) => list.change({ filters: { ...list.filters, [name]: value } })}
        />
      ))}
      {orders.length > 0 ? (
        <Below width="tablet">
          <RoundSelect
            label="Order"
            value={list.sort}
            options={[{ value: '', label: 'Usual order' }, ...orders]}
            onChange={({ target: { value } }) => list.change({ sort: value })}
          />
        </Below>
      ) : null}
      {list.isNarrowed ? (
        <Button kind="plain" size="compact" onClick={list.clear}>
          Clear filters
        </Button>
      ) : null}
    </div>
  );
};

const RefreshButton = ({ onRefresh }: { onRefresh: () => Promise<unknown> }) => {
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await onRefresh();
    setBusy(false);
  };
  return (
    <Button size="compact" busy={busy} busyText="Refreshing..." onClick={run}>
      <Icon name="refresh" size={16} /> Refresh
    </Button>
  );
};

/**
 * A list with all that belongs to it: its title, search and filters, the table with its states (place holders, nothing, nothing
 * that matches, not loaded), and its pages.
 */
export const List = <Row extends { readonly id: string | number }, Filters extends Choices>({
  title,
  noun,
  query,
  list,
  columns,
  actions,
  search,
  filters,
  tools,
  empty,
  onRefresh,
}: ListProps<Row, Filters>) => {
  const { data, error, isPlaceholderData, refetch } = query;
  const { page, perPage, change } = list;
  const total = data?.total ?? 0;
  const pages = Math.ceil(total / perPage);
  const first = (page - 1) * perPage + 1;
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    loggedOut(error);
  }, [error]);
  // The last one of a page may have gone, or the address was written by hand.
  const beyond = pages > 0 && page > pages;
  useEffect(() => {
    if (beyond) change({ page: pages }, true);
  });
  const again = (
    <>
      <Button size="compact" onClick={() => refetch()}>
        Try again
      </Button>
      {list.isNarrowed ? (
        <Button size="compact" kind="plain" onClick={list.clear}>
          Clear filters
        </Button>
      ) : null}
    </>
  );
  const rows = (
    <>
      <DataTable
        label={title}
        rows={data?.items}
        sort={list.sort}
        onSort={(sort) => change({ sort })}
        stale={isPlaceholderData}
        skeletons={Math.min(perPage, 10)}
        {...{ columns, actions }}
      />
      <Row justifyContent="space-between" gap="$16" flexWrap="wrap" minHeight={44}>
        <Text size="small" tone="dim" figures role="status">
          {data
            ? `Showing ${first} to ${first + data.items.length - 1} of ${total} ${noun}`
            : `Loading ${noun}...`}
        </Text>
        <Pagination
          label={`Pages of ${noun}`}
          page={page}
          pages={pages}
          onPage={(to) => {
            change({ page: to });
            top.current?.scrollIntoView({ block: 'nearest' });
          }}
        />
      </Row>
    </>
  );
  return (
    <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
      <Row ref={top} justifyContent="space-between" gap="$12" flexWrap="wrap">
        <Heading size="title">{title}</Heading>
        <Row gap="$8" flexWrap="wrap">
          <RefreshButton onRefresh={onRefresh ?? refetch} />
          {tools}
        </Row>
      </Row>
      <FilterBar {...{ search, filters, list, columns }} />
      {error && data ? <Notice tone="warn" title="This list may be out of date" action={again} /> : null}
      {error && !data ? (
        <Notice tone="bad" alert title={`The ${noun} didn’t load`} action={again} />
      ) : data && total === 0 ? (
        list.isNarrowed ? (
          <Blank
            level="h3"
            title={`No ${noun} match`}
            action={
              <Button kind="outline" onClick={list.clear}>
                Clear filters
              </Button>
            }
          >
            Try a shorter search, or fewer filters.
          </Blank>
        ) : (
          <Blank level="h3" title={empty.title}>
            {empty.text}
          </Blank>
        )
      ) : (
        <Box gap="$12">{rows}</Box>
      )}
    </Panel>
  );
};
