/**
 * What a projection is: data and pure folds. It says which rows an event touches and what becomes of
 * each; the engine does the rest, the same live and in a rebuild.
 */
import type { DomainEvent } from '#domain/decider.ts';
import type { Filter, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { KeyOf, RowOf, Table } from '#infra/read-models/table.ts';

/** A row's key: a plain value where its table has one key column, else the values of its key columns in their order. */
export type Key = string | number | readonly (string | number)[];

/** An event on its way into a fold: opened, and with the bytes it came as, for values that stay sealed. */
export interface Applied<Event extends DomainEvent = DomainEvent> extends Recorded<Event> {
  readonly raw: RecordedEvent;
}

/** A table, and how its rows follow from events: what the engine needs to know of it. Projections say it as `Projected`. */
export interface ProjectedTable {
  readonly table: Table;
  /**
   * The types of event that may touch it; others are not even read. `typesOf` takes them from the events' schemas. Where
   * only some matter, `Event` is made from the list, so that a fold of one that isn't listed doesn't compile.
   */
  readonly types: readonly string[];
  /** A second, cheap look at the undecoded event. It may let too much through, never too little. */
  wants?(record: RecordedEvent): boolean;
  /** Types whose fold ignores the row that was there, so that it need not be loaded. */
  readonly blind?: readonly string[] | 'any';
  /** The rows that an event touches: often one, none if the event turns out not to matter. */
  keys(event: Applied): readonly Key[];
  /** The next row, `undefined` for "no row". It is pure and never mutates; where it throws, the event is parked. */
  fold(row: object | undefined, event: Applied, key: Key): object | undefined;
}

/** The same with the types of one declared table and its events. */
export interface Projected<T extends Table, Event extends DomainEvent = DomainEvent> {
  readonly table: T;
  readonly types: readonly Event['type'][];
  wants?(record: RecordedEvent): boolean;
  readonly blind?: readonly Event['type'][] | 'any';
  keys(event: Applied<Event>): readonly KeyOf<T>[];
  fold(row: RowOf<T> | undefined, event: Applied<Event>, key: KeyOf<T>): RowOf<T> | undefined;
}

/** A statement of set-based SQL with its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The rows that one batch changed, by table. */
export type Changed = ReadonlyMap<string, readonly Key[]>;

/**
 * The one escape: a table that is derived from the projection's other rows by set-based SQL, in the same
 * transaction and after them. The statement must give the same rows however the events were cut into batches.
 */
export interface Derived {
  readonly table: Table;
  /** Nothing when the batch changed nothing that it is made of. `schema` is quoted. */
  derive(changed: Changed, schema: string): Statement | undefined;
}

export interface Projection {
  readonly name: string;
  /** Raised whenever a fold or a table changes; read models of another version are rebuilt. */
  readonly version: number;
  readonly tables: readonly ProjectedTable[];
  readonly derived?: readonly Derived[];
}

/** All tables of some projections, derived ones last. */
export const tablesOf = (projections: readonly Projection[]): readonly Table[] =>
  projections.flatMap(({ tables, derived = [] }) => [...tables, ...derived].map(({ table }) => table));

/** Fold versions by projection, as the checkpoint keeps them. */
export const versionsOf = (projections: readonly Projection[]): Record<string, number> =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));

/** What has to be read of the log: the types that some table wants. */
export const filterFor = (projections: readonly Projection[]): Filter => ({
  types: [...new Set(projections.flatMap(({ tables }) => tables.flatMap(({ types }) => types)))],
});

/** A personal value as the log holds it, for a column of sealed text; null where the event has none. */
export const sealedText = (event: Applied, field: string): string | null => {
  const data: unknown = JSON.parse(event.raw.data);
  if (typeof data !== 'object' || data === null || !(field in data)) return null;
  const value: unknown = Reflect.get(data, field);
  return value === null || value === undefined ? null : JSON.stringify(value);
};

/** For a fold that meets an event whose row must be there. @throws so that the event is parked */
export const expectRow = <Row>(row: Row | undefined, event: Applied): Row => {
  if (row === undefined) throw new Error(`${event.event.type} came for a row that is not there`);
  return row;
};
