/** How an event is declared: how it is stored, and everything that follows from it outside its own aggregate. */

export type AuditAction = 'create' | 'update' | 'delete';

/** An entry of the audit trail: what was done, to what (a key of `auditEntities`), and in which words, in the past tense: `Rescheduled`. */
export type Audit<Data, Entity extends string> = readonly [
  action: AuditAction,
  entity: Entity,
  words: string | ((data: Data) => string),
];

/** Personal fields are sealed with a key. Its name is an account id, or a name such as `visitor-2026-11`. */
type Sealing<Data> =
  | { readonly sealed: readonly (keyof Data & string)[]; readonly person: (data: Data) => string }
  | { readonly sealed?: undefined; readonly person?: undefined };

interface Facets<Data, Entity extends string, Work extends boolean> {
  /** Default 1. */
  readonly version?: number;
  /** Turn the data of a version (the key) into that of the next version. */
  readonly upcast?: Readonly<Record<number, (data: never) => object>>;
  /** Null for routine, and for events that a command records beside a more telling one, such as a new listing's first tickets. */
  readonly audit: Audit<Data, Entity> | null;
  /** Whether jobs or mails follow from it: `policies` in `command-api/reactors/reactions.ts` says which. */
  readonly work: Work;
}

/** What a type of event is declared with. */
export type Declaration<Data, Entity extends string, Work extends boolean> = Facets<Data, Entity, Work> &
  Sealing<Data>;

/** The schema of a type of event. */
export interface EventSchema<
  Data extends object,
  Entity extends string = string,
  Work extends boolean = boolean,
> extends Facets<Data, Entity, Work> {
  readonly version: number;
  /** Top-level fields of `data` that are sealed with the key of `person(data)`. */
  readonly sealed: readonly (keyof Data & string)[];
  readonly person?: (data: Data) => string;
  /** Never set. It only carries the type `Data` for inference. */
  readonly data?: Data;
}

/** The events of one aggregate, by type. */
export type EventSchemas<Entity extends string = string> = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: a registry of differing schemas has no narrower common type
  Record<string, EventSchema<any, Entity>>
>;

/** Declares a type of event: `defineEvent<Data>()({ audit, work })`. */
export const defineEvent =
  <Data extends object>() =>
  <const Work extends boolean, const Entity extends string = never>(
    declared: Declaration<Data, Entity, Work>,
  ): EventSchema<Data, Entity, Work> => ({ version: 1, ...declared, sealed: declared.sealed ?? [] });

/** The types of events in an object with a property for each, such as an aggregate's schemas. */
export const typesOf = <Type extends string>(byType: Readonly<Record<Type, unknown>>): readonly Type[] =>
  Object.keys(byType) as Type[];

/** The union of an aggregate's events, derived from its schemas. */
export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: {
    readonly type: Type;
    readonly data: Readonly<NonNullable<Schemas[Type]['data']>>;
  };
}[keyof Schemas & string];
