/**
 * Personal data in an append-only log: fields that name a person are sealed with the person's own key before they are appended. Destroying
 * the key erases them: everyone who reads them afterwards gets `erased`.
 */

/** Stands in place of a personal value whose key was destroyed. */
export interface Erased {
  readonly erased: true;
}

/** The erased value. Compare with `isErased`: a value that was parsed from JSON is a copy. */
export const erased: Erased = Object.freeze({ erased: true });

/** Stands in place of a personal value that is not shown to this reader. Folds treat it like an erased one. */
export interface Masked extends Erased {
  readonly sealed: true;
}

/** The masked value. `isErased` holds for it, too. */
export const masked: Masked = Object.freeze({ erased: true, sealed: true });

/** A value that may have been erased. */
export type Personal<T> = T | Erased;

/** Whether a personal value was erased. */
export const isErased = (value: unknown): value is Erased =>
  typeof value === 'object' && value !== null && (value as Erased).erased === true;

/** The value, or `fallback` if it was erased. */
export const orElse = <T, F>(value: Personal<T>, fallback: F): T | F => (isErased(value) ? fallback : value);

/** The schema of a type of event: its version, and which of its fields are personal data of whom. */
export interface EventSchema<Data extends object> {
  readonly version: number;
  /** Top-level fields of `data` that are sealed. */
  readonly personal: readonly (keyof Data & string)[];
  /** The name of the key that seals them: an account id, or a name such as `visitor-2026-11`. Required if there are personal fields. */
  readonly subject?: (data: Data) => string;
  /** Turn the data of a version (the key) into that of the next version. */
  readonly upcast?: Readonly<Record<number, (data: never) => object>>;
  /** Never set. It only carries the type `Data` for inference. */
  readonly data?: Data;
}

/** The events of one aggregate, by type. */
// biome-ignore lint/suspicious/noExplicitAny: a registry of differing schemas has no narrower common type
export type EventSchemas = Readonly<Record<string, EventSchema<any>>>;

/** Declares an event without personal fields. */
export const plain = <Data extends object>(version = 1): EventSchema<Data> => ({ version, personal: [] });

/** Declares an event with personal fields, which are sealed with the key of `subject(data)`. */
export const sealed = <Data extends object>(
  personal: readonly (keyof Data & string)[],
  subject: (data: Data) => string,
  version = 1,
): EventSchema<Data> => ({ version, personal, subject });

/** The types of events in an object with a property for each, such as an aggregate's schemas. */
export const typesOf = <Type extends string>(byType: Readonly<Record<Type, unknown>>): readonly Type[] =>
  Object.keys(byType) as Type[];

/** The union of an aggregate's events, derived from its schemas. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: {
    readonly type: Type;
    readonly data: Schemas[Type] extends EventSchema<infer Data> ? Readonly<Data> : never;
  };
}[keyof Schemas & string];
