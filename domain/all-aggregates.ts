import { account } from './account/account.ts';
import { admission } from './admission/admission.ts';
import { booking } from './booking/booking.ts';
import { checkout } from './checkout/checkout.ts';
import { category } from './content/category.ts';
import { emailTemplate } from './content/email-template.ts';
import { image } from './content/image.ts';
import { siteConfig } from './content/site-config.ts';
import { dispute } from './dispute/dispute.ts';
import { emailClaim } from './email-claim/email-claim.ts';
import { holds } from './holds/holds.ts';
import { hook } from './hook/hook.ts';
import { inventory } from './inventory/inventory.ts';
import type { AnyAggregate } from './kernel/decider.ts';
import { listing } from './listing/listing.ts';
import { newsletter } from './newsletter/newsletter.ts';
import { city } from './place/city.ts';
import { venue } from './place/venue.ts';
import { promoCode } from './promotion/promo-code.ts';
import { promotion } from './promotion/promotion.ts';
import { refund } from './refund/refund.ts';
import { superusers } from './superusers/superusers.ts';
import { support } from './support/support.ts';
import { waiting } from './waiting/waiting.ts';

/** Each begins like no other one's streams, but for names that begin with another's: the longest that fits is the right one. */
const byLength = (
  [
    ...[
      account,
      admission,
      booking,
      category,
      checkout,
      city,
      dispute,
      emailClaim,
      emailTemplate,
      holds,
      hook,
    ],
    ...[image, inventory, listing, newsletter, promoCode, promotion, refund, siteConfig, superusers, support],
    venue,
    waiting,
  ] as readonly AnyAggregate[]
).toSorted((a, b) => b.name.length - a.name.length);

/** The aggregate of a stream; undefined for streams that nobody decides on (`reads-2026-11-21`). */
export const aggregateOf = (stream: string): AnyAggregate | undefined =>
  byLength.find(({ name }) => stream.startsWith(`${name}-`));
