import { useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, startTransition, useEffect, useOptimistic, useRef, useState } from 'react';
import type { AnswerOf, Call } from '#domain/contracts/call.ts';
import { type Arguments, addressOf, ask } from '#web/lib/api/client.ts';
import { keyOf } from '#web/lib/api/key-of.ts';
import { loggedOut } from '#web/lib/api/logged-out.ts';
import { saveFile } from '#web/lib/api/save-file.ts';
import { useList } from '#web/lib/api/use-answer.ts';
import { count } from '#web/lib/formatters/count.ts';
import { sayFailure } from '#web/lib/formatters/failure.ts';
import { useKeptFocus } from '#web/lib/kept-focus.ts';
import { toast, toastError } from '#web/lib/toast.ts';
import { Below } from '#web/ui/bar.tsx';
import { Box, Panel, Row } from '#web/ui/box.tsx';
import { Button } from '#web/ui/button.tsx';
import { type Column, DataTable, RowButton, RowLink } from '#web/ui/data-table.tsx';
import { Check, RoundSelect } from '#web/ui/field.tsx';
import { Icon } from '#web/ui/icons.tsx';
import { TryAgain } from '#web/ui/not-loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { EmptyState } from '#web/ui/page.tsx';
import { Pagination } from '#web/ui/pagination.tsx';
import { PictureGrid } from '#web/ui/picture-grid.tsx';
import { Heading, Text } from '#web/ui/text.tsx';
import { type ListState, useListState } from './list-state.ts';
import { SearchField } from './search-field.tsx';

type Filter = Choice | Switch;

interface Switch {
  readonly name: string;
  readonly label: string;
  readonly on: string;
}

interface Choice {
  readonly name: string;
  readonly label: string;
  readonly all: string;
  readonly options: Readonly<Record<string, string>>;
}

interface Order {
  readonly value: string;
  readonly label: string;
}

interface Action {
  readonly words: string;
  readonly open: (onClose: () => void) => ReactNode;
}

export type RowAction = (
  | Action
  | { readonly words: string; readonly button: ReactNode }
  | { readonly words: string; readonly to: string }
) & {
  readonly label?: string;
  readonly disabled?: boolean;
};

export const byStatus = (options: Choice['options'], name = 'status'): Choice => ({
  ...{ name, options },
  label: 'Status',
  all: 'All statuses',
});

type RowOf<C extends Call> =
  AnswerOf<C> extends readonly (infer Row extends { id: string | number })[] ? Row : never;

interface ListProps<C extends Call> {
  readonly call: C;
  readonly title: string;
  readonly noun?: string;
  readonly columns: readonly Column<RowOf<C>>[];
  readonly pictures?: boolean;
  readonly actions?: (row: RowOf<C>) => readonly RowAction[];
  readonly nameOf?: (row: RowOf<C>) => string;
  readonly perPage?: number;
  readonly search?: string;
  readonly filters?: readonly Filter[];
  readonly create?: Action;
  readonly empty: { readonly title: string; readonly text?: string };
  /** CSV export of all pages under the current search and filters. */
  readonly exportCall?: Call & { readonly answer: 'text/csv' };
  readonly exportWords?: string;
  readonly exportOpens?: boolean;
  /** Refetch interval in milliseconds. */
  readonly every?: number;
}

const OrderSelect = ({ orders, list }: { orders: readonly Order[]; list: ListState }) => (
  <RoundSelect
    label="Order"
    value={list.sort}
    options={[{ value: '', label: 'Usual order' }, ...orders]}
    onChange={({ target: { value } }) => list.change({ sort: value })}
  />
);

const FilterBar = ({
  search,
  filters,
  columns,
  pictures,
  list,
}: {
  search: string | undefined;
  filters: readonly Filter[];
  columns: readonly Pick<Column<never>, 'header' | 'sort'>[];
  pictures: boolean;
  list: ListState;
}) => {
  // The address changes in a transition; without the optimistic value a ticked box would revert until then.
  const [chosen, showChosen] = useOptimistic(list.filters);
  const choose = (name: string, value: string) =>
    startTransition(() => {
      showChosen((before) => ({ ...before, [name]: value }));
      list.change({ filters: { [name]: value } });
    });
  const orders = columns.flatMap(({ header, sort }) =>
    sort
      ? [
          { value: sort, label: `${header} ↑` },
          { value: `-${sort}`, label: `${header} ↓` },
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
      {filters.map((filter) => {
        const { name, label } = filter;
        const set = (value: string) => choose(name, value);
        return 'on' in filter ? (
          <Check
            key={name}
            label={label}
            role="switch"
            checked={chosen[name] === filter.on}
            onChange={({ target }) => set(target.checked ? filter.on : '')}
          />
        ) : (
          <RoundSelect
            key={name}
            label={label}
            value={chosen[name]}
            options={[
              { value: '', label: filter.all },
              ...Object.entries(filter.options).map(([value, words]) => ({ value, label: words })),
            ]}
            onChange={({ target: { value } }) => set(value)}
          />
        );
      })}
      {orders.length > 0 && pictures ? <OrderSelect {...{ orders, list }} /> : null}
      {orders.length > 0 && !pictures ? (
        <Below width="tablet">
          <OrderSelect {...{ orders, list }} />
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

export const ExportButton = ({
  call,
  query,
  noun,
  words,
  opens = false,
}: {
  call: Call;
  query: object;
  noun: string;
  words: string;
  opens?: boolean;
}) => {
  const [share, setShare] = useState<number>();
  const run = async () => {
    if (opens) {
      window.open(addressOf(call, { query }), '_blank', 'noopener');
      return;
    }
    setShare(0);
    try {
      const name = await saveFile(await ask(call, { query }), setShare);
      toast({ title: 'Export Successful', description: `Saved as ${name}.` });
    } catch (error) {
      if (!loggedOut(error)) toastError('Export Failed', sayFailure(error, `Failed to export ${noun} data`));
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
      <Icon name="download" size={16} />
      <span>{words}</span>
    </Button>
  );
};

const Nothing = ({
  list,
  noun,
  empty,
}: {
  list: ListState;
  noun: string;
  empty: ListProps<Call>['empty'];
}) =>
  list.isNarrowed ? (
    <EmptyState
      level="h3"
      title={`No ${noun} match`}
      action={
        <Button kind="outline" onClick={list.clear}>
          Clear filters
        </Button>
      }
    >
      Try a shorter search, or fewer filters.
    </EmptyState>
  ) : (
    <EmptyState level="h3" title={empty.title}>
      {empty.text}
    </EmptyState>
  );

export const List = <C extends Call>({
  call,
  title,
  noun = title.toLowerCase(),
  columns,
  pictures = false,
  actions,
  nameOf = () => '',
  perPage = 25,
  search,
  filters = [],
  create,
  empty,
  exportCall,
  exportWords = 'Export',
  exportOpens = false,
  every,
}: ListProps<C>) => {
  const list = useListState(
    perPage,
    Object.fromEntries(
      filters.map((filter) => [filter.name, 'on' in filter ? [filter.on] : Object.keys(filter.options)]),
    ),
    columns.flatMap(({ sort = [] }) => sort),
  );
  const asked = { query: list.query } as Arguments<C>[0];
  const { data, error, isPlaceholderData, refetch } = useList(call, asked, { refetchInterval: every });
  const [dialog, setDialog] = useState<Action>();
  const top = useRef<HTMLDivElement>(null);
  const keptFocus = useKeptFocus(top);
  const total = data?.total ?? 0;
  const pages = Math.ceil(total / perPage);
  const before = (list.page - 1) * perPage;
  // The page may no longer exist. Placeholder rows carry an old total.
  useEffect(() => {
    if (!isPlaceholderData && pages > 0 && list.page > pages) list.change({ page: pages }, true);
  });
  const rows = {
    label: title,
    columns,
    rows: data?.items as RowOf<C>[] | undefined,
    actions:
      actions &&
      ((row: RowOf<C>) =>
        actions(row).map((action) => {
          const { words, label = `${words} ${nameOf(row)}`, disabled } = action;
          if ('button' in action) return <Fragment key={words}>{action.button}</Fragment>;
          return 'to' in action ? (
            <RowLink key={words} to={action.to} {...{ words, label }} />
          ) : (
            <RowButton key={words} onClick={() => setDialog(action)} {...{ words, label, disabled }} />
          );
        })),
    stale: isPlaceholderData,
    skeletons: Math.min(perPage, 10),
  };
  return (
    <Panel padding="$20" gap="$16" $md={{ padding: '$24' }} {...keptFocus}>
      <Row ref={top} tabIndex={-1} justifyContent="space-between" gap="$12" flexWrap="wrap">
        <Heading size="title">{title}</Heading>
        <Row gap="$8" flexWrap="wrap">
          <RefreshButton call={call} />
          {exportCall ? (
            <ExportButton
              call={exportCall}
              query={{ ...list.query, offset: undefined, limit: undefined }}
              noun={noun}
              words={exportWords}
              opens={exportOpens}
            />
          ) : null}
          {create ? (
            <Button kind="primary" size="compact" onClick={() => setDialog(create)}>
              <Icon name="plus" size={18} />
              <span>{create.words}</span>
            </Button>
          ) : null}
        </Row>
      </Row>
      <FilterBar {...{ search, filters, columns, pictures, list }} />
      {error ? (
        <Notice
          tone={data ? 'warn' : 'bad'}
          alert={!data}
          title={data ? 'This list may be out of date' : `Failed to fetch ${noun}`}
          action={<TryAgain refetch={refetch} />}
        />
      ) : null}
      {error && !data ? null : (
        <Box gap="$12">
          {data && total === 0 ? (
            <Nothing {...{ list, noun, empty }} />
          ) : pictures ? (
            <PictureGrid {...rows} />
          ) : (
            <DataTable {...rows} sort={list.sort} onSort={(column) => list.change({ sort: column })} />
          )}
          <Row
            justifyContent="space-between"
            gap="$16"
            flexWrap="wrap"
            minHeight={data && total === 0 ? 0 : 44}
          >
            <Text size="small" tone="dim" figures role="status">
              {data
                ? total > 0
                  ? `Showing ${count(before + 1)} to ${count(before + data.items.length)} of ${count(total)} ${noun}`
                  : `0 ${noun}`
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
      {dialog?.open(() => setDialog(undefined))}
    </Panel>
  );
};
