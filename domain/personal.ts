/**
 * Personal data in an append-only log: fields that name a person are sealed with that person's own
 * key before they reach the log. Destroying the key erases them; every later read then meets `erased`.
 */

/** What a fold sees in place of a personal value whose key has been destroyed. */
export interface Erased {
  readonly erased: true;
}

/** The one erased value. Compare with `isErased`, since a value that went through JSON is a copy. */
export const erased: Erased = Object.freeze({ erased: true });

/** A value that may have been erased. */
export type Personal<T> = T | Erased;

/** Whether a personal value is gone. */
export const isErased = (value: unknown): value is Erased =>
  typeof value === 'object' && value !== null && (value as Erased).erased === true;

/** The value, or `fallback` once it has been erased. */
export const orElse = <T, F>(value: Personal<T>, fallback: F): T | F => (isErased(value) ? fallback : value);

/** How one type of event is kept: the version of its schema, and which of its fields are whose personal data. */
export interface EventSchema<Data extends object> {
  readonly version: number;
  /** Top-level fields of `data` that are sealed. */
  readonly personal: readonly (keyof Data & string)[];
  /** Whose key seals them: an account id, or a key name such as `visitor-2026-11`. Required when `personal` is not empty. */
  readonly subject?: (data: Data) => string;
  /** Lifts an older version's data to this one's, one version at a time. */
  readonly upcast?: Readonly<Record<number, (data: never) => object>>;
  /** Only a type, never a value: carries `Data` for inference. */
  readonly data?: Data;
}

/** The events of one aggregate, by type. */
// biome-ignore lint/suspicious/noExplicitAny: a registry of differing schemas has no narrower common type
export type EventSchemas = Readonly<Record<string, EventSchema<any>>>;

/** Declares an event without personal fields. */
export const plain = <Data extends object>(version = 1): EventSchema<Data> => ({ version, personal: [] });

/** Declares an event some of whose fields are sealed with the key of `subject(data)`. */
export const sealed = <Data extends object>(
  personal: readonly (keyof Data & string)[],
  subject: (data: Data) => string,
  version = 1,
): EventSchema<Data> => ({ version, personal, subject });

/** The types of event in a table by type, such as an aggregate's schemas: taken from it, none can be forgotten. */
export const typesOf = <Type extends string>(byType: Readonly<Record<Type, unknown>>): readonly Type[] =>
  Object.keys(byType) as Type[];

/** The union of an aggregate's events, derived from its schemas. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: {
    readonly type: Type;
    readonly data: Schemas[Type] extends EventSchema<infer Data> ? Readonly<Data> : never;
  };
}[keyof Schemas & string];
