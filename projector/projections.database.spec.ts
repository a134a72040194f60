import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AnyEvent } from '#domain/all-events.ts';
import { erased } from '#domain/kernel/personal.ts';
import { REFUND_POLICY } from '#domain/kernel/policy.ts';
import { addressPlace } from '#infra/event-log/codec.ts';
import { findViolations } from '#infra/read-models/invariants.ts';
import { readModels } from '#infra/read-models/read-models.ts';
import {
  cancelReasonPlace,
  deletionReasonPlace,
  openTexts,
  refundDecisionPlace,
  refundReasonPlace,
} from '#infra/read-models/sealed-text.ts';
import { searchQuery } from '#infra/read-models/search.ts';
import { doorCounts } from '#query-api/queries/scans.ts';
import { GIVEN_AT, type Given, type GivenEvents, givenEvents } from '#tests/kit/given-events.ts';

const BUYER = randomUUID();
const STAFF = randomUUID();
const ATTEMPT = randomUUID();
const STARTS_AT = '2026-12-01T19:30:00.000Z';

const given = (stream: string, event: AnyEvent, more: Partial<Given> = {}): Given => ({
  stream,
  event,
  ...more,
});
const listing = (listingId: number, title: string, venueId = 1): Given =>
  given(`listing-${listingId}`, {
    type: 'ListingCreated',
    data: {
      listingId,
      featured: false,
      title,
      description: '<p>An evening of <b>strings</b></p>',
      category: 'culture',
      cityId: 1,
      venueId,
      location: '1 High Street, York',
      price: 2_500,
      imageUrl: null,
      tags: ['live'],
      date: '2026-12-01',
      time: '19:30',
      zone: 'Europe/London',
      startsAt: STARTS_AT,
    },
  });
const venue = (name: string): Given =>
  given('venue-1', {
    type: 'VenueAdded',
    data: { venueId: 1, name, address: '1 High Street', cityId: 1, capacity: 100 },
  });
const city = given('city-1', {
  type: 'CityAdded',
  data: { cityId: 1, name: 'York', state: 'England', country: 'United Kingdom', zone: 'Europe/London' },
});
const quote = {
  unitPrice: 2_500,
  quantity: 2,
  discount: 500,
  total: 4_500,
  currency: 'gbp',
  promotion: { promotionId: 7, code: 'TEN' },
} as const;
const whose = { bookingId: 12, userId: BUYER };
const ids = { ...whose, listingId: 1 };
const paid = given(`checkout-${BUYER}-1`, {
  type: 'PaymentReceived',
  data: { attempt: ATTEMPT, intentId: 'pi_1', amount: 4_500, late: false },
});
const placed = given('booking-12', {
  type: 'BookingPlaced',
  data: {
    ...ids,
    attempt: ATTEMPT,
    reference: 'BKABCDEFGH',
    quote,
    intentId: 'pi_1',
    policy: REFUND_POLICY,
    startsAt: STARTS_AT,
  },
});
const cancelled = given('booking-12', {
  type: 'BookingCancelled',
  data: { ...ids, quantity: 2, by: 'customer', reason: 'Broke my leg, sadly', refund: 4_500, percent: 100 },
});
const registered = given(`account-${BUYER}`, {
  type: 'AccountRegistered',
  data: {
    accountId: BUYER,
    email: 'zoe@example.test',
    firstName: 'Zoë',
    lastName: 'Łukasz',
    profileImageUrl: null,
    via: 'password',
    role: 'user',
  },
});

describe('the read models', () => {
  let kit: GivenEvents;
  beforeEach(async () => {
    kit = await givenEvents();
  });
  afterEach(async () => {
    // Whatever a spec did, live and rebuilt are the same, row by row.
    expect(await kit.comparedWithRebuild()).toBe('no row differs');
  });

  const found = async (text: string): Promise<number[]> => {
    const rows = await readModels(kit.pool)
      .selectFrom('listing_search')
      .select('listing_id')
      .where(sql<boolean>`document @@ ${searchQuery(text) ?? ''}::tsquery`)
      .orderBy('listing_id')
      .execute();
    return rows.map(({ listing_id }) => listing_id);
  };

  it('find listings by the beginnings of words in title, tags, text, venue and city', async () => {
    await kit.given(listing(1, 'Café Quartet'), listing(2, 'Comedy Night'), venue('Łódź Hall'), city);
    expect(await found('cafe quar')).toEqual([1]);
    expect(await found('lodz')).toEqual([1, 2]);
    expect(await found('YORK night')).toEqual([2]);
    expect(await found('string')).toEqual([1, 2]);
    expect(await found('uartet')).toEqual([]);
  });

  it('update the search text of all a venue’s listings when it is renamed', async () => {
    await kit.given(listing(1, 'Quartet'), venue('Old Hall'));
    const { data } = venue('New Rooms').event;
    await kit.given(given('venue-1', { type: 'VenueEdited', data } as AnyEvent));
    expect(await found('rooms')).toEqual([1]);
    expect(await found('old')).toEqual([]);
  });

  it('follow a listing through its life', async () => {
    const schedule = {
      date: '2026-12-02',
      time: '20:00',
      zone: 'Europe/London',
      startsAt: '2026-12-02T20:00:00.000Z',
    };
    const from = { date: '2026-12-01', time: '19:30', zone: 'Europe/London', startsAt: STARTS_AT };
    const at = '2026-06-02T12:00:00.000Z';
    await kit.given(
      listing(1, 'Quartet'),
      given('listing-1', { type: 'ListingFeatured', data: { listingId: 1, featured: true } }),
      given('listing-1', { type: 'ListingRescheduled', data: { listingId: 1, from, ...schedule } }, { at }),
    );
    const [row] = await kit.rows('listing');
    expect(row).toMatchObject({
      title: 'Quartet',
      tags: ['live'],
      featured: true,
      is_active: true,
      archived: false,
      date: '2026-12-02',
      starts_at: '2026-12-02T20:00:00.000Z',
      moved_from: [STARTS_AT],
      created_at: GIVEN_AT,
      updated_at: at,
    });
    const move = (data: object) =>
      given('listing-1', { type: 'ListingRescheduled', data: { listingId: 1, ...data } } as AnyEvent);
    const third = { ...schedule, date: '2026-12-03', startsAt: '2026-12-03T20:00:00.000Z' };
    await kit.given(move({ from: schedule, ...third }));
    expect(await kit.rows('listing')).toMatchObject([{ moved_from: [STARTS_AT, schedule.startsAt] }]);
    await kit.given(move({ from: third, ...from }));
    expect(await kit.rows('listing')).toMatchObject([{ moved_from: [schedule.startsAt, third.startsAt] }]);
    // Nobody was told another date or time than before.
    const rome = { zone: 'Europe/Rome', startsAt: '2026-12-01T18:30:00.000Z' };
    await kit.given(move({ from, ...from, ...rome }));
    expect(await kit.rows('listing')).toMatchObject([
      { zone: 'Europe/Rome', starts_at: rome.startsAt, moved_from: [schedule.startsAt, third.startsAt] },
    ]);
    await kit.given(given('listing-1', { type: 'ListingArchived', data: { listingId: 1 } }));
    expect(await kit.rows('listing')).toMatchObject([{ archived: true, is_active: false }]);
  });

  it('keep the extras of a listing, including those known only to a newer program', async () => {
    const { data } = listing(1, 'Quartet').event;
    const told = (type: string, extras: object) =>
      given('listing-1', { type, data: { ...data, extras } } as AnyEvent);
    await kit.given(told('ListingCreated', { minimumAge: 18, doors: '19:00', smoking: 'outside' }));
    await kit.given(told('ListingEdited', { minimumAge: 16, doors: null }));
    const extras = { minimumAge: 16, doors: null, smoking: 'outside' };
    expect(await kit.rows('listing')).toMatchObject([{ extras }]);
  });

  it('count tickets that are held, sold out of a hold, sold late, or returned', async () => {
    const hold = { listingId: 1, attempt: ATTEMPT, bookingId: 12, userId: BUYER };
    const inventory = (event: AnyEvent) => given('inventory-1', event);
    await kit.given(
      inventory({ type: 'InventoryOpened', data: { listingId: 1, capacity: 10 } }),
      inventory({ type: 'TicketsHeld', data: { ...hold, quantity: 2, until: STARTS_AT } }),
      inventory({ type: 'TicketsHeld', data: { ...hold, quantity: 3, until: STARTS_AT } }),
      inventory({ type: 'TicketsSold', data: { ...hold, quantity: 2, held: true } }),
      inventory({ type: 'HoldReleased', data: { ...hold, quantity: 3, why: 'expired', at: STARTS_AT } }),
      inventory({ type: 'TicketsSold', data: { ...hold, quantity: 3, held: false } }),
      inventory({ type: 'TicketsReturned', data: { listingId: 1, bookingId: 12, quantity: 2 } }),
    );
    expect(await kit.rows('inventory')).toEqual([
      { listing_id: 1, capacity: 10, sold: 3, held: 0, closed: null },
    ]);
  });

  it('show a payment without a booking until the booking is placed', async () => {
    await kit.given(paid);
    expect(await kit.rows('paid_attempt')).toEqual([
      {
        attempt: ATTEMPT,
        user_id: BUYER,
        listing_id: 1,
        intent_id: 'pi_1',
        amount: 4_500,
        late: false,
        paid_at: GIVEN_AT,
      },
    ]);
    await kit.given(placed);
    expect(await kit.rows('paid_attempt')).toEqual([]);
    expect(await kit.rows('booking')).toMatchObject([
      {
        id: 12,
        reference: 'BKABCDEFGH',
        status: 'confirmed',
        total: 4_500,
        promo_code: 'TEN',
        policy: REFUND_POLICY,
      },
    ]);
  });

  it('keep the reason of a cancellation sealed, and lose it once the person is erased', async () => {
    await kit.given(placed, cancelled);
    const [row] = await kit.rows('booking');
    expect(row).toMatchObject({ status: 'cancelled', cancelled_by: 'customer', refund_amount: 4_500 });
    // More than a word of letters, which a seal may happen to hold.
    expect(row?.cancel_reason).not.toContain('my leg');
    const field = { text: row?.cancel_reason ?? null, place: cancelReasonPlace(12) };
    expect(await openTexts(kit.keys, [field])).toEqual(['Broke my leg, sadly']);
    await kit.keys.destroy(BUYER);
    expect(await openTexts(kit.keys, [field])).toEqual([null]);
  });

  it('follow a refund to the provider’s result', async () => {
    const refund = (event: AnyEvent) => given('refund-12', event);
    const asked = {
      ...ids,
      intentId: 'pi_1',
      amount: 3_600,
      paid: 4_500,
      reason: 'Broke my leg, sadly',
      cancellation: 1,
    };
    await kit.given(
      refund({ type: 'RefundRequested', data: { ...asked, processingType: 'manual' } }),
      refund({ type: 'RefundDenied', data: { ...whose, reason: 'Not at all', by: 'superuser' } }),
      refund({
        type: 'RefundApproved',
        data: { ...whose, amount: 4_500, notes: 'Third time this year', by: 'superuser' },
      }),
      refund({ type: 'RefundSubmitted', data: { bookingId: 12, attempt: 1, amount: 4_500 } }),
      refund({
        type: 'RefundFailed',
        data: { bookingId: 12, attempt: 1, providerRefundId: 're_1', why: 'bank' },
      }),
      refund({ type: 'RefundSubmitted', data: { bookingId: 12, attempt: 2, amount: 4_500 } }),
    );
    const [row] = await kit.rows('refund');
    expect(row).toMatchObject({
      status: 'submitted',
      attempt: 2,
      amount: 4_500,
      failure: null,
      denial_reason: null,
    });
    const texts = [
      { text: row?.reason ?? null, place: refundReasonPlace(12) },
      { text: row?.notes ?? null, place: refundDecisionPlace(12, 'approved') },
    ];
    expect(JSON.stringify(row)).not.toMatch(/my leg|time this/);
    expect(await openTexts(kit.keys, texts)).toEqual(['Broke my leg, sadly', 'Third time this year']);
    const done = { bookingId: 12, attempt: 2, providerRefundId: 're_2', amount: 4_500 };
    await kit.given(refund({ type: 'RefundSucceeded', data: done }));
    expect(await kit.rows('refund')).toMatchObject([{ status: 'succeeded', completed_at: GIVEN_AT }]);
  });

  it('show a refund that is no longer retried', async () => {
    const refund = (event: AnyEvent) => given('refund-12', event);
    const asked = { ...ids, intentId: 'pi_1', amount: 4_500, paid: 4_500, reason: 'Ill', cancellation: 1 };
    const trying = (attempt: number) => [
      refund({ type: 'RefundSubmitted', data: { bookingId: 12, attempt, amount: 4_500 } }),
      refund({ type: 'RefundFailed', data: { bookingId: 12, attempt, providerRefundId: null, why: 'bank' } }),
    ];
    const found = () => findViolations(kit.pool, { now: new Date(GIVEN_AT) });
    await kit.given(
      refund({ type: 'RefundRequested', data: { ...asked, processingType: 'auto_approved' } }),
      refund({ type: 'RefundApproved', data: { ...whose, amount: 4_500, notes: '', by: 'rule' } }),
      ...[1, 2, 3].flatMap(trying),
    );
    expect(await found()).toEqual([]);
    await kit.given(...trying(4));
    expect(await found()).toEqual([
      { rule: 'refunds reach their buyer', of: '12', detail: 'the provider refused 4500 pence 4 times' },
    ]);
  });

  it('have personal data in one table only, and lose it with the key', async () => {
    const account = (event: AnyEvent) => given(`account-${BUYER}`, event);
    const profile = { dateOfBirth: '1990-04-01', favoriteCategories: ['culture'] };
    await kit.given(
      registered,
      account({ type: 'EmailVerified', data: { accountId: BUYER } }),
      account({ type: 'ProfileCompleted', data: { accountId: BUYER, ...profile } }),
    );
    expect(await kit.rows('person')).toEqual([
      {
        account_id: BUYER,
        email: 'zoe@example.test',
        first_name: 'Zoë',
        last_name: 'Łukasz',
        date_of_birth: '1990-04-01',
        favorite_categories: ['culture'],
        profile_image_url: null,
      },
    ]);
    const { rows } = await kit.pool.query<{ dump: string }>(
      `SELECT string_agg(t.dump, '') AS dump FROM (SELECT to_jsonb(a)::text AS dump FROM read.account a
        UNION ALL SELECT to_jsonb(b)::text FROM read.audit b) t`,
    );
    expect(rows[0]?.dump).not.toMatch(/zoe@|Zoë|1990-04-01/);
    await kit.keys.destroy(BUYER);
    await kit.given(account({ type: 'AccountErased', data: { accountId: BUYER } }));
    expect(await kit.rows('person')).toEqual([]);
    expect(await kit.rows('account')).toMatchObject([{ id: BUYER, is_active: false, erased_at: GIVEN_AT }]);
  });

  it('keep the reason of an account’s deletion sealed', async () => {
    const deleted = { accountId: BUYER, reason: 'asked by letter' };
    const event: AnyEvent = { type: 'AccountSoftDeleted', data: deleted };
    await kit.given(registered, given(`account-${BUYER}`, event));
    const [row] = await kit.rows('account');
    expect(row).toMatchObject({ deleted_at: GIVEN_AT });
    const field = { text: row?.deletion_reason ?? null, place: deletionReasonPlace(BUYER) };
    expect(await openTexts(kit.keys, [field])).toEqual(['asked by letter']);
  });

  it('have an account without a person if a replay meets an erased person', async () => {
    const { data } = registered.event as Extract<AnyEvent, { type: 'AccountRegistered' }>;
    const nameless = { ...data, email: erased, firstName: erased, lastName: erased, profileImageUrl: erased };
    await kit.given(given(`account-${BUYER}`, { type: 'AccountRegistered', data: nameless }));
    expect(await kit.rows('person')).toEqual([]);
    expect(await kit.rows('account')).toMatchObject([{ id: BUYER }]);
  });

  it('follow a newsletter subscription, and have none of an erased person', async () => {
    const about = (event: AnyEvent) => given('newsletter-ab12', event);
    const data = { subscription: 'ab12', key: ATTEMPT, email: 'zoe@example.test', source: 'footer' };
    const subscribed = about({ type: 'NewsletterSubscribed', data });
    const left = about({ type: 'NewsletterUnsubscribed', data: { subscription: 'ab12' } });
    const row = { id: 'ab12', email: data.email, source: 'footer', active: true, subscribed_at: GIVEN_AT };
    await kit.given(subscribed);
    expect(await kit.rows('subscriber')).toEqual([row]);
    await kit.given(left);
    expect(await kit.rows('subscriber')).toEqual([{ ...row, active: false }]);
    await kit.given(subscribed);
    expect(await kit.rows('subscriber')).toEqual([row]);
    const keys = [ATTEMPT];
    await kit.given(left, about({ type: 'NewsletterErased', data: { subscription: 'ab12', keys } }));
    expect(await kit.rows('subscriber')).toEqual([]);
    const nameless = { ...data, email: erased };
    await kit.given(about({ type: 'NewsletterSubscribed', data: nameless }), left);
    expect(await kit.rows('subscriber')).toEqual([]);
  });

  it('shows the images of the gallery until they are removed', async () => {
    const about = (event: AnyEvent) => given('image-3', event);
    const size = { format: 'webp', bytes: 9_000, width: 1600, height: 900 };
    const facts = {
      imageId: 3,
      originalName: 'hall.png',
      use: 'hero',
      path: '/images/a.webp',
      ...size,
    } as const;
    await kit.given(about({ type: 'ImageAdded', data: facts }));
    const row = { id: 3, original_name: 'hall.png', use: 'hero', path: '/images/a.webp', ...size };
    expect(await kit.rows('image')).toEqual([{ ...row, created_at: GIVEN_AT }]);
    await kit.given(about({ type: 'ImageRemoved', data: { imageId: 3 } }));
    expect(await kit.rows('image')).toEqual([]);
  });

  it('show the email templates written by superusers', async () => {
    const about = (event: AnyEvent) => given('email-template-all', event);
    const facts = { name: 'Winter', subject: 'Warm up', description: '', kind: null };
    const data = { ...facts, templateId: 101, htmlContent: '<p>x</p>', textContent: 'x', isActive: true };
    await kit.given(about({ type: 'EmailTemplateAdded', data }));
    const row = { ...facts, id: 101, html_content: '<p>x</p>', text_content: 'x', updated_at: GIVEN_AT };
    expect(await kit.rows('email_template')).toEqual([{ ...row, is_active: true }]);
    await kit.given(about({ type: 'EmailTemplateReplaced', data: { templateId: 101 } }));
    expect(await kit.rows('email_template')).toEqual([{ ...row, is_active: false }]);
    await kit.given(
      about({ type: 'EmailTemplateEdited', data }),
      about({ type: 'EmailTemplateRemoved', data: { templateId: 101 } }),
    );
    expect(await kit.rows('email_template')).toEqual([]);
  });

  it('show the webhooks, and why the site stopped one', async () => {
    const about = (event: AnyEvent) => given('hook-all', event);
    const facts = {
      url: 'https://box-office.example/in',
      description: '',
      types: ['booking.placed'] as const,
    };
    await kit.given(about({ type: 'HookAdded', data: { ...facts, hookId: 1, isActive: true } }));
    const row = { ...facts, id: 1, updated_at: GIVEN_AT };
    expect(await kit.rows('hook')).toEqual([{ ...row, is_active: true, stopped: null }]);
    await kit.given(about({ type: 'HookStopped', data: { hookId: 1, why: 'gone' } }));
    expect(await kit.rows('hook')).toEqual([{ ...row, is_active: false, stopped: 'gone' }]);
    await kit.given(about({ type: 'HookRemoved', data: { hookId: 1 } }));
    expect(await kit.rows('hook')).toEqual([]);
  });

  it('show the people on the waiting list until they leave or are notified', async () => {
    const about = (type: 'WaitingListJoined' | 'WaitingListLeft' | 'WaiterTold', userId: string) =>
      given('waiting-1', { type, data: { listingId: 1, userId } });
    const [one, other] = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
    const row = (user_id: string) => ({ listing_id: 1, user_id, since: GIVEN_AT });
    await kit.given(about('WaitingListJoined', one), about('WaitingListJoined', other));
    expect(await kit.rows('waiter')).toEqual([row(one), row(other)]);
    await kit.given(
      about('WaiterTold', one),
      about('WaitingListLeft', other),
      about('WaitingListJoined', one),
    );
    expect(await kit.rows('waiter')).toEqual([row(one)]);
  });

  it('shows the disputes of a payment', async () => {
    const about = (event: AnyEvent) => given('dispute-12', event);
    const opened = { openedAt: '2026-12-06T00:00:00.000Z', dueBy: null };
    const facts = { ...ids, intentId: 'pi_1', disputeId: 'dp_1', amount: 4_500, reason: 'fraudulent' };
    await kit.given(about({ type: 'DisputeOpened', data: { ...facts, ...opened } }));
    const row = { id: 'dp_1', booking_id: 12, user_id: BUYER, listing_id: 1, amount: 4_500 };
    const rest = { reason: 'fraudulent', opened_at: opened.openedAt, due_by: null };
    const open = { ...row, ...rest, outcome: null, inquiry: false, closed_at: null };
    expect(await kit.rows('dispute')).toEqual([open]);
    const asked = { ...facts, ...opened, disputeId: 'dp_2', inquiry: true } as const;
    await kit.given(about({ type: 'DisputeOpened', data: asked }));
    expect(await kit.rows('dispute')).toContainEqual({ ...open, id: 'dp_2', inquiry: true });
    const { inquiry: _, ...taken } = asked;
    await kit.given(about({ type: 'DisputeOpened', data: taken }));
    expect(await kit.rows('dispute')).toContainEqual({ ...open, id: 'dp_2' });
    const closed = { bookingId: 12, disputeId: 'dp_1', outcome: 'lost' } as const;
    await kit.given(about({ type: 'DisputeClosed', data: closed }));
    expect(await kit.rows('dispute')).toContainEqual({ ...open, outcome: 'lost', closed_at: GIVEN_AT });
  });

  it('counts the uses of a promotion', async () => {
    const promotion = (event: AnyEvent) => given('promotion-7', event);
    const use = { promotionId: 7, attempt: ATTEMPT };
    await kit.given(
      promotion({
        type: 'PromotionCreated',
        data: {
          promotionId: 7,
          code: 'TEN',
          name: 'Ten',
          description: '',
          discountType: 'percentage',
          discountValue: 12.5,
          usageLimit: null,
          validFrom: GIVEN_AT,
          validUntil: STARTS_AT,
          isActive: true,
        },
      }),
      promotion({ type: 'UseReserved', data: { ...use, at: GIVEN_AT } }),
      promotion({ type: 'UseReserved', data: { ...use, at: GIVEN_AT } }),
      promotion({ type: 'UseRedeemed', data: { ...use, bookingId: 12, reserved: true } }),
      promotion({ type: 'UseReleased', data: { ...use, reserved: true } }),
      promotion({ type: 'UseReleased', data: { ...use, reserved: false } }),
      promotion({ type: 'UseRedeemed', data: { ...use, bookingId: 13, reserved: false } }),
    );
    expect(await kit.rows('promotion')).toMatchObject([{ discount_value: '12.5', reserved: 0, redeemed: 2 }]);
    await kit.given(
      promotion({ type: 'UseReserved', data: { ...use, at: GIVEN_AT } }),
      promotion({ type: 'UseReturned', data: { ...use, bookingId: 12, counted: 'redeemed' } }),
      promotion({ type: 'UseReturned', data: { ...use, bookingId: 14, counted: 'reserved' } }),
      promotion({ type: 'UseReturned', data: { ...use, bookingId: 15, counted: null } }),
    );
    expect(await kit.rows('promotion')).toMatchObject([{ reserved: 0, redeemed: 1 }]);
  });

  it('show the scans at the door, and how much of the party is in', async () => {
    const door = (event: AnyEvent, at: string) => given('admission-12', event, { at });
    const scan = { bookingId: 12, userId: BUYER, listingId: 1, page: 1, gate: 'North', by: { id: STAFF } };
    const [first, second, third, fourth] = [
      '2026-12-01T19:00:00.000Z',
      '2026-12-01T19:01:00.000Z',
      '2026-12-01T19:02:00.000Z',
      '2026-12-01T19:03:00.000Z',
    ];
    const undone = { bookingId: 12, listingId: 1, page: 1, quantity: 1 };
    const conflicting = { gate: 'South', by: { id: STAFF }, at: second };
    await kit.given(
      door({ type: 'Admitted', data: { ...scan, quantity: 2, at: first } }, first),
      door({ type: 'ReEntryRefused', data: { ...scan, at: second } }, second),
      door(
        {
          type: 'AdmissionUndone',
          data: {
            ...undone,
            userId: BUYER,
            scannedAt: first,
            reason: 'Wrong queue',
            by: { id: STAFF },
            at: third,
          },
        },
        third,
      ),
      door(
        {
          type: 'AdmittedInConflict',
          data: { ...scan, quantity: 2, why: 'TICKET_USED', scanId: 'x', at: third, first: conflicting },
        },
        third,
      ),
      door({ type: 'EntryRefused', data: { ...scan, why: 'TICKET_EXPIRED', at: fourth } }, fourth),
      door({ type: 'AdmissionSuspended', data: { bookingId: 12, listingId: 1, asOf: 0 } }, fourth),
    );
    const scans = (await kit.rows('scan')).sort(
      (a, b) => a.at.localeCompare(b.at) || b.outcome.localeCompare(a.outcome),
    );
    expect(scans.map(({ undoes, first: before }) => undoes ?? before)).toEqual([
      ...[null, null, first, conflicting, null],
    ]);
    expect(
      scans.map(({ outcome, why, quantity, gate, by_id }) => [outcome, why, quantity, gate, by_id]),
    ).toEqual([
      ['admitted', null, 2, 'North', STAFF],
      ['refused', 'TICKET_USED', 0, 'North', STAFF],
      ['undone', null, 1, null, STAFF],
      ['conflict', 'TICKET_USED', 2, 'North', STAFF],
      ['refused', 'TICKET_EXPIRED', 0, 'North', STAFF],
    ]);
    expect(await kit.rows('admission')).toEqual([
      {
        ...{ booking_id: 12, listing_id: 1, admitted: 1, refused: 2, conflicts: 2 },
        ...{ last_admitted_at: first, voided: null, suspended: true },
      },
    ]);
    // The booking that they came with was never placed here.
    const counted = { listing_id: 1, admitted: 1, conflicts: 2 };
    expect(await kit.rows('door')).toEqual([{ ...counted, booked: 0 }]);
    await kit.given(listing(1, 'Winter Brass'), placed);
    expect(await kit.rows('door')).toEqual([{ ...counted, booked: 2 }]);
    const expected = async () => (await doorCounts(readModels(kit.pool), [1]))[0]?.expected;
    expect(await expected()).toBe(1);
    await kit.given(cancelled);
    expect([await expected(), await kit.rows('door')]).toEqual([0, [{ ...counted, booked: 0 }]]);
    const reinstated = { type: 'BookingReinstated', data: { ...ids, quantity: 2 } } as const;
    await kit.given(given('booking-12', reinstated));
    expect([await expected(), await kit.rows('door')]).toEqual([1, [{ ...counted, booked: 2 }]]);
  });

  it('count the other bookings at the door if one booking’s event cannot be folded', async () => {
    const unknown = { ...cancelled.event.data, bookingId: 11 };
    await kit.given(
      listing(1, 'Winter Brass'),
      given('booking-11', { type: 'BookingCancelled', data: unknown } as AnyEvent),
      placed,
    );
    expect(await kit.rows('parked')).toMatchObject([{ stream: 'booking-11' }]);
    expect(await kit.rows('booking')).toMatchObject([{ id: 12 }]);
    expect(await kit.rows('door')).toEqual([{ listing_id: 1, booked: 2, admitted: 0, conflicts: 0 }]);
  });

  it('audit what staff did and what was done with accounts, with the address sealed', async () => {
    const actor = { kind: 'user', id: STAFF, role: 'superuser', ip: '203.0.113.9' } as const;
    await kit.given(
      registered,
      listing(1, 'By the system'),
      given('listing-1', { type: 'ListingFeatured', data: { listingId: 1, featured: true } }, { actor }),
      given('email-template-all', { type: 'EmailTemplateRemoved', data: { templateId: 101 } }, { actor }),
      given('site-config', { type: 'SettingReset', data: { key: 'site_name' } }, { actor }),
      given(
        'refund-12',
        { type: 'RefundReset', data: { bookingId: 12 } },
        { actor: { ...actor, role: 'user' } },
      ),
    );
    const rows = (await kit.rows('audit')).sort((a, b) => a.position.localeCompare(b.position));
    expect(rows).toMatchObject([
      { action: 'create', entity_type: 'user', entity_id: BUYER, actor_kind: 'system', ip: null },
      {
        ...{ action: 'update', entity_type: 'event', entity_id: '1', details: 'Featured' },
        ...{ actor_id: STAFF, actor_role: 'superuser' },
      },
      { action: 'delete', entity_type: 'email-template', entity_id: '101' },
      { action: 'update', entity_type: 'setting', entity_id: 'site_name', details: 'Back to the default' },
    ]);
    const field = { text: rows[1]?.ip ?? null, place: addressPlace(rows[1]?.correlation_id ?? '') };
    expect(await openTexts(kit.keys, [field])).toEqual(['203.0.113.9']);
    expect(JSON.stringify(rows)).not.toContain('203.0.113.9');
  });
});
