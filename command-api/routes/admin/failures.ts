import type { Pool } from 'pg';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import { retryJob } from '#command-api/jobs/jobs.ts';
import { approveRefund } from '#command-api/purchase/refunds.ts';
import { changesOn } from '#command-api/routes/change.ts';
import { failureCalls } from '#domain/contracts/admin-failures.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { refund } from '#domain/refund/refund.ts';
import type { App } from '#infra/http/server.ts';
import { retryMail } from '#infra/mail/outbox.ts';
import { RETRY_PARKED_CHANNEL } from '#infra/read-models/progress.ts';
import { LIVE } from '#infra/read-models/read-models.ts';

const retryEvent = async (pool: Pool, id: string): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `select pg_notify($2, '') from ${LIVE}.parked where event_id::text = $1 and error is not null`,
    [id, RETRY_PARKED_CHANNEL],
  );
  return rowCount === 1;
};

const RETRIES = { job: retryJob, mail: retryMail, event: retryEvent } as const;

export const adminFailureRoutes = (
  app: App,
  deps: Pick<CommandDeps, 'handler' | 'clock' | 'replies' | 'database'> & { wake(): void },
): void => {
  const { pool } = deps.database;
  changesOn(app, deps)(failureCalls.retry, async ({ params: { kind, id } }, { acting }) => {
    if (kind === 'refund') {
      const bookingId = /^\d{1,9}$/.test(id) ? Number(id) : 0;
      const { state } = await acting.state(refund, bookingId);
      if (state.phase !== 'failed') throw new Refusal('NOT_FOUND');
      await approveRefund(bookingId, { notes: '' }, acting);
    } else if (!(await RETRIES[kind](pool, id))) throw new Refusal('NOT_FOUND');
    deps.wake();
    return { message: 'It is tried again' };
  });
};
