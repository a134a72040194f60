import { type AuditEntity, aggregates } from './aggregates.ts';
import type { AuditAction, EventOf, EventSchemas } from './kernel/event.ts';

type Schemas = (typeof aggregates)[number]['events'];

export const allEvents: EventSchemas<AuditEntity> = Object.assign(
  {},
  ...aggregates.map(({ events }) => events),
);

type EachEventOf<S extends EventSchemas> = S extends EventSchemas ? EventOf<S> : never;
type WorkingOf<S extends EventSchemas> = S extends EventSchemas
  ? { [Type in keyof S & string]: S[Type]['work'] extends true ? Type : never }[keyof S & string]
  : never;

export type AnyEvent = EachEventOf<Schemas>;
export type EventType = AnyEvent['type'];
export type DataOf<Type extends EventType> = Extract<AnyEvent, { type: Type }>['data'];

export type WorkingType = WorkingOf<Schemas>;
export type WorkingEvent = Extract<AnyEvent, { type: WorkingType }>;

const typesWhere = <Type extends EventType>(
  demand: (schema: EventSchemas[string]) => boolean,
): readonly Type[] =>
  Object.entries(allEvents).flatMap(([type, schema]) => (demand(schema) ? (type as Type) : []));

export const WORKING_TYPES = typesWhere<WorkingType>(({ work }) => work);
export const AUDITED_TYPES = typesWhere(({ audit }) => audit !== null);

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
