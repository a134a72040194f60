import { systemContext } from '#command-api/commands/command-handler.ts';
import type { CommandDeps } from '#command-api/deps/deps.ts';
import type { Foundation } from '#infra/foundation/foundation.ts';
import { DEMO_MARK } from '#infra/identity/demo-accounts.ts';
import { sequenceOf } from '#infra/ids/ids.ts';
import { seedAccounts } from './accounts.ts';
import { seedListings, seedPlaces } from './catalogue.ts';
import { type DemoDeps, STORY } from './demo-deps.ts';
import { seedPurchases } from './purchases.ts';

const DEMO_IDS = { booking: 10_000, listing: 100, venue: 50, city: 20, category: 10, promotion: 10 } as const;

/** From 17:00 UTC it is tomorrow, so that today's listing has not begun yet. */
const dayOfTheDemo = (now: Date): Date =>
  now.getUTCHours() < 17 ? now : new Date(now.getTime() + 24 * 3_600_000);

/**
 * Ids are fixed, so that a start continues where a killed one stopped; a complete demo is left unchanged.
 * @throws the reason of `over` if it aborts
 */
export const seedDemo = async (
  foundation: Foundation,
  commands: CommandDeps,
  over: AbortSignal,
): Promise<void> => {
  const { pool } = foundation.database;
  const { rowCount } = await pool.query('select from app.mark where name = $1', [DEMO_MARK]);
  if (rowCount) return;
  for (const [name, most] of Object.entries(DEMO_IDS)) {
    const sequence = sequenceOf(name as keyof typeof DEMO_IDS);
    await pool.query(
      `select setval($1::regclass, greatest($2::bigint, (select last_value from ${sequence})))`,
      [sequence, most],
    );
  }
  const today = dayOfTheDemo(foundation.clock());
  const at = new Date(today.getTime() - STORY);
  const deps: DemoDeps = {
    ...commands,
    over,
    clock: () => at,
    context: { ...systemContext(() => at, 'demo'), correlationId: 'demo' },
  };
  await Promise.all([seedAccounts(deps), seedPlaces(deps, today)]);
  over.throwIfAborted();
  await seedListings(deps, today);
  over.throwIfAborted();
  await seedPurchases(deps, today);
  over.throwIfAborted();
  await pool.query('insert into app.mark (name) values ($1) on conflict do nothing', [DEMO_MARK]);
};
