/** The server half of the kit for lists: one way to answer a page of rows, and the same rows as a CSV file. */
import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { type Expression, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { AnswerOf, Call, QueryOf } from '#domain/contracts/call.ts';
import { headers, type ListQuery } from '#domain/contracts/envelope.ts';
import type { Aggregate, DomainEvent } from '#domain/kernel/decider.ts';
import { HOME_ZONE, toWallClock } from '#domain/kernel/zone.ts';
import { type Answered, type Asked, route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { ReadModels } from '#infra/read-models/tables.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { columnOf, contains } from '#query-api/queries/contains.ts';
import { recordExport } from './record.ts';

/** How a list is read. */
export interface Source<Query extends ListQuery, Database, Tables extends keyof Database, Row> {
  /** The rows that the query's filters leave, in no order. Search and filters are applied here, pages are not. */
  select(query: Query): SelectQueryBuilder<Database, Tables, Row>;
  /** A column for each order that the call declares. */
  readonly sorts:
    | Readonly<Record<Exclude<NonNullable<Query['sort']>, `-${string}`>, string>>
    | ((sort: string) => Expression<unknown>);
  /** The order where the query asks for none, as `sort` would say it, or an expression that ascends. */
  readonly usual: string | Expression<unknown>;
  /** The column that tells rows apart. It orders equal ones. */
  readonly id: string;
}

/** Rows fetched at a time for a CSV file: little enough to keep in memory. */
const CSV_ROWS = 500;
/** Rows opened and written out at a time: a few milliseconds of work. */
const AT_ONCE = 50;

/** Rows in parts that are little work each. Between two of them others are answered. */
export async function* inSlices<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[], void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    yield rows.slice(from, from + AT_ONCE);
    await turn();
  }
}

const ordered = <Database, Tables extends keyof Database, Row, Query extends ListQuery>(
  { select, sorts, usual, id }: Source<Query, Database, Tables, Row>,
  query: Query,
) => {
  const asked = query.sort ?? usual;
  if (typeof asked !== 'string') return select(query).orderBy(asked).orderBy(sql.ref(id));
  const direction = asked.startsWith('-') ? 'desc' : 'asc';
  const name = asked.replace('-', '');
  const column = typeof sorts === 'function' ? sorts(name) : (sorts as Record<string, string>)[name];
  if (column === undefined) throw new Error(`no column for the order "${asked}"`);
  return select(query).orderBy(columnOf(column), direction).orderBy(sql.ref(id), direction);
};

/** From so many rows on, what stands before a page is passed over by its ids alone. */
const DEEP = 1_000;

/** The rows of a page. Far back it is found first which they are: joins that order nothing are then made for the page alone. */
const pageOf = <Database, Tables extends keyof Database, Row, Query extends ListQuery>(
  source: Source<Query, Database, Tables, Row>,
  query: Query,
): Promise<readonly Row[]> => {
  const { page, limit, offset = (page - 1) * limit } = query;
  if (offset < DEEP) return ordered(source, query).limit(limit).offset(offset).execute() as Promise<Row[]>;
  const id = sql.ref<string | number>(source.id);
  const ids = ordered(source, query).clearSelect().select(id.as('id')).limit(limit).offset(offset);
  return ordered(source, query).where(id, 'in', ids).execute() as Promise<Row[]>;
};

/**
 * A small aggregate as the source of a list: a row for each instance, with its id and its state. The list's orders are fields of the state,
 * numbers as numbers and text as text. @param searched the fields that its search looks at
 */
export const documents = <State extends object | null>(
  db: Kysely<ReadModels>,
  aggregate: Pick<Aggregate<State, never, DomainEvent>, 'name' | 'initial'>,
  searched: readonly (keyof NonNullable<State> & string)[] = [],
) => ({
  id: 'id',
  sorts: (field: string) => sql`state -> ${sql.lit(field)}`,
  select({ search }: Partial<ListQuery> = {}) {
    const found = db
      .selectFrom('document')
      .select(['id', sql<NonNullable<State>>`state`.as('state')])
      .where('aggregate', '=', aggregate.name);
    const texts = searched.map((field) => sql`(state ->> ${sql.lit(field)})`);
    return search ? found.where(contains(texts, search)) : found;
  },
});

/** Registers a list: a page of rows in the order asked for, and in `X-Total-Count` how many there are on all pages. */
export const listRoute = <
  C extends Call & { readonly method: 'GET' },
  Database,
  Tables extends keyof Database,
  Row,
>(
  app: App,
  declared: C,
  source: Source<QueryOf<C> & ListQuery, Database, Tables, Row>,
  answer: (rows: readonly Row[]) => Answered<C> | Promise<Answered<C>>,
): void =>
  route(app, declared, async (request: Asked<C>, reply) => {
    const query = request.query as QueryOf<C> & ListQuery;
    const counted = source.select(query).clearSelect().select(sql`count(*)`.as('count'));
    const [rows, { count }] = await Promise.all([
      pageOf(source, query),
      counted.$castTo<{ count: string }>().executeTakeFirstOrThrow(),
    ]);
    reply.header(headers.total, count);
    return answer(rows);
  });

/** The columns of a CSV file: each one's header, and what stands in it for an item. */
export type CsvColumns<Item> = readonly (readonly [
  header: string,
  value: (item: Item) => string | number | boolean | null,
])[];

/**
 * Before what a spreadsheet would take for a formula: at the start of a cell, and of what becomes a cell of its own where the country's
 * spreadsheets part cells at semicolons. They then don't see the quotes of a cell that is not the first, either. Some read the wide forms
 * of the signs alike.
 */
const FORMULA = /^(?=\s*[=+\-@＝＋－＠])|(?<=[;\r\n])(?=[ \t"]*[=+\-@＝＋－＠])/g;
/** A cell with an apostrophe before each formula. */
const harmless = (value: string): string => value.replace(FORMULA, "'");

/** A cell for an instant: by London's clock, in the form that spreadsheets take for a time. They take an instant in UTC for text. */
export const atHome = (instant: string | null): string | null => {
  if (instant === null) return null;
  const { date, time } = toWallClock(instant, HOME_ZONE);
  return `${date} ${time}`;
};

/** Items as lines of a CSV file. */
export const csvOf = <Item>(columns: CsvColumns<Item>, items: readonly Item[]): string =>
  stringify(
    items.map((item) => columns.map(([, value]) => value(item))),
    { cast: { string: harmless, boolean: (value) => (value ? 'yes' : 'no') } },
  );

/** A call that answers as CSV what the list's call answers, and takes the same query. */
type CsvCall<C extends Call> = Call & {
  readonly method: 'GET';
  readonly answer: 'text/csv';
  readonly query?: C['query'];
};

/** What an item of the list's answer is. */
type ItemOf<C extends Call> = AnswerOf<C> extends readonly (infer Item)[] ? Item : never;

interface Exported<C extends Call, Database, Tables extends keyof Database, Row>
  extends Source<QueryOf<C> & ListQuery, Database, Tables, Row> {
  /** `refunds` for `refunds-2026-12-04.csv`. */
  readonly name: string;
  /** The items of the answer, one for each row. */
  items(rows: readonly Row[]): readonly ItemOf<C>[] | Promise<readonly ItemOf<C>[]>;
  /** The columns of the file. */
  readonly columns: CsvColumns<ItemOf<C>>;
}

/**
 * Registers a list and the same list as a CSV file, in UTF-8 with a byte order mark: all pages of what the query asks for. Which rows
 * they are is read first and the rows then come piece by piece, so that no transaction stays open for a slow reader; a row that has
 * gone meanwhile is left out. `X-Total-Count` says how many rows there will be. Who exports what stands in the log.
 */
export const exportedListRoutes = <
  C extends Call & { readonly method: 'GET' },
  Database,
  Tables extends keyof Database,
  Row,
>(
  app: App,
  context: QueryContext,
  listed: C,
  file: CsvCall<C>,
  source: Exported<C, Database, Tables, Row>,
): void => {
  listRoute(app, listed, source, async (rows) => (await source.items(rows)) as Answered<C>);
  const { name, items, columns } = source;
  route(app, file, async (request, reply) => {
    const query = request.query as QueryOf<C> & ListQuery;
    const id = sql.ref<string | number>(source.id);
    const found = ordered(source, query).clearSelect().select(id.as('id'));
    const ids = (await found.$castTo<{ id: string | number }>().execute()).map((row) => row.id);
    await recordExport(context, request, { what: name, rows: ids.length });

    const fetched = (from: number) =>
      ordered(source, query)
        .where(id, 'in', ids.slice(from, from + CSV_ROWS))
        .execute() as Promise<Row[]>;
    const pieces = async function* () {
      yield `\uFEFF${stringify([columns.map(([header]) => header)])}`;
      for (let from = 0; from < ids.length; from += CSV_ROWS)
        for await (const rows of inSlices(await fetched(from))) yield csvOf(columns, await items(rows));
    };
    const day = context.clock().toISOString().slice(0, 10);
    reply
      .type('text/csv; charset=utf-8')
      .header(headers.total, ids.length)
      .header('content-disposition', `attachment; filename="${name}-${day}.csv"`)
      .header('cache-control', 'private, no-store');
    return Readable.from(pieces());
  });
};
