import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { Filter, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { KeyOf, RowOf, Table } from '#infra/read-models/table.ts';

export type Key = string | number | readonly (string | number)[];

export interface Applied<Event extends DomainEvent = DomainEvent> extends Recorded<Event> {
  readonly raw: RecordedEvent;
}

export interface ProjectedTable {
  readonly table: Table;
  /**
   * Only these are read from the log. For a subset of `typesOf`, derive `Event` from the list, so that
   * folding an unlisted event does not compile.
   */
  readonly types: readonly string[];
  /** Filter before decoding. False positives are allowed, false negatives are not. */
  wants?(record: RecordedEvent): boolean;
  /** Rows are order-independent sums: a parked event does not block later ones. Set it where many streams meet in one row. */
  readonly sums?: boolean;
  keys(event: Applied): readonly Key[];
  /** Pure; `undefined` means no row. If it throws, the event is parked. */
  fold(row: object | undefined, event: Applied, key: Key): object | undefined;
}

export interface Projected<T extends Table, Event extends DomainEvent = DomainEvent> {
  readonly table: T;
  readonly types: readonly Event['type'][];
  wants?(record: RecordedEvent): boolean;
  readonly sums?: boolean;
  keys(event: Applied<Event>): readonly KeyOf<T>[];
  fold(row: RowOf<T> | undefined, event: Applied<Event>, key: KeyOf<T>): RowOf<T> | undefined;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

export type Changed = ReadonlyMap<string, readonly Key[]>;

/**
 * Derived by SQL after the other tables, in the same transaction; only for cases folds can't handle. The
 * rows must not depend on how events are batched.
 */
export interface Derived {
  readonly table: Table;
  /** `undefined` if nothing relevant changed. `schema` is quoted. */
  derive(changed: Changed, schema: string): Statement | undefined;
}

export interface Projection {
  readonly name: string;
  readonly version: number;
  readonly tables: readonly ProjectedTable[];
  readonly derived?: readonly Derived[];
}

export interface DeclaredProjection extends Omit<Projection, 'version'> {
  /** Increment on every change of the folds' results. `npm run versions` detects changed tables and types. */
  readonly fold: number;
}

export const tablesOf = (projections: readonly Projection[]): readonly Table[] =>
  projections.flatMap(({ tables, derived = [] }) => [...tables, ...derived].map(({ table }) => table));

export const versionsOf = (projections: readonly Projection[]): Record<string, number> =>
  Object.fromEntries(projections.map(({ name, version }) => [name, version]));

export interface VersionsDiffer {
  readonly names: readonly string[];
  readonly madeBy: 'older' | 'newer';
}

/**
 * `undefined` if equal. A projection unknown here means newer read models, unless other versions show this
 * program to be newer: then it was dropped.
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

export const filterFor = (projections: readonly Projection[]): Required<Pick<Filter, 'types'>> => ({
  types: [...new Set(projections.flatMap(({ tables }) => tables.flatMap(({ types }) => types)))],
});

/** A sealed personal value, for a `SealedText` column; null if the event has none. */
export const sealedText = (event: Applied, field: string): string | null => {
  const data: unknown = JSON.parse(event.raw.data);
  if (typeof data !== 'object' || data === null || !(field in data)) return null;
  const value: unknown = Reflect.get(data, field);
  return value === null || value === undefined ? null : JSON.stringify(value);
};

/** @throws if the row is missing, so that the event is parked */
export const expectRow = <Row>(row: Row | undefined, event: Applied): Row => {
  if (row === undefined) throw new Error(`${event.event.type} came for a row that is not there`);
  return row;
};
