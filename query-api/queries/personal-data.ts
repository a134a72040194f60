import type pg from 'pg';
import { toBooking } from '#domain/answers/bookings.ts';
import { masked } from '#domain/kernel/personal.ts';
import { streamsOf } from '#domain/processes/booking-streams.ts';
import { addressPlace, isSealed, openValue, type Place } from '#infra/event-log/codec.ts';
import type { RecordedEvent } from '#infra/event-log/event-log.ts';
import type { KeyRef } from '#infra/keys/key-store.ts';
import type { QueryContext } from '#query-api/context/context.ts';
import { readHistory } from './booking-history.ts';
import { bookings, openBookings } from './bookings.ts';
import { IndexedLog, objectIn } from './log.ts';
import { loadSettings } from './settings.ts';

interface HeldRows {
  readonly where: string;
  /** Secrets, and sealed texts, which are among the exported events. */
  readonly without?: readonly string[];
}

const OWN = 'account_id = $1::uuid';
const OWN_BOOKING = 'booking_id in (select id from read.booking where user_id = $1::uuid)';

/** Exported as they are. A spec fails when a table that names people is missing. */
export const heldTables: Readonly<Record<string, HeldRows>> = {
  'read.person': { where: OWN },
  'read.account': { where: 'id = $1::uuid', without: ['deletion_reason'] },
  // Only for verified addresses.
  'read.subscriber': {
    where: `lower(email) = (select lower(p.email) from read.person p join read.account a on a.id = p.account_id
              where a.id = $1::uuid and a.email_verified)`,
  },
  'read.refund': { where: 'user_id = $1::uuid', without: ['reason', 'notes', 'denial_reason'] },
  'read.dispute': { where: 'user_id = $1::uuid' },
  'read.waiter': { where: 'user_id = $1::uuid' },
  'read.paid_attempt': { where: 'user_id = $1::uuid' },
  'read.admission': { where: OWN_BOOKING },
  // Who scanned is not the guest's data.
  'read.scan': { where: OWN_BOOKING, without: ['by_id', 'first'] },
  'app.session': { where: OWN, without: ['token_hash'] },
  'app.credential': { where: OWN, without: ['password_hash'] },
  'app.federated_identity': { where: OWN },
  'app.mail_token': { where: OWN, without: ['token_hash'] },
  'app.second_factor': { where: OWN, without: ['secret', 'last_step'] },
  'app.recovery_code': { where: OWN, without: ['code_hash'] },
  'app.outbox': { where: 'account_id = $1', without: ['data', 'last_error'] },
  'app.keyed_request': {
    where: 'user_id = $1',
    without: ['key_hash', 'request_hash', 'allocated', 'reply'],
  },
  'app.erasure': { where: OWN, without: ['email_id'] },
  'app.operation': { where: 'asked_by = $1', without: ['findings'] },
  'keys.subject': { where: 'subject = $1' },
};

const rowsOf = async (
  pool: Pick<pg.Pool, 'query'>,
  table: string,
  { where, without = [] }: HeldRows,
  accountId: string,
): Promise<readonly unknown[]> => {
  const { rows } = await pool.query<{ row: unknown }>(
    `select to_jsonb(held) - $2::text[] as row from ${table} held where ${where}`,
    [accountId, without],
  );
  return rows.map(({ row }) => row);
};

const bookingsOf = async function* (context: QueryContext, accountId: string) {
  const { db, keys, log, codec, config, clock } = context;
  const rows = await bookings(db).where('b.user_id', '=', accountId).orderBy('b.placed_at').execute();
  const parts = await openBookings(keys, rows);
  const { siteName } = await loadSettings(db);
  for (const [index, part] of parts.entries()) {
    const row = rows[index];
    if (!row) continue;
    const history = await readHistory(log, codec, {
      bookingId: row.id,
      userId: row.user_id,
      listingId: row.listing_id,
      attempt: row.attempt,
      zone: row.zone,
      siteName,
    });
    const promotion = row.promo_code === null ? null : { code: row.promo_code, discount: row.discount };
    yield { ...toBooking(part, { baseUrl: config.baseUrl, now: clock() }), promotion, history };
  }
};

const opened = async (
  { keys }: Pick<QueryContext, 'keys'>,
  records: readonly RecordedEvent[],
  accountId: string,
  own: ReadonlySet<string>,
): Promise<readonly object[]> => {
  const parsed = records.map((record) => ({
    record,
    data: objectIn(record.data),
    meta: objectIn(record.meta) as { readonly actor?: unknown; readonly correlationId?: string },
  }));
  const refs: KeyRef[] = parsed
    .flatMap(({ data, meta }) => [...Object.values(data), actorOf(meta).ip])
    .filter(isSealed)
    .filter(({ of }) => own.has(of))
    .map(({ of, key }) => ({ subject: of, version: key }));
  const found = await keys.fetch(refs);
  const keyOf = new Map(refs.map(({ subject, version }, index) => [`${version} ${subject}`, found[index]]));
  const open = (value: unknown, place: Place): unknown => {
    if (!isSealed(value)) return value;
    const key = keyOf.get(`${value.key} ${value.of}`);
    return key === undefined || key === 'gone' ? masked : openValue(key, place, value);
  };
  return parsed.map(({ record, data, meta }) => {
    const { id, stream, revision, type, recordedAt } = record;
    const { kind, id: actor, role, ip } = actorOf(meta);
    const byThem = actor === accountId;
    return {
      ...{ id, stream, revision, type, recordedAt },
      by: byThem ? 'you' : (role ?? kind ?? null),
      ...(byThem && ip !== undefined && { address: open(ip, addressPlace(meta.correlationId ?? '')) }),
      data: Object.fromEntries(
        Object.entries(data).map(([field, value]) => [field, open(value, { stream, type, field })]),
      ),
    };
  });
};

interface Acted {
  readonly kind?: string;
  readonly id?: string;
  readonly role?: string;
  readonly ip?: unknown;
}
const actorOf = ({ actor }: { readonly actor?: unknown }): Acted => ({ ...(actor as Acted | undefined) });

/** One JSON object. `events` is complete up to `log`, the index's state. */
export const personalData = async function* (
  context: QueryContext,
  accountId: string,
): AsyncGenerator<string> {
  const { pool, log, clock } = context;
  const property = (name: string, value: unknown): string =>
    `,\n${JSON.stringify(name)}: ${JSON.stringify(value, null, 1)}`;
  yield `{\n"madeAt": ${JSON.stringify(clock())}`;
  yield property('accountId', accountId);

  const tables: Record<string, readonly unknown[]> = {};
  for (const [table, held] of Object.entries(heldTables))
    tables[table] = await rowsOf(pool, table, held, accountId);
  yield property('held', tables);

  const each = async function* (name: string, items: AsyncIterable<readonly unknown[]>) {
    yield `,\n${JSON.stringify(name)}: [`;
    let between = '';
    for await (const some of items)
      for (const item of some) {
        yield `${between}\n${JSON.stringify(item)}`;
        between = ',';
      }
    yield '\n]';
  };
  const streams: string[] = (tables['read.subscriber'] ?? []).map(
    (row) => `newsletter-${(row as { id: string }).id}`,
  );
  const booked = async function* () {
    for await (const booking of bookingsOf(context, accountId)) {
      streams.push(...streamsOf(booking.id));
      yield [booking];
    }
  };
  yield* each('bookings', booked());

  const indexed = new IndexedLog(pool, log);
  const { at, places } = await indexed.about(accountId, streams);
  yield property('log', { upTo: at });
  const own = new Set([accountId]);
  const events = async function* () {
    for await (const records of indexed.each(places)) {
      // Each newsletter subscription has its own key.
      for (const { stream, data } of records)
        if (streams.includes(stream) && stream.startsWith('newsletter-')) {
          const { key } = objectIn(data);
          if (typeof key === 'string') own.add(`newsletter-${key}`);
        }
      yield await opened(context, records, accountId, own);
    }
  };
  yield* each('events', events());
  yield '\n}\n';
};
