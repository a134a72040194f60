import { type AuditEntity, aggregates } from './aggregates.ts';
import type { AuditAction, EventOf, EventSchemas } from './kernel/event.ts';

/** The schemas of each aggregate. */
type Schemas = (typeof aggregates)[number]['events'];

/** The schemas of all events, by type. Two aggregates never have a type of the same name. */
export const allEvents: EventSchemas<AuditEntity> = Object.assign(
  {},
  ...aggregates.map(({ events }) => events),
);

type EachEventOf<S extends EventSchemas> = S extends EventSchemas ? EventOf<S> : never;
type WorkingOf<S extends EventSchemas> = S extends EventSchemas
  ? { [Type in keyof S & string]: S[Type]['work'] extends true ? Type : never }[keyof S & string]
  : never;

/** Any event of the product. */
export type AnyEvent = EachEventOf<Schemas>;
export type EventType = AnyEvent['type'];
export type DataOf<Type extends EventType> = Extract<AnyEvent, { type: Type }>['data'];

/** The events that jobs or mails follow from. */
export type WorkingType = WorkingOf<Schemas>;
export type WorkingEvent = Extract<AnyEvent, { type: WorkingType }>;

const typesWhere = <Type extends EventType>(
  demand: (schema: EventSchemas[string]) => boolean,
): readonly Type[] =>
  Object.entries(allEvents).flatMap(([type, schema]) => (demand(schema) ? (type as Type) : []));

export const WORKING_TYPES = typesWhere<WorkingType>(({ work }) => work);
/** The types that the audit trail shows. */
export const AUDITED_TYPES = typesWhere(({ audit }) => audit !== null);

/** An entry of the audit trail, in words. */
export interface Act {
  readonly action: AuditAction;
  readonly entity: AuditEntity;
  readonly words: string;
}

export const actOf = ({ type, data }: AnyEvent): Act | undefined => {
  const audit = allEvents[type]?.audit;
  if (!audit) return undefined;
  const [action, entity, words] = audit;
  return { action, entity, words: typeof words === 'string' ? words : words(data) };
};
