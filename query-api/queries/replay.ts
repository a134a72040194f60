import { booking } from '#domain/booking/booking.ts';
import type { BookingEvent } from '#domain/booking/events.ts';
import { type CancellationRequest, cancellationQuote } from '#domain/booking/quote.ts';
import { MOST_STEPS, type WhatIf } from '#domain/contracts/replay.ts';
import { toDecimal } from '#domain/kernel/money.ts';
import type { RefundPolicy } from '#domain/kernel/policy.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import type { ListingEvent } from '#domain/listing/events.ts';
import { listing } from '#domain/listing/listing.ts';
import { streamsOf } from '#domain/processes/booking-streams.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { IndexedLog } from './log.ts';

interface Parts {
  readonly log: EventLog;
  readonly codec: Codec;
  readonly indexed: IndexedLog;
}

export const stepsOf = (log: EventLog, stream: string, from = 0): Promise<RecordedEvent[]> =>
  Array.fromAsync(log.readStream(stream, { from, limit: MOST_STEPS }));

export const storyOf = async ({ log, codec, indexed }: Parts, stream: string): Promise<RecordedEvent[]> => {
  const [first] = await Array.fromAsync(log.readStream(stream, { limit: 1 }));
  const [placed] = first ? await codec.decode<BookingEvent>([first], { masked: true }) : [];
  if (!first || (placed?.event.type !== 'BookingPlaced' && placed?.event.type !== 'BookingUnfilled'))
    throw new Refusal('BOOKING_NOT_FOUND');
  const { bookingId, attempt } = placed.event.data;
  const own = streamsOf(bookingId).map((one) => stepsOf(log, one));
  // All events of a checkout, its holds and its purchases carry the attempt's id.
  const { records } = await indexed.page({ search: attempt }, MOST_STEPS, undefined);
  const found = new Map(
    [...records, ...(await Promise.all(own)).flat()].map((record) => [record.id, record]),
  );
  return [...found.values()].sort((a, b) => (a.position < b.position ? -1 : 1)).slice(0, MOST_STEPS);
};

const MOST_CASES = 50;
const KEPT = 5_000;

/** Cancellations that the policy did not decide (moved event, superuser) stay unchanged. */
export const replayPolicy = async ({ log, codec, indexed }: Parts, policy: RefundPolicy): Promise<WhatIf> => {
  const schedules = new Map<string, readonly Recorded<ListingEvent>[]>();
  const startOf = async (stream: string, at: string): Promise<string | undefined> => {
    let events = schedules.get(stream);
    if (!events) {
      events = await codec.decode<ListingEvent>(await Array.fromAsync(log.readStream(stream)), {
        masked: true,
      });
      if (schedules.size >= KEPT) schedules.clear();
      schedules.set(stream, events);
    }
    return events
      .filter(({ meta }) => meta.at <= at)
      .reduce((state, { event }) => listing.evolve(state, event, at), listing.initial).schedule?.startsAt;
  };

  const cases: {
    bookingId: number;
    reference: string;
    hours: number;
    paid: number;
    was: number;
    would: number;
  }[] = [];
  let [cancellations, differing, was, would] = [0, 0, 0, 0];
  const filter = { type: 'BookingCancelled' };
  const { until } = await indexed.extent(filter);
  for await (const page of indexed.all(filter, until)) {
    const firsts = await log.readEach(page.map(({ stream }) => ({ stream, revision: 0 })));
    const placed = new Map(
      (await codec.decode<BookingEvent>(firsts, { masked: true })).map((one) => [one.stream, one]),
    );
    for (const { event, stream, meta } of await codec.decode<BookingEvent>(page, { masked: true })) {
      const begun = placed.get(stream);
      if (event.type !== 'BookingCancelled' || !begun) continue;
      const { facts } = booking.evolve(booking.initial, begun.event, begun.meta.at);
      const { by } = event.data;
      if (!facts || (by !== 'customer' && by !== 'account-erased')) continue;
      const startsAt = await startOf(`listing-${facts.listingId}`, meta.at);
      if (startsAt !== facts.startsAt) continue;
      const request: CancellationRequest = { by, at: meta.at, startsAt };
      const other = cancellationQuote({ facts: { ...facts, policy }, status: 'confirmed' }, request);
      cancellations += 1;
      was += event.data.refund;
      would += other.refund;
      if (other.refund === event.data.refund) continue;
      differing += 1;
      const { bookingId, reference, quote } = facts;
      const hours = Math.floor((Date.parse(startsAt) - Date.parse(meta.at)) / 3_600_000);
      cases.push({
        bookingId,
        reference,
        hours,
        paid: quote.total,
        was: event.data.refund,
        would: other.refund,
      });
    }
    cases.sort((a, b) => Math.abs(b.would - b.was) - Math.abs(a.would - a.was));
    cases.length = Math.min(cases.length, MOST_CASES);
  }
  return {
    ...{ cancellations, differing, was: toDecimal(was), would: toDecimal(would) },
    cases: cases.map(({ paid, was, would, ...rest }) => ({
      ...rest,
      paid: toDecimal(paid),
      was: toDecimal(was),
      would: toDecimal(would),
    })),
  };
};
