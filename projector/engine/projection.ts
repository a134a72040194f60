/** What a projection is: tables, which of their rows an event touches, and pure functions that fold the event into each row. */
import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { Filter, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { KeyOf, RowOf, Table } from '#infra/read-models/table.ts';

/** A row's key: a plain value where its table has one key column, else the values of its key columns in their order. */
export type Key = string | number | readonly (string | number)[];

/** An event as a fold gets it: decoded. `raw` has its bytes, for columns that keep a personal value sealed. */
export interface Applied<Event extends DomainEvent = DomainEvent> extends Recorded<Event> {
  readonly raw: RecordedEvent;
}

/** A table and how its rows follow from events, as the engine sees it. Projections declare it as `Projected`. */
export interface ProjectedTable {
  readonly table: Table;
  /**
   * The types of event that may touch the table; others are not read from the log. `typesOf` takes all of an aggregate's. Where
   * only some matter, derive `Event` from the list, so that the fold of an event that is not listed does not compile.
   */
  readonly types: readonly string[];
  /** Sorts out events of these types before they are decoded. It may let one through that touches no row, never drop one that does. */
  wants?(record: RecordedEvent): boolean;
  /** The types whose fold ignores the row that was there before, so that it need not be loaded. */
  readonly blind?: readonly string[] | 'any';
  /**
   * Whether its rows are sums, to which events may come in any order. A parked event then holds up no later one that touches the same row.
   * Say it where the events of many streams meet in one row.
   */
  readonly sums?: boolean;
  /** The keys of the rows that an event touches. */
  keys(event: Applied): readonly Key[];
  /** The row after the event, `undefined` where there is none. It is pure and mutates nothing. If it throws, the event is parked. */
  fold(row: object | undefined, event: Applied, key: Key): object | undefined;
}

/** How a projection declares a table: `ProjectedTable` with the types of its rows, its keys and its events. */
export interface Projected<T extends Table, Event extends DomainEvent = DomainEvent> {
  readonly table: T;
  readonly types: readonly Event['type'][];
  wants?(record: RecordedEvent): boolean;
  readonly blind?: readonly Event['type'][] | 'any';
  readonly sums?: boolean;
  keys(event: Applied<Event>): readonly KeyOf<T>[];
  fold(row: RowOf<T> | undefined, event: Applied<Event>, key: KeyOf<T>): RowOf<T> | undefined;
}

/** An SQL statement with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The keys of the rows that a batch changed, by table. */
export type Changed = ReadonlyMap<string, readonly Key[]>;

/**
 * A table that SQL derives from the projection's other tables, in the same transaction and after them. Use it only where folds
 * can't do it. The statement must make the same rows however events are cut into batches.
 */
export interface Derived {
  readonly table: Table;
  /** The statement after a batch; `undefined` if the batch changed nothing that the table depends on. `schema` is quoted. */
  derive(changed: Changed, schema: string): Statement | undefined;
}

/** A read model: its tables, and what events make of their rows. */
export interface Projection {
  readonly name: string;
  /** From `versions.json`. Read models that a lower version made are rebuilt. */
  readonly version: number;
  readonly tables: readonly ProjectedTable[];
  readonly derived?: readonly Derived[];
}

/** A projection as its file declares it. */
export interface DeclaredProjection extends Omit<Projection, 'version'> {
  /** Raise it with every change of what the folds make of events. `npm run versions` notices changed tables and types by itself. */
  readonly fold: number;
}

/** All tables of some projections. */
export const tablesOf = (projections: readonly Projection[]): readonly Table[] =>
  projections.flatMap(({ tables, derived = [] }) => [...tables, ...derived].map(({ table }) => table));

/** The version of each projection, as the checkpoint keeps them. */
export const versionsOf = (projections: readonly Projection[]): Record<string, number> =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));

/** Which projections differ in their version from those that made some read models, and which of the two programs is newer. */
export interface VersionsDiffer {
  readonly names: readonly string[];
  readonly madeBy: 'older' | 'newer';
}

/**
 * How the versions of read models differ from those of this program's projections; `undefined` if they don't. A projection that only the
 * read models have is one that this program does not know yet, unless others say that it is newer: then it has been dropped.
 */
export const compareVersions = (
  projections: readonly Projection[],
  made: Readonly<Record<string, number>>,
): VersionsDiffer | undefined => {
  const ours = versionsOf(projections);
  const names = Object.keys({ ...ours, ...made }).filter((name) => ours[name] !== made[name]);
  if (names.length === 0) return undefined;
  const raised = names.some((name) => (ours[name] ?? 0) > (made[name] ?? 0));
  const lowered = names.some((name) => name in ours && (ours[name] ?? 0) < (made[name] ?? 0));
  return { names, madeBy: raised && !lowered ? 'older' : 'newer' };
};

/** The filter for reading the log: the types of event that touch some table. */
export const filterFor = (projections: readonly Projection[]): Required<Pick<Filter, 'types'>> => ({
  types: [...new Set(projections.flatMap(({ tables }) => tables.flatMap(({ types }) => types)))],
});

/** A personal value of an event as the log keeps it, sealed, for a column of `SealedText`; null if the event has none. */
export const sealedText = (event: Applied, field: string): string | null => {
  const data: unknown = JSON.parse(event.raw.data);
  if (typeof data !== 'object' || data === null || !(field in data)) return null;
  const value: unknown = Reflect.get(data, field);
  return value === null || value === undefined ? null : JSON.stringify(value);
};

/** The row, which must be there. @throws if it is not, so that the event is parked */
export const expectRow = <Row>(row: Row | undefined, event: Applied): Row => {
  if (row === undefined) throw new Error(`${event.event.type} came for a row that is not there`);
  return row;
};
