import { accountEvents } from './account/events.ts';
import { admissionEvents } from './admission/events.ts';
import { accessEvents, bookingEvents } from './booking/events.ts';
import { checkoutEvents } from './checkout/events.ts';
import { categoryEvents, emailTemplateEvents, imageEvents, siteConfigEvents } from './content/events.ts';
import type { AuditEntity } from './contracts/admin-overview.ts';
import { disputeEvents } from './dispute/events.ts';
import { emailClaimEvents } from './email-claim/events.ts';
import type { AuditAction, EventOf, EventSchemas } from './event.ts';
import { holdsEvents } from './holds/events.ts';
import { hookEvents } from './hook/events.ts';
import { inventoryEvents } from './inventory/events.ts';
import { listingEvents } from './listing/events.ts';
import { newsletterEvents } from './newsletter/events.ts';
import { cityEvents, venueEvents } from './place/events.ts';
import { promoCodeEvents, promotionEvents } from './promotion/events.ts';
import { readsEvents } from './reads/events.ts';
import { refundEvents } from './refund/events.ts';
import { superuserEvents } from './superusers/events.ts';
import { supportEvents } from './support/events.ts';
import { waitingEvents } from './waiting/events.ts';

const schemas = {
  ...accountEvents,
  ...accessEvents,
  ...admissionEvents,
  ...bookingEvents,
  ...categoryEvents,
  ...checkoutEvents,
  ...cityEvents,
  ...disputeEvents,
  ...emailClaimEvents,
  ...emailTemplateEvents,
  ...holdsEvents,
  ...hookEvents,
  ...imageEvents,
  ...inventoryEvents,
  ...listingEvents,
  ...newsletterEvents,
  ...promoCodeEvents,
  ...promotionEvents,
  ...readsEvents,
  ...refundEvents,
  ...siteConfigEvents,
  ...superuserEvents,
  ...supportEvents,
  ...venueEvents,
  ...waitingEvents,
};

/** The schemas of all events, by type. Two aggregates never have a type of the same name. */
export const allEvents: EventSchemas<AuditEntity> = schemas;

/** Any event of the product. */
export type AnyEvent = EventOf<typeof schemas>;
export type EventType = AnyEvent['type'];
export type DataOf<Type extends EventType> = Extract<AnyEvent, { type: Type }>['data'];

/** The events that jobs or mails follow from. */
export type WorkingType = {
  [Type in EventType]: (typeof schemas)[Type]['work'] extends true ? Type : never;
}[EventType];
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
