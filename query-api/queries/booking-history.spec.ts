import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { allEvents } from '#domain/all-events.ts';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import type { RefundEvent } from '#domain/refund/events.ts';
import { createCodec } from '#infra/event-log/codec.ts';
import { createMemoryKeyStore } from '#tests/kit/memory-keys.ts';
import { MemoryEventLog } from '#tests/kit/memory-log.ts';
import { readHistory } from './booking-history.ts';

const NOON = '2026-06-01T12:00:00.000Z';

const history = {
  bookingId: 12,
  userId: 'ann',
  listingId: 7,
  attempt: 'a',
  zone: 'Europe/London',
  siteName: 'Nightjar',
};

const setUp = () => {
  const log = new MemoryEventLog();
  const codec = createCodec(createMemoryKeyStore(), allEvents);
  const append = async (stream: string, event: DomainEvent, at = NOON): Promise<void> => {
    const context = {
      commandId: randomUUID(),
      actor: { kind: 'system' } as const,
      at,
      correlationId: 'spec',
    };
    const meta = await codec.encodeMeta(context);
    const made = await codec.encode(event, randomUUID(), stream, context, meta);
    await log.append([{ stream, expected: 'any', events: [made] }]);
  };
  return { append, read: () => readHistory(log, codec, history) };
};

it('a booking’s history reports that a refund is retried only as long as it is', async () => {
  const { append, read } = setUp();
  for (const attempt of [1, 2, 3, 4]) {
    const event: RefundEvent = {
      type: 'RefundFailed',
      data: { bookingId: 12, attempt, providerRefundId: null, why: 'bank' },
    };
    await append('refund-12', event);
  }
  expect((await read()).map(({ kind, detail }) => [kind, detail])).toEqual([
    ['refund-failed', 'We are trying again.'],
    ['refund-failed', 'We are trying again.'],
    ['refund-failed', 'We are trying again.'],
    ['refund-failed', 'We are looking into it.'],
  ]);
});

it('a booking’s history reports a dispute of its payment and how that ended', async () => {
  const { append, read } = setUp();
  const disputeId = 'dp_1';
  await append('dispute-12', {
    type: 'DisputeOpened',
    data: {
      ...{ bookingId: 12, userId: 'ann', listingId: 7, intentId: 'pi_1', disputeId, amount: 2_000 },
      ...{ reason: 'fraudulent', dueBy: null, openedAt: NOON },
    },
  });
  for (const outcome of ['lost', 'won'])
    await append('dispute-12', { type: 'DisputeClosed', data: { bookingId: 12, disputeId, outcome } });
  expect((await read()).map(({ kind, title, by }) => [kind, title, by])).toEqual([
    ['disputed', 'Payment of £20.00 disputed', 'the card’s bank'],
    ['disputed', 'Dispute settled: the payment went back', 'the card’s bank'],
    ['disputed', 'Dispute settled: the payment stands', 'the card’s bank'],
  ]);
});

it('a booking’s history shows the newest events of an excessively long stream', async () => {
  const { append, read } = setUp();
  const whose = { bookingId: 12, userId: 'ann' };
  for (let count = 0; count < 600; count++)
    await append('access-12', { type: 'TicketDownloaded', data: whose });
  await append('access-12', { type: 'MailSent', data: { ...whose, kind: 'booking-cancelled' } });
  const told = await read();
  expect(told).toHaveLength(500);
  expect(told.at(-1)?.title).toBe('Cancellation notice sent');
});

const PRICE = {
  ...{ unitPrice: 0, quantity: 1, discount: 0, total: 0 },
  currency: 'gbp' as const,
  promotion: null,
};
const FACTS = {
  ...{ bookingId: 12, userId: 'ann', listingId: 7, attempt: 'a', reference: 'BK00000012' },
  ...{ quote: PRICE, intentId: null, policy: [], startsAt: NOON },
};

it.each([
  ['sold_out', 'No tickets left'],
  ['sales_closed', 'Sales had closed'],
] as const)('a booking’s history explains why a payment got no tickets: %s', async (why, title) => {
  const { append, read } = setUp();
  await append('booking-12', { type: 'BookingUnfilled', data: { ...FACTS, why } });
  expect(await read()).toMatchObject([{ kind: 'unfilled', title, by: 'Nightjar' }]);
});

it('a booking’s history shows events with reasons known only to a newer program', async () => {
  const { append, read } = setUp();
  const why = 'venue_flooded';
  await append('checkout-ann-7', { type: 'CheckoutClosing', data: { attempt: 'a', why } });
  await append('booking-12', { type: 'BookingUnfilled', data: { ...FACTS, why } });
  const { bookingId, userId, listingId } = FACTS;
  const cancelled = { bookingId, userId, listingId, quantity: 1, reason: 'Wet', refund: 0, percent: 0 };
  await append('booking-12', { type: 'BookingCancelled', data: { ...cancelled, by: 'insurer' } });
  const shown = { bookingId, listingId, page: 1, gate: null, by: { id: 'eve' }, at: NOON };
  await append('admission-12', { type: 'EntryRefused', data: { ...shown, why: 'TICKET_WET' } });
  expect((await read()).map(({ title, detail, by }) => [title, detail, by])).toEqual([
    ['Held tickets released', null, 'Nightjar'],
    ['Not booked', 'Your payment goes back to you in full.', 'Nightjar'],
    ['Booking cancelled', 'Nothing is paid back. Wet', 'Nightjar'],
    ['Shown at the door and refused', 'This ticket was refused.', 'door staff'],
  ]);
});

it('a booking’s history shows an event’s moves only after the booking, by log order instead of clocks', async () => {
  const { append, read } = setUp();
  const day = (date: string) => ({
    date,
    time: '20:00',
    zone: history.zone,
    startsAt: `${date}T19:00:00.000Z`,
  });
  const move = (from: string, to: string, at: string) =>
    append(
      'listing-7',
      { type: 'ListingRescheduled', data: { listingId: 7, from: day(from), ...day(to) } },
      at,
    );
  await move('2026-07-01', '2026-07-02', '2026-06-01T12:05:00.000Z');
  await append('booking-12', { type: 'BookingPlaced', data: FACTS });
  await move('2026-07-02', '2026-07-03', '2026-06-01T11:55:00.000Z');
  const moves = (await read()).filter(({ kind }) => kind === 'rescheduled');
  expect(moves).toMatchObject([{ at: '2026-06-01T11:55:00.000Z', detail: expect.stringContaining('3 Jul') }]);
});

it('a booking’s history shows the year of a date in another year', async () => {
  const { append, read } = setUp();
  await append('booking-12', { type: 'BookingPlaced', data: FACTS });
  const from = {
    date: '2026-12-30',
    time: '19:00',
    zone: history.zone,
    startsAt: '2026-12-30T19:00:00.000Z',
  };
  const to = { ...from, date: '2027-01-08', startsAt: '2027-01-08T19:00:00.000Z' };
  await append('listing-7', { type: 'ListingRescheduled', data: { listingId: 7, from, ...to } });
  const [moved] = (await read()).filter(({ kind }) => kind === 'rescheduled');
  expect(moved?.detail).toBe('From Wed 30 Dec, 7 pm to Fri 8 Jan 2027, 7 pm');
});

it('a booking’s history keeps the time at the venue after a corrected zone', async () => {
  const { append, read } = setUp();
  await append('booking-12', { type: 'BookingPlaced', data: FACTS });
  const from = {
    date: '2026-12-30',
    time: '19:00',
    zone: history.zone,
    startsAt: '2026-12-30T19:00:00.000Z',
  };
  const to = { ...from, zone: 'Europe/Rome', startsAt: '2026-12-30T18:00:00.000Z' };
  await append('listing-7', { type: 'ListingRescheduled', data: { listingId: 7, from, ...to } });
  expect((await read()).filter(({ kind }) => kind === 'rescheduled')).toMatchObject([
    {
      title: 'The event’s time zone was corrected',
      detail: 'It starts Wed 30 Dec, 7 pm at the venue, as before',
    },
  ]);
});
