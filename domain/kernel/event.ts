export type AuditAction = 'create' | 'update' | 'delete';

export type Audit<Data, Entity extends string> = readonly [
  action: AuditAction,
  entity: Entity,
  words: string | ((data: Data) => string),
];

/** `person` names the key: an account id, or such as `visitor-2026-11`. */
type Sealing<Data> =
  | { readonly sealed: readonly (keyof Data & string)[]; readonly person: (data: Data) => string }
  | { readonly sealed?: undefined; readonly person?: undefined };

interface Facets<Data, Entity extends string, Work extends boolean> {
  readonly version?: number;
  /** By version: turns its data into the next version's. */
  readonly upcast?: Readonly<Record<number, (data: never) => object>>;
  /** Null for routine events, and those beside a more telling one. */
  readonly audit: Audit<Data, Entity> | null;
  readonly work: Work;
}

export type Declaration<Data, Entity extends string, Work extends boolean> = Facets<Data, Entity, Work> &
  Sealing<Data>;

export interface EventSchema<
  Data extends object,
  Entity extends string = string,
  Work extends boolean = boolean,
> extends Facets<Data, Entity, Work> {
  readonly version: number;
  readonly sealed: readonly (keyof Data & string)[];
  readonly person?: (data: Data) => string;
  /** Never set: carries `Data` for inference. */
  readonly data?: Data;
}

export type EventSchemas<Entity extends string = string> = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: a registry of differing schemas has no narrower common type
  Record<string, EventSchema<any, Entity>>
>;

/** `defineEvent<Data>()({ audit, work })` */
export const defineEvent =
  <Data extends object>() =>
  <const Work extends boolean, const Entity extends string = never>(
    declared: Declaration<Data, Entity, Work>,
  ): EventSchema<Data, Entity, Work> => ({ version: 1, ...declared, sealed: declared.sealed ?? [] });

export const typesOf = <Type extends string>(byType: Readonly<Record<Type, unknown>>): readonly Type[] =>
  Object.keys(byType) as Type[];

export type EventOf<Schemas extends EventSchemas> = {
  [Type in keyof Schemas & string]: {
    readonly type: Type;
    readonly data: Readonly<NonNullable<Schemas[Type]['data']>>;
  };
}[keyof Schemas & string];
