import type { Pool } from 'pg';
import { type EventLog, START } from '#infra/event-log/event-log.ts';
import { type IdName, sequenceOf } from './ids.ts';

/** The events that bring a new integer id into the log, and the field of their data that holds it. */
const NEW_IDS: Readonly<Record<string, { readonly name: IdName; readonly field: string }>> = {
  ListingCreated: { name: 'listing', field: 'listingId' },
  CheckoutOpened: { name: 'booking', field: 'bookingId' },
  CityAdded: { name: 'city', field: 'cityId' },
  VenueAdded: { name: 'venue', field: 'venueId' },
  CategoryAdded: { name: 'category', field: 'categoryId' },
  PromotionCreated: { name: 'promotion', field: 'promotionId' },
  SupportMessageReceived: { name: 'support', field: 'supportId' },
};

const fieldOf = (data: string, field: string): number => {
  const value: unknown = (JSON.parse(data) as Record<string, unknown>)[field];
  return Number.isSafeInteger(value) ? Number(value) : 0;
};

/**
 * Raises each sequence above the largest id in the log: a restored database may be older than the log. Every start calls it. It
 * reads only the events since its last call on this log, so that starts don't get slower as the log grows.
 */
export const liftSequences = async (pool: Pool, log: EventLog): Promise<void> => {
  const { rows } = await pool.query<{ position: string }>(
    'SELECT position FROM app.sequence_lift WHERE log_id = $1',
    [log.id],
  );
  const highest = new Map<IdName, number>();
  let position = rows[0]?.position ?? START;
  for await (const batch of log.readAll(position, {
    filter: { types: Object.keys(NEW_IDS) },
    pageSize: 5_000,
  })) {
    position = batch.position;
    for (const { type, data } of batch.events) {
      const kind = NEW_IDS[type];
      if (kind) highest.set(kind.name, Math.max(highest.get(kind.name) ?? 0, fieldOf(data, kind.field)));
    }
  }
  for (const [name, id] of highest) {
    const sequence = sequenceOf(name);
    // `nextval` rather than `setval`: other processes may take ids meanwhile, and a sequence must never go back.
    await pool.query(
      `SELECT count(nextval('${sequence}')) FROM generate_series(
         (SELECT last_value + is_called::int FROM ${sequence}), $1::bigint)`,
      [id],
    );
  }
  await pool.query(
    `INSERT INTO app.sequence_lift (log_id, position) VALUES ($1, $2)
     ON CONFLICT (log_id) DO UPDATE SET position = excluded.position`,
    [log.id, position],
  );
};
