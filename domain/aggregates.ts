import { account } from './account/account.ts';
import { accountEvents } from './account/events.ts';
import { admission } from './admission/admission.ts';
import { admissionEvents } from './admission/events.ts';
import { booking } from './booking/booking.ts';
import { accessEvents, bookingEvents } from './booking/events.ts';
import { checkout } from './checkout/checkout.ts';
import { checkoutEvents } from './checkout/events.ts';
import { category } from './content/category.ts';
import { emailTemplate } from './content/email-template.ts';
import { categoryEvents, emailTemplateEvents, imageEvents, siteConfigEvents } from './content/events.ts';
import { image } from './content/image.ts';
import { siteConfig } from './content/site-config.ts';
import { dispute } from './dispute/dispute.ts';
import { disputeEvents } from './dispute/events.ts';
import { emailClaim } from './email-claim/email-claim.ts';
import { emailClaimEvents } from './email-claim/events.ts';
import { holdsEvents } from './holds/events.ts';
import { holds } from './holds/holds.ts';
import { inventoryEvents } from './inventory/events.ts';
import { inventory } from './inventory/inventory.ts';
import type { AnyAggregate } from './kernel/decider.ts';
import type { EventSchemas } from './kernel/event.ts';
import { listingEvents } from './listing/events.ts';
import { listing } from './listing/listing.ts';
import { newsletterEvents } from './newsletter/events.ts';
import { newsletter } from './newsletter/newsletter.ts';
import { city } from './place/city.ts';
import { cityEvents, venueEvents } from './place/events.ts';
import { venue } from './place/venue.ts';
import { promoCodeEvents, promotionEvents } from './promotion/events.ts';
import { promoCode } from './promotion/promo-code.ts';
import { promotion } from './promotion/promotion.ts';
import { readsEvents } from './reads/events.ts';
import { refundEvents } from './refund/events.ts';
import { refund } from './refund/refund.ts';
import { sponsorEvents } from './sponsor/events.ts';
import { sponsor } from './sponsor/sponsor.ts';
import { superuserEvents } from './superusers/events.ts';
import { superusers } from './superusers/superusers.ts';
import { supportEvents } from './support/events.ts';
import { support } from './support/support.ts';
import { waitingEvents } from './waiting/events.ts';
import { waiting } from './waiting/waiting.ts';
import { webhookEvents } from './webhook/events.ts';
import { hook } from './webhook/webhook.ts';

/** Filters of the audit trail. The admin panel imports this file: compute nothing at load time. */
export const auditEntities = {
  event: 'Events',
  user: 'Users',
  booking: 'Bookings',
  refund: 'Refunds',
  promotion: 'Promotions',
  city: 'Cities',
  venue: 'Venues',
  category: 'Categories',
  'email-template': 'Email templates',
  setting: 'Settings',
  image: 'Images',
  sponsor: 'Sponsors',
  webhook: 'Webhooks',
  subscriber: 'Subscribers',
  scan: 'Scans',
  export: 'Exports',
  'look-up': 'Look-ups',
} as const;
export type AuditEntity = keyof typeof auditEntities;

interface Streams {
  readonly aggregate: AnyAggregate | { readonly name: string };
  readonly events: EventSchemas<AuditEntity>;
}

export const aggregates = [
  { aggregate: account, events: accountEvents },
  { aggregate: admission, events: admissionEvents },
  { aggregate: booking, events: bookingEvents },
  { aggregate: category, events: categoryEvents },
  { aggregate: checkout, events: checkoutEvents },
  { aggregate: city, events: cityEvents },
  { aggregate: dispute, events: disputeEvents },
  { aggregate: emailClaim, events: emailClaimEvents },
  { aggregate: emailTemplate, events: emailTemplateEvents },
  { aggregate: holds, events: holdsEvents },
  { aggregate: hook, events: webhookEvents },
  { aggregate: image, events: imageEvents },
  { aggregate: inventory, events: inventoryEvents },
  { aggregate: listing, events: listingEvents },
  { aggregate: newsletter, events: newsletterEvents },
  { aggregate: promoCode, events: promoCodeEvents },
  { aggregate: promotion, events: promotionEvents },
  { aggregate: refund, events: refundEvents },
  { aggregate: siteConfig, events: siteConfigEvents },
  { aggregate: sponsor, events: sponsorEvents },
  { aggregate: superusers, events: superuserEvents },
  { aggregate: support, events: supportEvents },
  { aggregate: venue, events: venueEvents },
  { aggregate: waiting, events: waitingEvents },
  { aggregate: { name: 'access' }, events: accessEvents },
  { aggregate: { name: 'reads' }, events: readsEvents },
] as const satisfies readonly Streams[];

export const ownerOf = (stream: string): Streams['aggregate'] | undefined =>
  aggregates
    .map(({ aggregate }): Streams['aggregate'] => aggregate)
    .filter(({ name }) => stream.startsWith(`${name}-`))
    .sort((a, b) => b.name.length - a.name.length)[0];

export const aggregateOf = (stream: string): AnyAggregate | undefined => {
  const owner = ownerOf(stream);
  return owner && 'decide' in owner ? owner : undefined;
};
