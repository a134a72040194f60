/** What a rehearsal is made from, read from the log, and the pace at which it is played. Nothing is written. */
import { setTimeout as sleep, setImmediate as slice } from 'node:timers/promises';
import type { AdmissionEvent } from '#domain/admission/events.ts';
import { admissionEvents } from '#domain/admission/events.ts';
import { MOST_REHEARSED } from '#domain/contracts/rehearsal.ts';
import { type InventoryEvent, inventoryEvents } from '#domain/inventory/events.ts';
import type { DomainEvent } from '#domain/kernel/decider.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { type DoorScript, doorScript } from '#domain/rehearsal/door.ts';
import type { Moment } from '#domain/rehearsal/past.ts';
import { type SaleEvent, type SaleScript, saleScript } from '#domain/rehearsal/sale-script.ts';
import type { Codec } from '#infra/event-log/codec.ts';
import type { Recorded } from '#infra/event-log/recorded.ts';
import type { IndexedLog } from './log.ts';

interface Parts {
  readonly codec: Codec;
  readonly indexed: IndexedLog;
}

/** What was found, and whether only the first events were taken. */
interface Found<Script> {
  readonly script: Script;
  readonly cut: boolean;
}

/** The events of some types in some streams, in the log's order, without what is personal. */
const eventsOf = async <Event extends DomainEvent>(
  { codec, indexed }: Parts,
  streams: readonly string[],
  types: readonly string[],
): Promise<readonly Recorded<Event>[]> => {
  const events: Recorded<Event>[] = [];
  for await (const records of indexed.each(await indexed.places(streams, types, MOST_REHEARSED)))
    events.push(...(await codec.decode<Event>(records, { masked: true })));
  return events;
};

const past = <Event extends DomainEvent>({ event, meta }: Recorded<Event>) => ({ event, at: meta.at });

const INVENTORY = Object.keys(inventoryEvents);
const SALE = [...INVENTORY, 'CheckoutOpened', 'CheckoutClosing', 'CheckoutUnfilled'];

/** The sale of a listing. @throws Refusal LISTING_NOT_FOUND */
export const saleOf = async (parts: Parts, listingId: number): Promise<Found<SaleScript>> => {
  const checkouts = await parts.indexed.checkoutsOf(listingId);
  const asked = await eventsOf<SaleEvent>(parts, [`inventory-${listingId}`, ...checkouts], SALE);
  const named = asked.flatMap(({ event }) => {
    if (event.type === 'TicketsReturned') return `booking-${event.data.bookingId}`;
    const promotion = event.type === 'CheckoutOpened' ? event.data.quote.promotion : null;
    return promotion ? `promotion-${promotion.promotionId}` : [];
  });
  const types = ['BookingCancelled', 'PromotionCreated', 'PromotionEdited'];
  const beside = await eventsOf<SaleEvent>(parts, [...new Set(named)], types);
  const all = [...asked, ...beside].sort((a, b) => (a.position < b.position ? -1 : 1));
  const script = saleScript(all.map(past));
  if (!script) throw new Refusal('LISTING_NOT_FOUND');
  return { script, cut: asked.length === MOST_REHEARSED };
};

/** The evening of a listing at the door. @throws Refusal LISTING_NOT_FOUND */
export const doorOf = async (parts: Parts, listingId: number): Promise<Found<DoorScript>> => {
  const tickets = await eventsOf<InventoryEvent>(parts, [`inventory-${listingId}`], INVENTORY);
  if (tickets.length === 0) throw new Refusal('LISTING_NOT_FOUND');
  const parties = new Map<number, number>();
  for (const { event } of tickets)
    if (event.type === 'TicketsSold' || event.type === 'TicketsRetaken')
      parties.set(event.data.bookingId, event.data.quantity);
  const streams = [...parties.keys()].map((bookingId) => `admission-${bookingId}`);
  const scans = await eventsOf<AdmissionEvent>(parts, streams, Object.keys(admissionEvents));
  const cut = tickets.length === MOST_REHEARSED || scans.length === MOST_REHEARSED;
  return { script: doorScript(scans.map(past), parties), cut };
};

/** How often a line tells how far it is, in milliseconds. */
const TELL = 500;
/** No wait between two steps lasts longer, in milliseconds: nights are skipped. */
const LONGEST_WAIT = 3_000;
/** So long it plays at a stretch while others wait, in milliseconds. */
const STRETCH = 8;

/** Plays moments at their pace, and yields those that are told: some a second, and the last. */
export async function* atPace<Figures>(
  moments: Iterable<Moment<Figures>>,
  pace: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<Moment<Figures>, Moment<Figures> | undefined> {
  let told = performance.now();
  let rested = told;
  let due = told;
  let before: Moment<Figures> | undefined;
  for (const moment of moments) {
    if (pace !== undefined && before) due += Math.min((moment.at - before.at) / pace, LONGEST_WAIT);
    for (;;) {
      const now = performance.now();
      if (before && now - told >= TELL) {
        told = now;
        yield before;
      }
      if (signal.aborted) return undefined;
      if (pace === undefined || due - now < 1) break;
      await sleep(Math.min(due - now, TELL), undefined, { signal }).catch(() => undefined);
      rested = performance.now();
    }
    if (performance.now() - rested > STRETCH) {
      await slice();
      rested = performance.now();
    }
    before = moment;
  }
  return before;
}
