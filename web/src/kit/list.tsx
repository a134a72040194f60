import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { AnswerOf, Call } from '#domain/contracts/call.ts';
import { keyOf, useList } from '../api/answers.ts';
import { type Arguments, ask, messageOf } from '../api/client.ts';
import { saveFile } from '../api/save-file.ts';
import { loggedOut } from '../frame/logged-out.ts';
import { Below } from '../ui/bar.tsx';
import { Box, Panel, Row } from '../ui/box.tsx';
import { Button } from '../ui/button.tsx';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { RoundSelect } from '../ui/field.tsx';
import { Icon } from '../ui/icons.tsx';
import { Notice } from '../ui/notice.tsx';
import { Blank } from '../ui/page.tsx';
import { Pagination } from '../ui/pagination.tsx';
import { Heading, Text } from '../ui/text.tsx';
import { complain, toast } from '../ui/toast.tsx';
import { type ListState, useListState } from './list-state.ts';
import { SearchField } from './search-field.tsx';

/** What a list can be narrowed to by one choice. */
export interface Filter {
  /** The name by which the server filters. */
  readonly name: string;
  /** What it is, for who listens: "Status". */
  readonly label: string;
  /** The choice that doesn't narrow: "All statuses". */
  readonly all: string;
  /** The words of each value that the server knows. */
  readonly options: Readonly<Record<string, string>>;
}

/** Something that can be done with a row. */
export interface Action {
  /** What the button says: "Deny". */
  readonly words: string;
  /** What it says to who listens, with the row's name: "Deny refund 12". */
  readonly label: string;
  readonly run: () => void;
}

type RowOf<C extends Call> =
  AnswerOf<C> extends readonly (infer Row extends { id: string | number })[] ? Row : never;

interface ListProps<C extends Call> {
  readonly call: C;
  readonly title: string;
  /** What is listed, in the plural: "refunds". */
  readonly noun: string;
  readonly columns: readonly Column<RowOf<C>>[];
  readonly actions?: (row: RowOf<C>) => readonly Action[];
  /** Rows on a page. */
  readonly perPage: number;
  /** What is searched: "Search by title or venue". Without it there is no search. */
  readonly search?: string;
  readonly filters?: readonly Filter[];
  /** What can be done with the list: buttons at its head. */
  readonly tools?: ReactNode;
  /** Says that there is nothing, where nothing narrows the list. */
  readonly empty: { readonly title: string; readonly text?: string };
  /** The call that answers the same rows as a file: all pages of what the list is narrowed to. */
  readonly exportCall?: Call & { readonly answer: 'text/csv' };
  /** Asks again by itself, after so many milliseconds. */
  readonly every?: number;
}

/** Search, filters and, on a phone where no header can be pressed, the order. */
const FilterBar = ({
  search,
  filters,
  columns,
  list,
}: {
  search: string | undefined;
  filters: readonly Filter[];
  columns: readonly Pick<Column<never>, 'header' | 'sort'>[];
  list: ListState;
}) => {
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
          options={[
            { value: '', label: all },
            ...Object.entries(options).map(([value, words]) => ({ value, label: words })),
          ]}
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

/** Fetches anew what a call answers, and all that lies below it: a list's figures with the list. */
const RefreshButton = ({ call }: { call: Call }) => {
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await client.invalidateQueries({ queryKey: keyOf(call) });
    setBusy(false);
  };
  return (
    <Button size="compact" busy={busy} busyText="Refreshing..." onClick={run}>
      <Icon name="refresh" size={16} /> Refresh
    </Button>
  );
};

/** Saves what a list is narrowed to as a file, all its pages. */
const ExportButton = ({
  call,
  query: { page, limit, ...query },
  noun,
}: {
  call: Call;
  query: ListState['query'];
  noun: string;
}) => {
  const [share, setShare] = useState<number>();
  const run = async () => {
    setShare(0);
    try {
      const name = await saveFile(await ask(call, { query }), setShare);
      toast({ title: 'Export Successful', description: `Saved as ${name}.` });
    } catch (error) {
      if (!loggedOut(error)) complain('Export Failed', messageOf(error, `Failed to export ${noun} data`));
    }
    setShare(undefined);
  };
  return (
    <Button
      size="compact"
      busy={share !== undefined}
      busyText={`Exporting... ${Math.round((share ?? 0) * 100)}%`}
      onClick={run}
    >
      <Icon name="download" size={16} /> Export
    </Button>
  );
};

const ActionButtons = ({ actions }: { actions: readonly Action[] }) =>
  actions.map(({ words, label, run }) => (
    <Button key={words} kind="plain" size="compact" aria-label={label} onClick={run}>
      {words}
    </Button>
  ));

/** Says that there is nothing to show: at all, or nothing that matches. */
const Nothing = ({ list, noun, empty }: Pick<ListProps<Call>, 'noun' | 'empty'> & { list: ListState }) =>
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
  );

/**
 * A list with all that belongs to it: its title, search and filters, the table with its states (place holders, nothing, nothing
 * that matches, not loaded), and its pages. What it shows stands in the address.
 */
export const List = <C extends Call>({
  call,
  title,
  noun,
  columns,
  actions,
  perPage,
  search,
  filters = [],
  tools,
  empty,
  exportCall,
  every,
}: ListProps<C>) => {
  const list = useListState(
    perPage,
    Object.fromEntries(filters.map(({ name, options }) => [name, Object.keys(options)])),
  );
  const asked = { query: list.query } as Arguments<C>[0];
  const { data, error, isPlaceholderData, refetch } = useList(call, asked, every);
  const top = useRef<HTMLDivElement>(null);
  useEffect(() => {
    loggedOut(error);
  }, [error]);
  const total = data?.total ?? 0;
  const pages = Math.ceil(total / perPage);
  const before = (list.page - 1) * perPage;
  // The last row of a page may have gone, or the address was written by hand.
  useEffect(() => {
    if (pages > 0 && list.page > pages) list.change({ page: pages }, true);
  });
  const again = (
    <Button size="compact" onClick={() => refetch()}>
      Try again
    </Button>
  );
  return (
    <Panel padding="$20" gap="$16" $md={{ padding: '$24' }}>
      <Row ref={top} justifyContent="space-between" gap="$12" flexWrap="wrap">
        <Heading size="title">{title}</Heading>
        <Row gap="$8" flexWrap="wrap">
          <RefreshButton call={call} />
          {exportCall ? <ExportButton call={exportCall} query={list.query} noun={noun} /> : null}
          {tools}
        </Row>
      </Row>
      <FilterBar {...{ search, filters, columns, list }} />
      {error ? (
        <Notice
          tone={data ? 'warn' : 'bad'}
          alert={!data}
          title={data ? 'This list may be out of date' : `The ${noun} didn’t load`}
          action={again}
        />
      ) : null}
      {data && total === 0 ? (
        <Nothing {...{ list, noun, empty }} />
      ) : error && !data ? null : (
        <Box gap="$12">
          <DataTable
            label={title}
            columns={columns}
            rows={data?.items as RowOf<C>[] | undefined}
            actions={actions && ((row) => <ActionButtons actions={actions(row)} />)}
            sort={list.sort}
            onSort={(column) => list.change({ sort: column })}
            stale={isPlaceholderData}
            skeletons={Math.min(perPage, 10)}
          />
          <Row justifyContent="space-between" gap="$16" flexWrap="wrap" minHeight={44}>
            <Text size="small" tone="dim" figures role="status">
              {data
                ? `Showing ${before + 1} to ${before + data.items.length} of ${total} ${noun}`
                : `Loading ${noun}...`}
            </Text>
            <Pagination
              label={`Pages of ${noun}`}
              page={list.page}
              pages={pages}
              onPage={(page) => {
                list.change({ page });
                top.current?.scrollIntoView({ block: 'nearest' });
              }}
            />
          </Row>
        </Box>
      )}
    </Panel>
  );
};
