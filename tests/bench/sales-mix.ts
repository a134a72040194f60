/**
 * The events that real sales leave, in the proportions stated here; made from a seed, so that two runs are alike.
 * Of 100 attempts to buy: 88 end in a booking with its six events (10 of them with a promotion: three more),
 * 12 run out. Every second attempt comes from a new customer (three events, two of them sealed, with a sealed
 * address). Of 100 bookings: 100 confirmation mails, 60 downloads, 40 scans, 6 cancellations with their refunds
 * (eight events, two of them sealed).
 */
import type { AnyEvent } from '#domain/all-events.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import type { Actor } from '#infra/event-log/recorded.ts';
import { chanceOf } from '#tests/kit/chance.ts';

export interface MixedEvent {
  readonly stream: string;
  readonly event: AnyEvent;
  readonly at: string;
  readonly actor: Actor;
}

const PROMOTIONS = 5;
const LISTINGS = 200;
const START = Date.parse('2026-06-01T09:00:00.000Z');
const STARTS_AT = '2026-12-01T19:30:00.000Z';
const SYSTEM: Actor = { kind: 'system' };

const uuid = (random: () => number): string => {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');
};

const words = 'jazz night river Łódź garden orchestra supper comedy lights choir'.split(' ');

type Made = Pick<MixedEvent, 'stream' | 'event'>;
const made = (stream: string, event: AnyEvent): Made => ({ stream, event });

export const placeEvents = (cityId: number, name: string): readonly Made[] => {
  const place = { name, state: 'England', country: 'United Kingdom', zone: 'Europe/London' };
  const hall = { name: `${name} Hall`, address: '1 High Street', cityId, capacity: 5_000 };
  return [
    made(`city-${cityId}`, { type: 'CityAdded', data: { cityId, ...place } }),
    made(`venue-${cityId}`, { type: 'VenueAdded', data: { venueId: cityId, ...hall } }),
  ];
};

/** A listing in its city's hall, with its tickets. */
export const listingEvents = (
  listingId: number,
  capacity: number,
  details: Readonly<Record<'title' | 'description' | 'category' | 'date', string>> &
    Readonly<Record<'cityId' | 'price', number>> & { readonly tags: string[]; readonly featured: boolean },
): readonly Made[] => {
  const { cityId, date } = details;
  const place = { venueId: cityId, location: '1 High Street', imageUrl: null };
  const schedule = { time: '19:30', zone: 'Europe/London', startsAt: `${date}T19:30:00.000Z` };
  const listed = { listingId, ...details, ...place, ...schedule };
  return [
    made(`listing-${listingId}`, { type: 'ListingCreated', data: listed }),
    made(`inventory-${listingId}`, { type: 'InventoryOpened', data: { listingId, capacity } }),
  ];
};

/** Endless. The catalogue comes first, then sales. Half the attempts come from new customers. */
export function* salesMix(seed = 1): Generator<MixedEvent, never> {
  const random = chanceOf(seed).roll;
  const chance = (percent: number) => random() * 100 < percent;
  const upTo = (count: number) => 1 + Math.floor(random() * count);
  let now = START;
  const at = () => new Date(now++).toISOString();
  const by = (stream: string, event: AnyEvent, actor: Actor = SYSTEM): MixedEvent => ({
    ...{ stream, event, at: at(), actor },
  });
  const owner: Actor = { kind: 'user', id: uuid(random), role: 'superuser' };
  const byOwner = function* (some: readonly Made[]): Generator<MixedEvent> {
    for (const { stream, event } of some) yield by(stream, event, owner);
  };

  for (let cityId = 1; cityId <= 8; cityId++) yield* byOwner(placeEvents(cityId, `City ${cityId}`));
  for (let promotionId = 1; promotionId <= PROMOTIONS; promotionId++) {
    const name = { name: `Ten off ${promotionId}`, description: '', code: `TEN${promotionId}` };
    const terms = { discountValue: 10, usageLimit: null, isActive: true };
    const discountType = 'percentage' as const;
    const valid = { validFrom: '2026-01-01T00:00:00.000Z', validUntil: '2027-01-01T00:00:00.000Z' };
    const data = { promotionId, ...name, ...terms, discountType, ...valid };
    yield* byOwner([made(`promotion-${promotionId}`, { type: 'PromotionCreated', data })]);
  }
  for (let listingId = 1; listingId <= LISTINGS; listingId++) {
    const title = `${words[listingId % 10]} ${words[(listingId * 7) % 10]} ${listingId}`;
    const sold = { cityId: 1 + (listingId % 8), price: 2_500, featured: false, date: '2026-12-01' };
    const shown = { description: `<p>${words.join(' ')} ${title}</p>`, tags: ['live', 'music'] };
    yield* byOwner(listingEvents(listingId, 1_000_000, { title, category: 'concerts', ...sold, ...shown }));
  }

  const customers: Actor[] = [];
  let bookingId = 0;
  for (;;) {
    let buyer = customers[Math.floor(random() * customers.length)];
    if (buyer === undefined || chance(50)) {
      const accountId = uuid(random);
      const stream = `account-${accountId}`;
      const ip = `203.0.113.${upTo(250)}`;
      buyer = { kind: 'user', id: accountId, role: 'user', ip };
      const visitor: Actor = { kind: 'visitor', ip };
      const name = { firstName: 'Zoë', lastName: 'Ångström', profileImageUrl: null };
      const person = { email: `${accountId}@example.test`, ...name, via: 'password', role: 'user' } as const;
      yield by(stream, { type: 'AccountRegistered', data: { accountId, ...person } }, visitor);
      yield by(stream, { type: 'EmailVerified', data: { accountId } }, visitor);
      const profile = { dateOfBirth: '1990-04-01', favoriteCategories: ['concerts'] };
      yield by(stream, { type: 'ProfileCompleted', data: { accountId, ...profile } }, buyer);
      customers.push(buyer);
    }
    const userId = buyer.id ?? '';
    // A few listings sell most, as on any day when something goes on sale.
    const listingId = chance(60) ? upTo(5) : upTo(LISTINGS);
    const quantity = upTo(4);
    const attempt = uuid(random);
    bookingId++;
    const promoted = chance(10);
    const promotionId = upTo(PROMOTIONS);
    const promotion = promoted ? { promotionId, code: 'TEN1' } : null;
    const offer = `promotion-${promotionId}`;
    const total = quantity * 2_500 - (promoted ? quantity * 250 : 0);
    const discount = promoted ? quantity * 250 : 0;
    const quote = { unitPrice: 2_500, quantity, discount, total, currency: 'gbp', promotion } as const;
    const checkout = `checkout-${userId}-${listingId}`;
    const inventory = `inventory-${listingId}`;
    const booking = `booking-${bookingId}`;
    const reference = `BK${String(bookingId).padStart(8, '0')}`;
    const intentId = `pi_${attempt.replaceAll('-', '')}`;
    const until = new Date(now + 900_000).toISOString();
    const facts = { attempt, bookingId, reference, userId, listingId, quote };

    yield by(checkout, { type: 'CheckoutOpened', data: { ...facts, startsAt: STARTS_AT, until } }, buyer);
    const hold = { listingId, attempt, bookingId, userId, quantity };
    yield by(inventory, { type: 'TicketsHeld', data: { ...hold, until } }, buyer);
    if (promotion) yield by(offer, { type: 'UseReserved', data: { promotionId, attempt, at: until } }, buyer);
    yield by(checkout, { type: 'IntentAttached', data: { attempt, intentId, amount: total } }, buyer);
    if (chance(12)) {
      yield by(checkout, { type: 'CheckoutClosing', data: { attempt, why: 'expired' } });
      if (promotion) yield by(offer, { type: 'UseReleased', data: { promotionId, attempt, reserved: true } });
      const released = { listingId, attempt, quantity, why: 'expired', at: until } as const;
      yield by(inventory, { type: 'HoldReleased', data: released });
      yield by(checkout, { type: 'CheckoutClosed', data: { attempt, why: 'expired' } });
      continue;
    }
    const payment = { attempt, intentId, amount: total, late: false };
    yield by(checkout, { type: 'PaymentReceived', data: payment }, buyer);
    yield by(inventory, { type: 'TicketsSold', data: { ...hold, held: true } }, buyer);
    const placed = { ...facts, intentId, policy: REFUND_POLICY, startsAt: STARTS_AT };
    yield by(booking, { type: 'BookingPlaced', data: placed }, buyer);
    if (promotion) {
      const redeemed = { promotionId, attempt, bookingId, reserved: true };
      yield by(offer, { type: 'UseRedeemed', data: redeemed });
      yield by(checkout, { type: 'CheckoutCompleted', data: { attempt, bookingId } });
    }
    yield by(`access-${bookingId}`, { type: 'MailSent', data: { bookingId, userId, kind: 'confirmation' } });
    if (chance(60))
      yield by(`access-${bookingId}`, { type: 'TicketDownloaded', data: { bookingId, userId } }, buyer);
    if (chance(6)) {
      const ids = { bookingId, userId, listingId };
      const reason = 'I can no longer make it that evening.';
      const voided = { bookingId, listingId, why: 'cancelled' } as const;
      yield by(`admission-${bookingId}`, { type: 'AdmissionVoided', data: voided }, buyer);
      const cancelled = { ...ids, quantity, by: 'customer', reason, refund: total, percent: 100 } as const;
      yield by(booking, { type: 'BookingCancelled', data: cancelled }, buyer);
      yield by(inventory, { type: 'TicketsReturned', data: { listingId, bookingId, quantity } }, buyer);
      const refund = `refund-${bookingId}`;
      const rule = { reason, processingType: 'auto_approved', cancellation: 1 } as const;
      const asked = { ...ids, intentId, amount: total, paid: total, ...rule };
      yield by(refund, { type: 'RefundRequested', data: asked }, buyer);
      const approved = { bookingId, userId: ids.userId, amount: total, notes: '', by: 'rule' } as const;
      yield by(refund, { type: 'RefundApproved', data: approved }, buyer);
      yield by(refund, { type: 'RefundSubmitted', data: { bookingId, attempt: 1, amount: total } });
      const paid = { bookingId, attempt: 1, providerRefundId: `re_${bookingId}`, amount: total };
      yield by(refund, { type: 'RefundSucceeded', data: paid });
      yield by(booking, { type: 'BookingRefunded', data: { ...ids, amount: total } });
    } else if (chance(40)) {
      const scan = { bookingId, userId, listingId, page: 1, quantity, gate: 'North', by: { id: userId } };
      const staff: Actor = { kind: 'user', id: userId, role: 'staff' };
      yield by(`admission-${bookingId}`, { type: 'Admitted', data: { ...scan, at: at() } }, staff);
    }
  }
}
