/** An answer is the same, whether it is made from the rows of the read models or from the streams themselves. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CommandHandler, createCommandHandler } from '#command-api/commands/command-handler.ts';
import { bookingAnswer, refundAnswer } from '#command-api/purchase/answers.ts';
import { createReadings } from '#command-api/purchase/readings.ts';
import { account } from '#domain/account/account.ts';
import type { AnyEvent } from '#domain/all-events.ts';
import { toUser } from '#domain/answers/accounts.ts';
import { toBooking } from '#domain/answers/bookings.ts';
import { type ListingParts, toAdminEvent } from '#domain/answers/listings.ts';
import { toAdminRefund } from '#domain/answers/refunds.ts';
import { booking } from '#domain/booking/booking.ts';
import { category } from '#domain/content/category.ts';
import type { Booking } from '#domain/contracts/bookings.ts';
import type { AdminRefund } from '#domain/contracts/refunds.ts';
import { inventory } from '#domain/inventory/inventory.ts';
import { MOST_REFUND_ATTEMPTS, REFUND_POLICY } from '#domain/kernel/policy.ts';
import { listing } from '#domain/listing/listing.ts';
import { refund } from '#domain/refund/refund.ts';
import { sanitizeDescription } from '#infra/html/sanitize-html.ts';
import { readModels } from '#infra/read-models/read-models.ts';
import { findAccount, userParts } from '#query-api/queries/accounts.ts';
import { everyBooking } from '#query-api/queries/admin-bookings.ts';
import { bookings, openBookings } from '#query-api/queries/bookings.ts';
import { listingParts, listings } from '#query-api/queries/listings.ts';
import { openRefunds, refunds } from '#query-api/queries/refunds.ts';
import { type Given, type GivenEvents, givenEvents } from '#tests/kit/given-events.ts';

const NOW = new Date('2026-08-01T12:00:00.000Z');
const view = {
  baseUrl: 'http://localhost:3000',
  now: NOW,
  bookingEnabled: true,
  sanitize: sanitizeDescription,
};

const schedule = (day: string) => ({
  ...{ date: day, time: '19:30', zone: 'Europe/London', startsAt: `${day}T19:30:00.000Z` },
});
const FUTURE = schedule('2026-12-01');

let kit: GivenEvents;
let handler: CommandHandler;
let minutes = 0;
/** Each event a minute after the one before. */
const given = (stream: string, event: AnyEvent): Given => ({
  stream,
  event,
  at: new Date(Date.parse('2026-06-01T12:00:00.000Z') + ++minutes * 60_000).toISOString(),
});

beforeAll(async () => {
  kit = await givenEvents();
  handler = createCommandHandler({ log: kit.log, codec: kit.codec });
  const place = { name: 'Leeds', state: 'England', country: 'United Kingdom', zone: 'Europe/London' };
  const hall = { name: 'Corn Exchange', address: 'Call Lane', cityId: 1, capacity: 90 };
  const kind = { categoryId: 1, slug: 'culture', name: 'Culture & Arts', emoji: '🎭', description: '' };
  await kit.given(
    given('city-1', { type: 'CityAdded', data: { cityId: 1, ...place } }),
    given('venue-1', { type: 'VenueAdded', data: { venueId: 1, ...hall } }),
    given('category-culture', { type: 'CategoryAdded', data: kind }),
  );
});
afterAll(() => handler.drain());

/** Somebody's booking of two tickets at £20, and what may come after it. */
const story = (id: number, starts = FUTURE) => {
  const userId = randomUUID();
  const whose = { bookingId: id, userId };
  const ids = { ...whose, listingId: id };
  const cancellation = (by: 'customer' | 'admin', refund: number, percent: number): Given =>
    given(`booking-${id}`, {
      type: 'BookingCancelled',
      data: { ...ids, quantity: 2, by, reason: 'We can not come after all.', refund, percent },
    });
  const asked = (amount: number, processingType: 'auto_approved' | 'auto_denied' | 'manual'): Given =>
    given(`refund-${id}`, {
      type: 'RefundRequested',
      data: {
        ...{ ...ids, intentId: 'pi_1', amount, paid: 4_000, processingType, cancellation: 1 },
        reason: 'We can not come after all.',
      },
    });
  const refunds = (event: Extract<AnyEvent, { type: `Refund${string}` }>): Given =>
    given(`refund-${id}`, event);
  const submitted = (attempt: number): Given =>
    refunds({ type: 'RefundSubmitted', data: { bookingId: id, attempt, amount: 4_000 } });
  const failed = (attempt: number): Given =>
    refunds({
      type: 'RefundFailed',
      data: { bookingId: id, attempt, providerRefundId: 're_1', why: 'The account is closed' },
    });
  const door = { ...ids, page: 1, gate: 'North', by: { id: randomUUID() }, at: NOW.toISOString() };
  const facts = {
    ...{ ...ids, reference: `BKABCDE${id}`, attempt: randomUUID(), intentId: 'pi_1' },
    quote: {
      ...{ unitPrice: 2_250, quantity: 2, discount: 500, total: 4_000, currency: 'gbp' as const },
      promotion: { promotionId: 7, code: 'TEN' },
    },
    policy: REFUND_POLICY,
    startsAt: starts.startsAt,
  };
  return {
    ...{ id, userId },
    setting: [
      given(`account-${userId}`, {
        type: 'AccountRegistered',
        data: {
          ...{ accountId: userId, email: `ann${id}@people.example`, firstName: 'Ann', lastName: null },
          ...{ profileImageUrl: null, via: 'password', role: 'user' },
        },
      }),
      given(`listing-${id}`, {
        type: 'ListingCreated',
        data: {
          ...{ listingId: id, featured: true, title: 'Paper Moons', description: '<p>Shadows.</p>' },
          ...{ category: 'culture', cityId: 1, venueId: 1, location: 'Call Lane, Leeds', price: 2_250 },
          ...{ imageUrl: '/images/0123456789abcdef01234567-aabbcc-1200x800.webp', tags: ['live'], ...starts },
        },
      }),
      given(`inventory-${id}`, { type: 'InventoryOpened', data: { listingId: id, capacity: 50 } }),
    ],
    placed: given(`booking-${id}`, { type: 'BookingPlaced', data: facts }),
    unfilled: given(`booking-${id}`, { type: 'BookingUnfilled', data: { ...facts, why: 'sold_out' } }),
    admitted: given(`admission-${id}`, { type: 'Admitted', data: { ...door, quantity: 2 } }),
    undone: given(`admission-${id}`, {
      type: 'AdmissionUndone',
      data: {
        ...{ bookingId: id, listingId: id, page: 1, quantity: 2, userId, by: door.by },
        ...{ scannedAt: door.at, reason: 'Wrong queue', at: door.at },
      },
    }),
    moved: given(`listing-${id}`, {
      type: 'ListingRescheduled',
      data: { listingId: id, from: starts, ...schedule('2026-12-24') },
    }),
    reinstated: given(`booking-${id}`, { type: 'BookingReinstated', data: { ...ids, quantity: 2 } }),
    refunded: given(`booking-${id}`, { type: 'BookingRefunded', data: { ...ids, amount: 4_000 } }),
    cancellation,
    asked,
    approved: (by: 'rule' | 'superuser', notes: string) =>
      refunds({ type: 'RefundApproved', data: { ...whose, amount: 4_000, notes, by } }),
    refused: (reason: string, by: 'rule' | 'superuser' | 'reinstatement') =>
      refunds({ type: 'RefundDenied', data: { ...whose, reason, by } }),
    reset: refunds({ type: 'RefundReset', data: { bookingId: id } }),
    submitted: submitted(1),
    succeeded: refunds({
      type: 'RefundSucceeded',
      data: { bookingId: id, attempt: 1, providerRefundId: 're_1', amount: 4_000 },
    }),
    topped: refunds({
      type: 'RefundSucceeded',
      data: { bookingId: id, attempt: 1, providerRefundId: 're_1', amount: 4_000, byHand: 1_200 },
    }),
    byHand: refunds({
      type: 'RefundSucceeded',
      data: { bookingId: id, attempt: 1, providerRefundId: 're_2', amount: 4_000, byHand: 4_000 },
    }),
    failed: failed(1),
    submittedLast: submitted(MOST_REFUND_ATTEMPTS),
    failedLast: failed(MOST_REFUND_ATTEMPTS),
  };
};
type Story = ReturnType<typeof story>;

const answers = async (id: number) => {
  const db = readModels(kit.pool);
  const clock = () => NOW;
  const rows = await bookings(db).where('b.id', '=', id).execute();
  const [parts] = await openBookings(kit.keys, rows);
  const { state } = await handler.state(booking, id);
  const deps = { handler, readings: createReadings({ handler, clock }), baseUrl: view.baseUrl };
  const [refundParts] = await openRefunds(
    kit.keys,
    await refunds(db).where('r.booking_id', '=', id).execute(),
  );
  const { state: refundState } = await handler.state(refund, id);
  const shown = parts && toBooking(parts, view);
  const status = shown?.status === 'pending' ? undefined : shown?.status;
  return {
    listed: await everyBooking(db, { status }, NOW).where('b.id', '=', id).execute(),
    booking: {
      row: shown,
      state: await bookingAnswer(deps, state, { made: false, now: NOW }),
    },
    refund: {
      row: refundParts && toAdminRefund(refundParts),
      state: refundState.phase === 'none' ? undefined : await refundAnswer(deps, refundState),
    },
  };
};

const cases: readonly [string, (story: Story) => Given[], Partial<Booking>, Partial<AdminRefund>?][] = [
  ['fresh', (s) => [s.placed], { cancellable: true, refundPercent: 100 }],
  ['scanned', (s) => [s.placed, s.admitted], { cancellable: false, notCancellable: 'scanned' }],
  ['scanned, and the scan undone', (s) => [s.placed, s.admitted, s.undone], { cancellable: true }],
  ['for an event that was moved', (s) => [s.placed, s.moved], { refundPercent: 100 }],
  [
    'paid, but no ticket was left',
    (s) => [s.unfilled, s.asked(4_000, 'auto_approved'), s.approved('rule', '')],
    { status: 'cancelled', unfilled: 'sold_out', cancellationReason: null },
    { decision: null, note: null },
  ],
  [
    'cancelled, its refund denied by the rule',
    (s) => [
      ...[s.placed, s.cancellation('customer', 0, 0), s.asked(0, 'auto_denied')],
      s.refused('Less than 24 hours', 'rule'),
    ],
    { refundStatus: 'denied', refundNote: 'Less than 24 hours', cancelledAt: expect.any(String) },
    { status: 'denied', decision: 'Less than 24 hours' },
  ],
  [
    'cancelled, its refund under review',
    (s) => [s.placed, s.cancellation('admin', 4_000, 100), s.asked(4_000, 'manual')],
    { refundStatus: 'pending' },
    { status: 'processing', note: null, refundReason: 'We can not come after all.' },
  ],
  [
    'cancelled, its refund with the provider',
    (s) => [
      ...[s.placed, s.cancellation('admin', 4_000, 100), s.asked(4_000, 'manual')],
      ...[s.approved('superuser', 'As an exception'), s.submitted],
    ],
    { refundStatus: 'processing' },
    { note: 'With the provider', decision: 'As an exception' },
  ],
  [
    'cancelled, its refund refused by the provider',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.failed],
    ],
    { refundStatus: 'processing', refundNote: 'Your bank did not take it. We are trying again.' },
    { status: 'processing', note: 'The provider could not pay it back: The account is closed' },
  ],
  [
    'cancelled, its refund refused by the provider and then denied',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.failed, s.refused('It can not be paid', 'superuser')],
    ],
    { refundStatus: 'denied', refundNote: 'It can not be paid' },
    { status: 'denied', note: 'The account is closed' },
  ],
  [
    'paid back',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.succeeded, s.refunded],
    ],
    { status: 'refunded', refundStatus: 'completed', refundAmount: '40.00' },
    { status: 'completed' },
  ],
  [
    'paid back, until the bank returned it',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.succeeded, s.refunded, s.failed],
    ],
    {
      ...{ status: 'cancelled', tab: 'cancelled', refundStatus: 'processing' },
      refundNote: 'Your bank did not take it. We are trying again.',
    },
    { status: 'processing', note: 'The provider could not pay it back: The account is closed' },
  ],
  [
    'paid back, until the bank returned it, and denied then',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.succeeded, s.refunded, s.failed],
      s.refused('It can not be paid', 'superuser'),
    ],
    { status: 'cancelled', refundStatus: 'denied', refundNote: 'It can not be paid' },
    { status: 'denied', note: 'The account is closed' },
  ],
  [
    'returned by the bank, and then paid back by hand',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.succeeded, s.refunded, s.failed, s.byHand],
    ],
    { status: 'refunded', refundStatus: 'completed', refundNote: null },
    { status: 'completed', note: '£40.00 of it was paid back by hand, at the provider' },
  ],
  [
    'refused by the bank as often as it is tried',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submittedLast, s.failedLast],
    ],
    { refundStatus: 'processing', refundNote: 'Your bank did not take it. We are looking into it.' },
    { status: 'processing', note: 'The provider could not pay it back: The account is closed' },
  ],
  [
    'paid back, a part of it by hand after the provider had refused',
    (s) => [
      ...[s.placed, s.cancellation('customer', 4_000, 100), s.asked(4_000, 'auto_approved')],
      ...[s.approved('rule', ''), s.submitted, s.failed, s.topped],
    ],
    { refundStatus: 'completed', refundNote: '£12.00 of it was paid back separately.' },
    { status: 'completed', note: '£12.00 of it was paid back by hand, at the provider' },
  ],
  [
    'made good again',
    (s) => [
      ...[s.placed, s.cancellation('admin', 4_000, 100), s.asked(4_000, 'manual')],
      ...[s.refused('The booking was reinstated', 'reinstatement'), s.reinstated],
    ],
    {
      ...{ status: 'confirmed', cancelledAt: null, cancellationReason: null, cancellable: true },
      ...{ refundStatus: null, refundAmount: null, refundNote: null },
    },
    { status: 'denied', withdrawn: true, note: 'Withdrawn, since the booking was reinstated; final' },
  ],
  [
    'made good, after it was paid when no ticket was left',
    (s) => [
      ...[s.unfilled, s.asked(4_000, 'auto_approved'), s.approved('rule', ''), s.submitted, s.failed],
      ...[s.refused('The booking was reinstated', 'reinstatement'), s.reinstated],
    ],
    { status: 'confirmed', unfilled: null, refundStatus: null, cancellable: true },
  ],
  [
    'made good so, and cancelled since',
    (s) => [
      ...[s.unfilled, s.asked(4_000, 'auto_approved'), s.approved('rule', ''), s.submitted, s.failed],
      ...[s.refused('The booking was reinstated', 'reinstatement'), s.reinstated],
      ...[s.cancellation('customer', 2_000, 50), s.asked(2_000, 'auto_approved')],
    ],
    { status: 'cancelled', unfilled: null, refundStatus: 'pending', refundAmount: '20.00' },
  ],
  [
    'made good again, with a refund that is under review all the same',
    (s) => [
      ...[s.placed, s.cancellation('admin', 4_000, 100), s.asked(4_000, 'manual')],
      ...[s.refused('The booking was reinstated', 'reinstatement'), s.reinstated, s.reset],
    ],
    { status: 'confirmed', cancellable: false, notCancellable: 'refund_open' },
    { status: 'processing', decision: null, withdrawn: false, note: null },
  ],
];

const expectAlike = async (id: number, shown: Partial<Booking>, paidBack?: Partial<AdminRefund>) => {
  const found = await answers(id);
  expect(found.booking.row).toMatchObject(shown);
  expect(found.booking.state).toEqual(found.booking.row);
  // The superusers' list finds it under the status that its customer reads.
  expect(found.listed).toHaveLength(1);
  if (paidBack) expect(found.refund.row).toMatchObject(paidBack);
  expect(found.refund.state).toEqual(found.refund.row);
};

describe('a booking and its refund are the same from rows and from streams', () => {
  let last = 0;
  it.each(cases)('for %s', async (_, happened, shown, paidBack) => {
    const told = story(++last);
    await kit.given(...told.setting, ...happened(told));
    await expectAlike(told.id, shown, paidBack);
  });

  it('for an event that is over', async () => {
    const told = story(++last, schedule('2026-07-01'));
    await kit.given(...told.setting, told.placed);
    await expectAlike(told.id, { status: 'completed', tab: 'past', notCancellable: 'started' });
  });

  it('for a person who was erased since their texts were read', async () => {
    const told = story(++last);
    const asked = told.asked(4_000, 'manual');
    await kit.given(...told.setting, told.placed, told.cancellation('customer', 4_000, 100), asked);
    await expectAlike(told.id, {}, { refundReason: 'We can not come after all.' });
    const { userId } = told;
    await kit.keys.destroy(userId);
    await kit.given(given(`account-${userId}`, { type: 'AccountErased', data: { accountId: userId } }));
    const { state } = await handler.state(refund, told.id);
    const rows = await refunds(readModels(kit.pool)).where('r.booking_id', '=', told.id).execute();
    const [parts] = (await openRefunds(kit.keys, rows)).map(toAdminRefund);
    expect(await refundAnswer({ handler }, state)).toEqual(parts);
    expect(parts).toMatchObject({ userEmail: null, refundReason: null });
  });
});

it('an account has the same answer however its ways to sign in were added', async () => {
  for (const via of ['password', 'google'] as const) {
    const accountId = randomUUID();
    const data = {
      ...{ accountId, email: `${via}@people.example`, firstName: 'Zoë', lastName: 'Łukasz', via },
      ...{ profileImageUrl: null, role: 'admin' as const },
    };
    const later: AnyEvent[] = [
      { type: 'EmailVerified', data: { accountId } },
      {
        type: 'ProfileCompleted',
        data: { accountId, dateOfBirth: '1990-04-05', favoriteCategories: ['dining'] },
      },
      { type: via === 'google' ? 'PasswordChanged' : 'GoogleLinked', data: { accountId } },
      { type: 'PasswordRemoved', data: { accountId } },
    ];
    const ways: string[][] = [];
    for (const event of [{ type: 'AccountRegistered', data } as const, ...later]) {
      await kit.given(given(`account-${accountId}`, event));
      const row = await findAccount(readModels(kit.pool), accountId);
      const user = row && toUser(userParts(row));
      expect(toUser((await handler.state(account, accountId)).state)).toEqual(user);
      ways.push(user?.signInWith ?? []);
    }
    expect([ways.at(0), ...ways.slice(-2)]).toEqual([[via], ['password', 'google'], ['google']]);
  }
});

it('a listing has the same answer right after its creation and in the list', async () => {
  const told = story(900);
  await kit.given(...told.setting);
  const [row] = await listings(readModels(kit.pool)).where('l.id', '=', told.id).execute();
  const made: ListingParts = {
    id: told.id,
    listing: (await handler.state(listing, told.id)).state,
    inventory: (await handler.state(inventory, told.id)).state,
    city: { name: 'Leeds' },
    venue: { name: 'Corn Exchange' },
    category: (await handler.state(category, 'culture')).state,
  };
  expect(toAdminEvent(made, view)).toEqual(row && toAdminEvent(listingParts(row), view));
});
