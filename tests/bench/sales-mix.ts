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

export interface MixedEvent {
  readonly stream: string;
  readonly event: AnyEvent;
  readonly at: string;
  readonly actor: Actor;
}

/** Small, seeded and good enough for proportions (mulberry32). */
export const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const PROMOTIONS = 5;
const START = Date.parse('2026-06-01T09:00:00.000Z');
const STARTS_AT = '2026-12-01T19:30:00.000Z';
const SYSTEM: Actor = { kind: 'system' };

const uuid = (random: () => number): string => {
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(random() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

const words = [
  'jazz',
  'night',
  'river',
  'Łódź',
  'garden',
  'orchestra',
  'supper',
  'comedy',
  'lights',
  'choir',
];

export interface Mix {
  /** Default 200. */
  readonly listings?: number;
  /** Of 100 attempts, how many come from a new customer. Default 50. */
  readonly newcomers?: number;
}

/** Endless. The catalogue comes first, then sales. */
export function* salesMix(
  seed = 1,
  { listings = 200, newcomers = 50 }: Mix = {},
): Generator<MixedEvent, never> {
  const random = seeded(seed);
  const chance = (percent: number) => random() * 100 < percent;
  const upTo = (count: number) => 1 + Math.floor(random() * count);
  let now = START;
  const at = () => new Date(now++).toISOString();
  const by = (stream: string, event: AnyEvent, actor: Actor = SYSTEM): MixedEvent => ({
    stream,
    event,
    at: at(),
    actor,
  });
  const owner: Actor = { kind: 'user', id: uuid(random), role: 'superuser' };

  for (let cityId = 1; cityId <= 8; cityId++) {
    const name = `City ${cityId}`;
    const place = { name, state: 'England', country: 'United Kingdom', zone: 'Europe/London' };
    yield by(`city-${cityId}`, { type: 'CityAdded', data: { cityId, ...place } }, owner);
    const venue = {
      venueId: cityId,
      name: `Hall ${cityId}`,
      address: '1 High Street',
      cityId,
      capacity: 5_000,
    };
    yield by(`venue-${cityId}`, { type: 'VenueAdded', data: venue }, owner);
  }
  for (let promotionId = 1; promotionId <= PROMOTIONS; promotionId++) {
    const terms = {
      name: `Ten off ${promotionId}`,
      description: '',
      discountType: 'percentage',
      discountValue: 10,
      usageLimit: null,
      validFrom: '2026-01-01T00:00:00.000Z',
      validUntil: '2027-01-01T00:00:00.000Z',
      isActive: true,
    } as const;
    yield by(
      `promotion-${promotionId}`,
      { type: 'PromotionCreated', data: { promotionId, code: `TEN${promotionId}`, ...terms } },
      owner,
    );
  }
  for (let listingId = 1; listingId <= listings; listingId++) {
    const cityId = 1 + (listingId % 8);
    const title = `${words[listingId % 10]} ${words[(listingId * 7) % 10]} ${listingId}`;
    const details = {
      title,
      description: `<p>${words.join(' ')} ${title}</p>`,
      category: 'concerts',
      cityId,
      venueId: cityId,
      location: '1 High Street',
      price: 2_500,
      imageUrl: null,
      tags: ['live', 'music'],
    };
    const schedule = { date: '2026-12-01', time: '19:30', zone: 'Europe/London', startsAt: STARTS_AT };
    yield by(
      `listing-${listingId}`,
      { type: 'ListingCreated', data: { listingId, featured: false, ...details, ...schedule } },
      owner,
    );
    const opened = { listingId, capacity: 1_000_000 };
    yield by(`inventory-${listingId}`, { type: 'InventoryOpened', data: opened }, owner);
  }

  const customers: Actor[] = [];
  let bookingId = 0;
  for (;;) {
    let buyer = customers[Math.floor(random() * customers.length)];
    if (buyer === undefined || chance(newcomers)) {
      const accountId = uuid(random);
      const stream = `account-${accountId}`;
      const ip = `203.0.113.${upTo(250)}`;
      buyer = { kind: 'user', id: accountId, role: 'user', ip };
      const person = {
        email: `${accountId}@example.test`,
        firstName: 'Zoë',
        lastName: 'Ångström',
        profileImageUrl: null,
      };
      yield by(
        stream,
        { type: 'AccountRegistered', data: { accountId, ...person, via: 'password', role: 'user' } },
        { kind: 'visitor', ip },
      );
      yield by(stream, { type: 'EmailVerified', data: { accountId } }, { kind: 'visitor', ip });
      const profile = { dateOfBirth: '1990-04-01', favoriteCategories: ['concerts'] };
      yield by(stream, { type: 'ProfileCompleted', data: { accountId, ...profile } }, buyer);
      customers.push(buyer);
    }
    const userId = buyer.id ?? '';
    // A few listings sell most, as on any day when something goes on sale.
    const listingId = chance(60) ? upTo(5) : upTo(listings);
    const quantity = upTo(4);
    const attempt = uuid(random);
    bookingId++;
    const promoted = chance(10);
    const promotion = promoted ? { promotionId: upTo(PROMOTIONS), code: 'TEN1' } : null;
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
    if (promotion) {
      const { promotionId } = promotion;
      const reserved = { promotionId, attempt, at: until };
      yield by(`promotion-${promotionId}`, { type: 'UseReserved', data: reserved }, buyer);
    }
    yield by(checkout, { type: 'IntentAttached', data: { attempt, intentId, amount: total } }, buyer);
    if (chance(12)) {
      yield by(checkout, { type: 'CheckoutClosing', data: { attempt, why: 'expired' } });
      if (promotion) {
        const { promotionId } = promotion;
        const given = { promotionId, attempt, reserved: true };
        yield by(`promotion-${promotionId}`, { type: 'UseReleased', data: given });
      }
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
      const { promotionId } = promotion;
      const redeemed = { promotionId, attempt, bookingId, reserved: true };
      yield by(`promotion-${promotionId}`, { type: 'UseRedeemed', data: redeemed });
      yield by(checkout, { type: 'CheckoutCompleted', data: { attempt, bookingId } });
    }
    yield by(`access-${bookingId}`, { type: 'MailSent', data: { bookingId, userId, kind: 'confirmation' } });
    if (chance(60)) {
      yield by(`access-${bookingId}`, { type: 'TicketDownloaded', data: { bookingId, userId } }, buyer);
    }
    if (chance(6)) {
      const ids = { bookingId, userId, listingId };
      const reason = 'I can no longer make it that evening.';
      yield by(
        `admission-${bookingId}`,
        { type: 'AdmissionVoided', data: { bookingId, listingId, why: 'cancelled' } },
        buyer,
      );
      const cancelled = { ...ids, quantity, by: 'customer', reason, refund: total, percent: 100 } as const;
      yield by(booking, { type: 'BookingCancelled', data: cancelled }, buyer);
      yield by(inventory, { type: 'TicketsReturned', data: { listingId, bookingId, quantity } }, buyer);
      const refund = `refund-${bookingId}`;
      const asked = {
        ...ids,
        intentId,
        amount: total,
        paid: total,
        reason,
        processingType: 'auto_approved',
        cancellation: 1,
      } as const;
      yield by(refund, { type: 'RefundRequested', data: asked }, buyer);
      const approved = { bookingId, userId: ids.userId, amount: total, notes: '', by: 'rule' } as const;
      yield by(refund, { type: 'RefundApproved', data: approved }, buyer);
      yield by(refund, { type: 'RefundSubmitted', data: { bookingId, attempt: 1, amount: total } });
      const paid = { bookingId, attempt: 1, providerRefundId: `re_${bookingId}`, amount: total };
      yield by(refund, { type: 'RefundSucceeded', data: paid });
      yield by(booking, { type: 'BookingRefunded', data: { ...ids, amount: total } });
    } else if (chance(40)) {
      const scan = {
        bookingId,
        userId,
        listingId,
        page: 1,
        quantity,
        gate: 'North',
        by: { id: userId },
        at: at(),
      };
      yield by(
        `admission-${bookingId}`,
        { type: 'Admitted', data: scan },
        { kind: 'user', id: userId, role: 'staff' },
      );
    }
  }
}
