import { setTimeout as pause } from 'node:timers/promises';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { CityRequest } from '#domain/contracts/admin-places.ts';
import { Refusal } from '#domain/kernel/refusal.ts';
import { inTransaction } from '#infra/postgres/transaction.ts';
import { LIVE } from '#infra/read-models/read-models.ts';
import { caughtUp } from './uses.ts';

/** Only tries the lock: waiting would occupy a connection. */
const LOCK = `select pg_try_advisory_xact_lock(hashtextextended('city-names', 0)) as mine`;
const NAMESAKE = `select from ${LIVE}.city where id <> $1 and not archived
  and lower(name) = lower($2) and lower(state) = lower($3) and lower(country) = lower($4)`;

/** Milliseconds. */
const PATIENCE = 5_000;
const ASK_EVERY = 10;

/**
 * Cities are named one at a time across all processes, each against a caught-up read model.
 * @throws Refusal NAME_TAKEN; UNAVAILABLE while the read models are behind; whatever `work` throws
 */
export const nameCity = async <Result>(
  { database, log }: Pick<CommandDeps, 'database' | 'log'>,
  id: number,
  { name, state, country }: CityRequest,
  work: () => Promise<Result>,
): Promise<Result> => {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    const done = await inTransaction(database.pool, async (client) => {
      const { rows } = await client.query<{ mine: boolean }>(LOCK);
      if (!rows[0]?.mine) return undefined;
      await caughtUp(database, await log.head());
      const { rowCount } = await client.query(NAMESAKE, [id, name, state, country]);
      if (rowCount) throw new Refusal('NAME_TAKEN');
      return { result: await work() };
    });
    if (done) return done.result;
    if (Date.now() > deadline) throw new Refusal('UNAVAILABLE', {}, { retryAfter: 5 });
    await pause(ASK_EVERY);
  }
};
