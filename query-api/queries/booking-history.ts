import { admissionEvents } from '#domain/admission/events.ts';
import { accessEvents, bookingEvents } from '#domain/booking/events.ts';
import { checkout, checkoutId } from '#domain/checkout/checkout.ts';
import { checkoutEvents } from '#domain/checkout/events.ts';
import type { HistoryEntry } from '#domain/contracts/bookings.ts';
import { disputeEvents } from '#domain/dispute/events.ts';
import { streamOf } from '#domain/kernel/decider.ts';
import type { EventOf } from '#domain/kernel/event.ts';
import type { BookingEventSchemas } from '#domain/kernel/history.ts';
import { sayInstant, sayWhen, yearAt } from '#domain/kernel/zone.ts';
import { listingEvents } from '#domain/listing/events.ts';
import { listing } from '#domain/listing/listing.ts';
import { streamsOf } from '#domain/processes/booking-streams.ts';
import { refundEvents } from '#domain/refund/events.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { EventLog, RecordedEvent } from '#infra/event-log/event-log.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';

const schemas = {
  ...checkoutEvents,
  ...bookingEvents,
  ...refundEvents,
  ...admissionEvents,
  ...accessEvents,
  ...disputeEvents,
  ...listingEvents,
};
const byType: BookingEventSchemas = schemas;
type HistoryEvent = EventOf<typeof schemas>;

export interface HistoryOf {
  readonly bookingId: number;
  readonly userId: string;
  readonly listingId: number;
  readonly attempt: string;
  readonly zone: string;
  readonly siteName: string;
}

const inWords = (
  { event, meta }: Recorded<HistoryEvent>,
  { zone, siteName }: HistoryOf,
): HistoryEntry | undefined => {
  const thisYear = yearAt(meta.at);
  const said = byType[event.type]?.history?.(event.data, {
    instant: (at) => sayInstant(at, zone, thisYear),
    clock: (at) => sayWhen(at, thisYear),
  });
  return said ? { at: meta.at, ...said, by: said.by ?? siteName } : undefined;
};

const BEGINNINGS: ReadonlySet<HistoryEvent['type']> = new Set(['BookingPlaced', 'BookingUnfilled']);

const partsOf = (events: readonly Recorded<HistoryEvent>[], history: HistoryOf): Recorded<HistoryEvent>[] => {
  // A clock may be set back between events.
  const begun = events.findIndex(({ event }) => BEGINNINGS.has(event.type));
  return events.filter(({ event }, index) => {
    if ('attempt' in event.data && typeof event.data.attempt === 'string')
      return event.data.attempt === history.attempt;
    return event.type !== 'ListingRescheduled' || (begun >= 0 && index > begun);
  });
};

/** Failed payments or downloads may number thousands. */
const NEWEST = { backwards: true, limit: 500 } as const;

export const readHistory = async (
  log: EventLog,
  codec: Codec,
  history: HistoryOf,
): Promise<HistoryEntry[]> => {
  const streams = [
    streamOf(checkout, checkoutId(history.userId, history.listingId)),
    ...streamsOf(history.bookingId),
    streamOf(listing, history.listingId),
  ];
  const histories = await Promise.all(
    streams.map(async (stream) => {
      const records: RecordedEvent[] = [];
      for await (const record of log.readStream(stream, NEWEST)) records.push(record);
      return records;
    }),
  );
  const records = histories.flat().sort((a, b) => (a.position < b.position ? -1 : 1));
  const events = await codec.decode<HistoryEvent>(records);
  return partsOf(events, history).flatMap((recorded) => inWords(recorded, history) ?? []);
};
