import { type Failure, failureCalls, LISTED_FROM } from '#domain/contracts/admin-failures.ts';
import { MOST_REFUND_ATTEMPTS } from '#domain/kernel/policy.ts';
import { route } from '#infra/http/route.ts';
import type { App } from '#infra/http/server.ts';
import { REFUSED_WORDS, TOO_LATE_WORDS } from '#infra/mail/outbox.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import type { QueryContext } from '#query-api/context/context.ts';

const FAILING = `
  select 'job' as kind, id, kind as what, subject as about, tries, coalesce(last_error, '') as reason,
      created_at as since, true as "canRetry"
    from app.job where tries >= $1
  union all
  select 'mail', id::text, kind, coalesce(data->>'bookingId', ''), attempts, concat_ws(': ', given_up, last_error),
      created_at, data is not null
    from app.outbox where sent_at is null and (given_up = $3 or given_up is null and attempts >= $1
      or given_up = $4 and data is not null and created_at > now() - interval '7 days')
  union all
  select 'refund', booking_id::text, 'refund', booking_id::text, attempt, coalesce(failure, ''), submitted_at, true
    from ${LIVE}.refund where status = 'failed' and attempt >= $2
  union all
  select 'event', event_id::text, type, stream, tries, error, parked_at, true
    from ${LIVE}.parked where error is not null
  union all
  select 'log', 'tree', 'proof of the log', '', 1, broken, broken_at, false from app.tree where broken is not null
  union all
  select 'webhook', id::text, 'webhook', url, 1, 'stopped: ' || stopped, updated_at, false
    from ${LIVE}.hook where stopped is not null
  order by since desc limit 200`;

export const adminFailureRoutes = (app: App, { pool }: QueryContext): void =>
  route(app, failureCalls.list, async () => {
    const { rows } = await pool.query<Omit<Failure, 'since'> & { since: Date }>(FAILING, [
      LISTED_FROM,
      MOST_REFUND_ATTEMPTS,
      TOO_LATE_WORDS,
      REFUSED_WORDS,
    ]);
    return rows.map((row) => ({ ...row, since: row.since.toISOString() }));
  });
