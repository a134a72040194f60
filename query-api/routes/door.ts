import { sql } from 'kysely';
import { sayTurnedAway } from '#domain/admission/events.ts';
import { TICKET_LIFETIME_AFTER_START } from '#domain/admission/ticket-token.ts';
import type { QueryOf } from '#domain/contracts/call.ts';
import { type KeptEvent, ticketCalls } from '#domain/contracts/tickets.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { contains } from '#query-api/queries/contains.ts';
import { listings } from '#query-api/queries/listings.ts';
import { doorCounts, nameOf, scans } from '#query-api/queries/scans.ts';
import { listRoute } from './list.ts';
import { recordGuests } from './record.ts';

const MOST_GUESTS = 20;
/** Milliseconds, for a gate that admits to all events. */
const A_DAY = 86_400_000;

export const doorRoutes = (app: App, context: QueryContext): void => {
  const { db, clock, signer } = context;
  const current = (eventId: number | undefined) => {
    const rows = listings(db)
      .where('l.archived', '=', false)
      .where('l.starts_at', '>', new Date(clock().getTime() - TICKET_LIFETIME_AFTER_START).toISOString());
    return eventId === undefined ? rows : rows.where('l.id', '=', eventId);
  };

  route(app, ticketCalls.counts, async ({ query }) => {
    const [counts] = await doorCounts(db, [query.eventId]);
    if (!counts) throw new Refusal('LISTING_NOT_FOUND');
    return counts;
  });

  route(app, ticketCalls.guests, async (request) => {
    const { eventId, search } = request.query;
    // In any order: "Łukasz Zoë" finds Zoë Łukasz.
    const words = search
      .split(/\s+/)
      .map((word) => contains(['p.first_name', 'p.last_name', 'b.reference'], word));
    const rows = await current(eventId)
      .innerJoin('booking as b', 'b.listing_id', 'l.id')
      .leftJoin('person as p', 'p.account_id', 'b.user_id')
      .leftJoin('admission as a', 'a.booking_id', 'b.id')
      .select([
        'b.id as booking_id',
        'b.reference',
        'b.quantity',
        'b.status',
        'a.admitted',
        'a.suspended',
        nameOf('p').as('name'),
      ])
      .where(({ and }) => and(words))
      .orderBy('l.starts_at')
      .orderBy('p.last_name')
      .orderBy('b.id')
      .limit(MOST_GUESTS)
      .execute();
    await recordGuests(context, request, {
      listingId: eventId ?? null,
      bookings: rows.map(({ booking_id }) => booking_id),
    });
    return rows.map(({ id, title, venue, date, time, ...row }) => ({
      bookingId: row.booking_id,
      reference: row.reference,
      name: row.name ?? 'Deleted account',
      event: { id, title, venue, date, time },
      quantity: row.quantity,
      admitted: row.admitted ?? 0,
      status: row.status,
      disputed: row.suspended ?? false,
    }));
  });

  route(app, ticketCalls.day, async ({ query }) => {
    const now = clock();
    const soon = new Date(now.getTime() + A_DAY).toISOString();
    const open = current(query.eventId);
    const events = await (query.eventId ? open : open.where('l.starts_at', '<', soon)).execute();
    const kept = new Map<number, KeptEvent>();
    for (const { id, title, venue, date, time, zone, starts_at } of events) {
      const event = { id, title, venue, date, time, zone, startsAt: starts_at };
      kept.set(id, { ...event, tickets: [], cancelled: [], refunded: [], disputed: [], entries: [] });
    }
    const ids = [...kept.keys()];
    if (ids.length > 0) {
      const [bookings, entries] = await Promise.all([
        db
          .selectFrom('booking as b')
          .leftJoin('admission as a', 'a.booking_id', 'b.id')
          .select(['b.id', 'b.listing_id', 'b.quantity', 'b.epoch', 'b.status', 'a.suspended'])
          .where('b.listing_id', 'in', ids)
          .orderBy('b.id')
          .execute(),
        scans(db, 'admitted').select('s.listing_id').where('s.listing_id', 'in', ids).execute(),
      ]);
      for (const { id, listing_id, quantity, epoch, status, suspended } of bookings) {
        const event = kept.get(listing_id);
        event?.tickets.push([id, quantity, epoch]);
        if (status !== 'confirmed') event?.[status].push(id);
        if (suspended) event?.disputed.push(id);
      }
      for (const { listing_id, booking_id, page, quantity, at, gate } of entries)
        kept.get(listing_id)?.entries.push({ bookingId: booking_id, page, quantity, at, gate });
    }
    return { at: now.toISOString(), keys: [...signer.publicKeys], events: [...kept.values()] };
  });

  const conflicts = {
    sorts: { time: 's.at' },
    usual: '-time' as const,
    id: 's.id',
    select({ search }: QueryOf<typeof ticketCalls.conflicts>) {
      const found = scans(db, 'conflict')
        .leftJoin('person as f', (join) =>
          join.on('f.account_id', '=', sql<string>`(s.first->'by'->>'id')::uuid`),
        )
        .select(['s.why', 's.first', nameOf('f').as('first_by')]);
      return search ? found.where(contains(['p.email', 'l.title', 'b.reference'], search)) : found;
    },
  };
  listRoute(app, ticketCalls.conflicts, conflicts, (rows) =>
    rows.map((row) => {
      const own = { at: row.at, scannedBy: row.scanned_by ?? 'Door staff', gate: row.gate };
      const other = row.first && {
        at: row.first.at,
        scannedBy: row.first_by ?? 'Door staff',
        gate: row.first.gate,
      };
      // Offline scans arrive late: the one recorded last may have happened first.
      const [first, copy] = other && other.at > own.at ? [own, other] : [other, own];
      return {
        id: row.id,
        scannedAt: copy.at,
        event: { title: row.title },
        user: { email: row.email ?? 'Deleted account' },
        booking: { id: row.booking_id, reference: row.reference },
        quantity: row.quantity,
        code: row.why ?? 'TICKET_USED',
        error: sayTurnedAway(row.why ?? 'TICKET_USED'),
        first,
        copy,
      };
    }),
  );
};
