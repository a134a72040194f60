import { accountEvents } from './account/events.ts';
import { admissionEvents } from './admission/events.ts';
import { accessEvents, bookingEvents } from './booking/events.ts';
import { checkoutEvents } from './checkout/events.ts';
import { categoryEvents, emailTemplateEvents, imageEvents, siteConfigEvents } from './content/events.ts';
import { disputeEvents } from './dispute/events.ts';
import { emailClaimEvents } from './email-claim/events.ts';
import { holdsEvents } from './holds/events.ts';
import { hookEvents } from './hook/events.ts';
import { inventoryEvents } from './inventory/events.ts';
import type { EventOf, EventSchemas } from './kernel/personal.ts';
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
export const allEvents: EventSchemas = schemas;

/** Any event of the product. */
export type AnyEvent = EventOf<typeof schemas>;
